package io.millrace.codec.text;

import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToRow;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads records from JSON lines in UTF-8. Blank lines are skipped. Not thread-safe. */
final class JsonReading implements RecordReader {

    private final JsonToRow json;

    JsonReading(Schema schema) {
        json = new JsonToRow(schema);
    }

    @Override
    public Conversion read(InputStream in, RowSink records, BadRecord.Sink sink) throws IOException {
        TextLines lines = new TextLines(in);
        long count = 0;
        long bad = 0;
        while (lines.next()) {
            List<String> reasons = write(lines, records);
            if (reasons.isEmpty()) {
                count++;
            } else {
                String text = new String(lines.bytes(), lines.start(), lines.length(), StandardCharsets.UTF_8);
                sink.bad(new BadRecord("line " + lines.number(), reasons, List.of(text)));
                bad++;
            }
        }
        return new Conversion(count, bad);
    }

    private List<String> write(TextLines line, RowSink records) throws IOException {
        try {
            json.read(line.bytes(), line.start(), line.length());
            records.write(json.row(), 0, json.children(), 0);
            return List.of();
        } catch (JsonRecordException e) {
            return e.reasons();
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }
}
