package io.millrace.codec.text;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectReason;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
    public ConversionResult read(InputStream in, RowSink records, BadRecord.Sink bad) throws IOException {
        try {
            CsvLines lines = new CsvLines(in);
            if (!lines.hasNext()) {
                throw CsvHeader.missing(codec);
            }
            return read(new CsvToRow(lines.next().getFields(), codec), lines, records, bad);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ConversionResult read(CsvToRow values, CsvLines lines, RowSink records, BadRecord.Sink sink)
            throws IOException {
        long count = 0;
        long bad = 0;
        while (lines.hasNext()) {
            CsvRecord line = lines.next();
            List<String> reasons = values.read(line.getFields(), records);
            if (reasons.isEmpty()) {
                count++;
            } else {
                sink.bad(new BadRecord(
                        "line " + line.getStartingLineNumber(),
                        RejectReason.Kind.INVALID_VALUE,
                        reasons,
                        line.getFields()));
                bad++;
            }
        }
        return new ConversionResult(count, bad);
    }
}
