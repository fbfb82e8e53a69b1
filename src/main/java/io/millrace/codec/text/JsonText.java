package io.millrace.codec.text;

import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToRow;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.List;

/** One JSON object per line, in UTF-8 with or without a byte order mark. Blank lines are skipped. Not thread-safe. */
public final class JsonText implements RecordText {

    private final JsonToRow json;

    /** @param schema schema of the fixed or the compact layout */
    public JsonText(Schema schema) {
        json = new JsonToRow(schema);
    }

    @Override
    public int maxBytes() {
        return TextLines.MAX_LINE_BYTES;
    }

    @Override
    public int readHead(byte[] bytes, int length) {
        return TextLines.byteOrderMark(bytes, 0, length);
    }

    @Override
    public int end(byte[] bytes, int from, int to, boolean last) {
        int lineFeed = TextLines.lineFeed(bytes, from, to);
        return lineFeed < 0 && last ? to : lineFeed;
    }

    @Override
    public List<String> read(byte[] bytes, int from, int length, RowSink records) throws IOException {
        if (TextLines.isBlank(bytes, from, from + length)) {
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
}
