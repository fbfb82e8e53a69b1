package io.millrace.codec.text;

import io.millrace.codec.RejectReason;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads records from {@link JsonText}. Not thread-safe. */
final class JsonReading implements RecordReader {

    private final JsonText json;

    JsonReading(Schema schema) {
        json = new JsonText(schema);
    }

    @Override
    public ConversionResult read(InputStream in, RowSink records, BadRecord.Sink sink) throws IOException {
        TextLines lines = new TextLines(in);
        long count = 0;
        long bad = 0;
        while (lines.next()) {
            List<String> reasons = json.read(lines.bytes(), lines.start(), lines.length(), records);
            if (reasons.isEmpty()) {
                count++;
            } else {
                String text = new String(lines.bytes(), lines.start(), lines.length(), StandardCharsets.UTF_8);
                sink.bad(new BadRecord(
                        "line " + lines.number(), RejectReason.Kind.INVALID_VALUE, reasons, List.of(text)));
                bad++;
            }
        }
        return new ConversionResult(count, bad);
    }
}
