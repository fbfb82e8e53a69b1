package io.millrace.codec.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Turns CSV (RFC 4180, UTF-8, with or without a byte order mark, lines ending in LF or CRLF, blank lines skipped) into
 * records. Stateless, so safe for use by many threads.
 */
public final class CsvToBinary {

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final RecordCodec codec;

    public CsvToBinary(RecordCodec codec) {
        this.codec = codec;
    }

    /**
     * Converts a whole file; lines that make no record go to the sink, and the rest goes on.
     *
     * @param in not closed
     * @param out receives the records back to back; not closed
     * @throws CsvException if the header does not match the schema, or the file is no CSV in UTF-8
     */
    public Conversion convert(InputStream in, OutputStream out, BadRecord.Sink sink) throws IOException {
        BufferedReader text =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()), 1 << 16);
        try {
            skipByteOrderMark(text);
            Iterator<CsvRecord> lines = CsvReader.builder()
                    .skipEmptyLines(true)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .ofCsvRecord(text)
                    .iterator();
            if (!lines.hasNext()) {
                throw new CsvException(List.of("line 1: is empty, a header is expected"));
            }
            CsvHeader header = CsvHeader.match(lines.next().getFields(), codec);
            return convert(header, lines, out, sink);
        } catch (CharacterCodingException _) {
            throw new CsvException(List.of("is not UTF-8"));
        } catch (CsvParseException | UncheckedIOException e) {
            throw unreadable(e);
        }
    }

    private static CsvException unreadable(RuntimeException e) throws IOException {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof CharacterCodingException) {
                return new CsvException(List.of("is not UTF-8"));
            }
            if (cause instanceof IOException io) {
                throw io;
            }
        }
        return new CsvException(List.of(String.valueOf(e.getMessage())));
    }

    private static void skipByteOrderMark(BufferedReader text) throws IOException {
        text.mark(1);
        if (text.read() != BYTE_ORDER_MARK) {
            text.reset();
        }
    }

    private Conversion convert(CsvHeader header, Iterator<CsvRecord> lines, OutputStream out, BadRecord.Sink sink)
            throws IOException {
        byte[] blank = new byte[codec.schema().baseLength()];
        byte[] record = new byte[blank.length];
        long records = 0;
        long bad = 0;
        while (lines.hasNext()) {
            CsvRecord line = lines.next();
            // Bytes that no field takes are zero, whatever the line before wrote.
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
        String wrongCount = header.countProblem(line.getFieldCount());
        if (wrongCount != null) {
            return List.of(wrongCount);
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
