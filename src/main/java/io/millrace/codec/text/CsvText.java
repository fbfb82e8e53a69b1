package io.millrace.codec.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CSV as {@link CsvLines} reads it, record by record, so that reading can begin at any record. A line whose quote is
 * not closed within {@link #maxBytes} is no record; the next line is read again. Not thread-safe.
 */
public final class CsvText implements RecordText {

    private static final int MAX_BYTES = 1 << 20;

    private final RecordCodec codec;
    private final CsvReader.CsvReaderBuilder reader = CsvLines.reader();
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private @Nullable CsvToRow values;

    /** @param schema schema of the fixed or the compact layout, without lists */
    public CsvText(Schema schema) {
        codec = RecordCodec.of(schema.base());
    }

    @Override
    public int maxBytes() {
        return MAX_BYTES;
    }

    @Override
    public int readHead(byte[] bytes, int length) {
        int at = TextLines.byteOrderMark(bytes, 0, length);
        while (at < length) {
            int end = scan(bytes, at, length);
            end = end < 0 ? length : end;
            int next = Math.min(end + 1, length);
            List<List<String>> lines = parse(bytes, at, end - at);
            if (!lines.isEmpty()) {
                CsvLines.requireCommas(lines.getFirst());
                values = new CsvToRow(lines.getFirst(), codec);
                return next;
            }
            at = next;
        }
        throw CsvHeader.missing(codec);
    }

    @Override
    public int end(byte[] bytes, int from, int to, boolean last) {
        int end = scan(bytes, from, to);
        return end == to && !last ? -1 : end;
    }

    /**
     * Returns the offset of the line feed that ends a record, {@code to} if there is none, or -1 if a quote is open.
     */
    private static int scan(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (bytes[at] == '"') {
                at = quoteEnd(bytes, at, to);
                if (at < 0) {
                    return -1;
                }
            }
            while (at < to && bytes[at] != ',' && bytes[at] != '\n') {
                at++;
            }
            if (at < to && bytes[at] == '\n') {
                return at;
            }
            at++;
        }
        return to;
    }

    /** Returns the offset after the quote that closes a value, or -1 if there is none. */
    private static int quoteEnd(byte[] bytes, int from, int to) {
        for (int at = from + 1; at < to; at++) {
            if (bytes[at] == '"') {
                if (at + 1 == to || bytes[at + 1] != '"') {
                    return at + 1;
                }
                at++;
            }
        }
        return -1;
    }

    @Override
    public List<String> read(byte[] bytes, int from, int length, RowSink records) throws IOException {
        CsvToRow columns = values;
        if (columns == null) {
            throw new IllegalStateException("The header has not been read.");
        }
        if (scan(bytes, from, from + length) < 0) {
            return List.of(CsvLines.OPEN_QUOTE);
        }
        try {
            List<List<String>> lines = parse(bytes, from, length);
            if (lines.size() > 1) {
                return List.of("Invalid carriage return within a line. Write values that contain one in quotes.");
            }
            return lines.isEmpty() ? List.of() : columns.read(lines.getFirst(), records);
        } catch (CsvException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private List<List<String>> parse(byte[] bytes, int from, int length) {
        List<List<String>> lines = new ArrayList<>(1);
        try {
            String text = decoder.decode(ByteBuffer.wrap(bytes, from, length)).toString();
            for (CsvRecord line : reader.ofCsvRecord(text)) {
                lines.add(line.getFields());
            }
        } catch (CharacterCodingException _) {
            throw CsvLines.notUtf8();
        } catch (CsvParseException | UncheckedIOException _) {
            throw CsvLines.notCsv();
        }
        return lines;
    }
}
