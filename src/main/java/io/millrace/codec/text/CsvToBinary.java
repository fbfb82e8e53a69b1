package io.millrace.codec.text;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Converts CSV, as {@link CsvLines} reads it, to records. Stateless, so safe for use by many threads. */
public final class CsvToBinary {

    private final RecordCodec codec;

    public CsvToBinary(RecordCodec codec) {
        this.codec = codec;
    }

    /**
     * Converts a whole file. Lines that are not valid records go to the sink, and the conversion continues.
     *
     * @param in not closed
     * @param out receives the records back to back; not closed
     * @throws CsvException if the header does not match the schema, or the file is not CSV in UTF-8
     */
    public Conversion convert(InputStream in, OutputStream out, BadRecord.Sink sink) throws IOException {
        try {
            CsvLines lines = new CsvLines(in);
            if (!lines.hasNext()) {
                throw new CsvException(List.of("line 1: is empty, a header is expected"));
            }
            CsvHeader header = CsvHeader.match(lines.next().getFields(), codec);
            return convert(header, lines, out, sink);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Conversion convert(CsvHeader header, CsvLines lines, OutputStream out, BadRecord.Sink sink)
            throws IOException {
        byte[] blank = new byte[codec.schema().baseLength()];
        byte[] record = new byte[blank.length];
        long records = 0;
        long bad = 0;
        while (lines.hasNext()) {
            CsvRecord line = lines.next();
            // Bytes between fields are zero, and nothing of the previous line remains.
            System.arraycopy(blank, 0, record, 0, record.length);
            List<String> reasons = write(line, header, record);
            if (reasons.isEmpty()) {
                out.write(record);
                records++;
            } else {
                sink.bad(new BadRecord("line " + line.getStartingLineNumber(), reasons, line.getFields()));
                bad++;
            }
        }
        return new Conversion(records, bad);
    }

    private static List<String> write(CsvRecord line, CsvHeader header, byte[] record) {
        String countProblem = header.countProblem(line.getFieldCount());
        if (countProblem != null) {
            return List.of(countProblem);
        }
        List<String> reasons = List.of();
        for (int i = 0; i < header.size(); i++) {
            try {
                header.codec(i).setText(record, 0, line.getField(i));
            } catch (FieldValueException e) {
                reasons = reasons.isEmpty() ? new ArrayList<>() : reasons;
                reasons.add("column " + (i + 1) + " (" + header.columns().get(i) + ") value=" + e.value() + ": "
                        + e.reason());
            }
        }
        return reasons;
    }
}
