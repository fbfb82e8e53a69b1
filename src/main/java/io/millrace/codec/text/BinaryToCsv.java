package io.millrace.codec.text;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.FixedFramer;
import io.millrace.codec.RecordCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Converts records to CSV: UTF-8, lines ending in LF, with the labels of the fields as header. Stateless. */
public final class BinaryToCsv {

    private static final int RECORDS_PER_READ = 1024;

    private final RecordCodec codec;
    private final FixedFramer framer;

    public BinaryToCsv(RecordCodec codec) {
        this.codec = codec;
        this.framer = FixedFramer.of(codec.schema());
    }

    /**
     * Converts a whole file. Records that cannot be decoded, and incomplete bytes at the end, go to the sink.
     *
     * @param in records back to back; not closed
     * @param out not closed
     */
    public Conversion convert(InputStream in, OutputStream out, BadRecord.Sink sink) throws IOException {
        CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out, StandardCharsets.UTF_8);
        csv.writeRecord(
                codec.codecs().stream().map(field -> field.field().label()).toList());
        int length = framer.recordLength();
        byte[] buffer = new byte[length * RECORDS_PER_READ];
        long position = 0;
        long records = 0;
        long bad = 0;
        int filled;
        do {
            filled = in.readNBytes(buffer, 0, buffer.length);
            for (int i = 0; i < framer.records(filled); i++) {
                if (write(csv, buffer, i * length, position + (long) i * length, sink)) {
                    records++;
                } else {
                    bad++;
                }
            }
            int leftOver = framer.leftOver(filled);
            if (leftOver > 0) {
                int at = filled - leftOver;
                String reason = "is cut off, " + leftOver + " bytes are left of a record of " + length;
                sink.bad(bad(position + at, List.of(reason), buffer, at, filled));
                bad++;
            }
            position += filled;
        } while (filled == buffer.length);
        csv.flush();
        return new Conversion(records, bad);
    }

    private boolean write(CsvWriter csv, byte[] bytes, int record, long position, BadRecord.Sink sink) {
        List<String> values = new ArrayList<>(codec.codecs().size());
        List<String> reasons = new ArrayList<>();
        for (FieldCodec field : codec.codecs()) {
            try {
                values.add(field.text(bytes, record));
            } catch (FieldValueException e) {
                reasons.add("field=" + e.field() + " value=" + e.value() + ": " + e.reason());
            }
        }
        if (!reasons.isEmpty()) {
            sink.bad(bad(position, reasons, bytes, record, record + framer.recordLength()));
            return false;
        }
        csv.writeRecord(values);
        return true;
    }

    private static BadRecord bad(long position, List<String> reasons, byte[] bytes, int start, int end) {
        return new BadRecord("byte " + position, reasons, List.of(HexFormat.of().formatHex(bytes, start, end)));
    }
}
