package io.millrace.codec.text.csv;

import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectReason;
import io.millrace.codec.text.BadRecord;
import io.millrace.codec.text.ConversionResult;
import io.millrace.codec.text.RecordReader;
import io.millrace.codec.text.RowSink;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * Reads records from CSV, as {@link CsvLines} and {@link CsvToRow} read it. Stateless, so safe for use by many threads.
 */
public final class CsvReading implements RecordReader {

    private final RecordCodec codec;

    /** @param schema schema of the fixed or the compact layout */
    public CsvReading(Schema schema) {
        codec = RecordCodec.of(schema.base());
    }

    @Override
    public ConversionResult read(InputStream in, RowSink records, BadRecord.Sink sink) throws IOException {
        CsvLines lines = new CsvLines(in);
        List<String> columns = lines.header();
        if (columns.isEmpty()) {
            throw CsvHeader.missing(1, codec);
        }
        CsvToRow values = new CsvToRow(lines.number(), columns, codec);
        long count = 0;
        long bad = 0;
        while (lines.next()) {
            String problem = lines.problem();
            List<String> reasons = problem == null ? values.read(lines.values(), records) : List.of(problem);
            if (reasons.isEmpty()) {
                count++;
            } else {
                sink.bad(new BadRecord(
                        "line " + lines.number(), RejectReason.Kind.INVALID_VALUE, reasons, lines.values()));
                bad++;
            }
        }
        return new ConversionResult(count, bad);
    }
}
