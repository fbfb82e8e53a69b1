package io.millrace.codec.text;

import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToRow;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.List;

/** One JSON object per line, in UTF-8 with or without a byte order mark. Blank lines are skipped. Not thread-safe. */
public final class JsonText implements RecordText {

    private static final int MAX_BYTES = 1 << 26;

    private final JsonToRow json;

    /** @param schema schema of the fixed or the compact layout */
    public JsonText(Schema schema) {
        json = new JsonToRow(schema);
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    /** Returns false: JSON texts contain no line breaks. */
    @Override
    public boolean quotes() {
        return false;
    }

    /** Returns true: an object ends at its brace. */
    @Override
    public boolean endsItself() {
        return true;
    }

    @Override
    public boolean readHead(LineSplitter lines) throws IOException {
        lines.skipByteOrderMark();
        return true;
    }

    @Override
    public List<String> read(byte[] bytes, int from, int length, RowSink records) throws IOException {
        if (isBlank(bytes, from, from + length)) {
            return List.of();
        }
        try {
            json.read(bytes, from, length);
            records.write(json.row(), 0, json.children(), 0);
            return List.of();
        } catch (JsonRecordException e) {
            return e.reasons();
        } catch (IllegalArgumentException e) {
            return InvalidRecordException.reasons(e);
        }
    }

    private static boolean isBlank(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t') {
                return false;
            }
        }
        return true;
    }
}
