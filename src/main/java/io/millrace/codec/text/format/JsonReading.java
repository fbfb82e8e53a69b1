package io.millrace.codec.text.format;

import io.millrace.codec.RejectReason;
import io.millrace.codec.text.BadRecord;
import io.millrace.codec.text.ConversionResult;
import io.millrace.codec.text.JsonText;
import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.RecordReader;
import io.millrace.codec.text.RowSink;
import io.millrace.codec.text.StreamWindow;
import io.millrace.codec.text.UnreadableText;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Reads records from {@link JsonText}. Not thread-safe. */
final class JsonReading implements RecordReader {

    private final JsonText json;

    JsonReading(Schema schema) {
        json = new JsonText(schema);
    }

    @Override
    public ConversionResult read(InputStream in, RowSink records, BadRecord.Sink sink) throws IOException {
        LineSplitter lines = json.split(new StreamWindow(in), true);
        json.readHead(lines);
        long[] counts = {0, 0};
        RowSink counted = (row, at, children, ordinal) -> {
            records.write(row, at, children, ordinal);
            counts[0]++;
        };
        LineSplitter.Next next = lines.next();
        while (next != LineSplitter.Next.END) {
            List<String> reasons = next == LineSplitter.Next.TOO_LONG
                    ? List.of(lines.lengthProblem())
                    : json.read(lines.bytes(), lines.start(), lines.length(), counted);
            if (!reasons.isEmpty()) {
                sink.bad(new BadRecord(
                        "line " + lines.number(),
                        RejectReason.Kind.INVALID_VALUE,
                        reasons,
                        List.of(UnreadableText.of(lines.bytes(), lines.start(), lines.length()))));
                counts[1]++;
            }
            lines.consume();
            next = lines.next();
        }
        return new ConversionResult(counts[0], counts[1]);
    }
}
