package io.millrace.codec.text;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.codec.ChildRows;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads records from CSV, as {@link CsvLines} reads it. Blank cells are absent values. A group that can be missing is
 * missing if all its cells are blank. Stateless, so safe for use by many threads.
 */
public final class CsvReading implements RecordReader {

    private final RecordCodec codec;

    /** @param schema schema of the fixed or the compact layout */
    public CsvReading(Schema schema) {
        codec = RecordCodec.of(schema.base());
    }

    @Override
    public Conversion read(InputStream in, RowSink records, BadRecord.Sink bad) throws IOException {
        try {
            CsvLines lines = new CsvLines(in);
            if (!lines.hasNext()) {
                throw new CsvException(List.of("line 1: is empty, a header is expected"));
            }
            return read(CsvHeader.match(lines.next().getFields(), codec), lines, records, bad);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Conversion read(CsvHeader header, CsvLines lines, RowSink records, BadRecord.Sink sink) throws IOException {
        byte[] blank = codec.blank();
        byte[] row = new byte[blank.length];
        List<ChildRows> noElements = codec.schema().groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList();
        long count = 0;
        long bad = 0;
        while (lines.hasNext()) {
            CsvRecord line = lines.next();
            // Bytes between fields are zero, and nothing of the previous line remains.
            System.arraycopy(blank, 0, row, 0, row.length);
            List<String> reasons = write(line, header, row);
            if (reasons.isEmpty()) {
                try {
                    records.write(row, 0, noElements, 0);
                } catch (IllegalArgumentException e) {
                    reasons = List.of(String.valueOf(e.getMessage()));
                }
            }
            if (reasons.isEmpty()) {
                count++;
            } else {
                sink.bad(new BadRecord("line " + line.getStartingLineNumber(), reasons, line.getFields()));
                bad++;
            }
        }
        return new Conversion(count, bad);
    }

    private static List<String> write(CsvRecord line, CsvHeader header, byte[] row) {
        String countProblem = header.countProblem(line.getFieldCount());
        if (countProblem != null) {
            return List.of(countProblem);
        }
        for (int i = 0; i < header.size(); i++) {
            if (!line.getField(i).isEmpty()) {
                header.columnAt(i).markPresent(row);
            }
        }
        List<String> reasons = List.of();
        for (int i = 0; i < header.size(); i++) {
            CsvColumns.Column column = header.columnAt(i);
            if (!column.isPresent(row)) {
                continue;
            }
            try {
                column.codec().setText(row, 0, line.getField(i));
            } catch (FieldValueException e) {
                reasons = reasons.isEmpty() ? new ArrayList<>() : reasons;
                reasons.add("column " + (i + 1) + " (" + header.columns().get(i) + ") value=" + e.value() + ": "
                        + e.reason());
            }
        }
        return reasons;
    }
}
