package io.millrace.codec.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/**
 * The lines of a CSV file, including the header: RFC 4180, UTF-8 with or without a byte order mark, lines ending in LF
 * or CRLF. Blank lines are skipped. A line may have more or fewer values than the header, which the caller has to
 * check. Not thread-safe.
 *
 * <p>Both methods throw {@link CsvException} if the file is not CSV in UTF-8 or ends in a quote that is open, and
 * {@link UncheckedIOException} if it can't be read.
 */
public final class CsvLines implements Iterator<CsvRecord> {

    static final String OPEN_QUOTE = "Missing quote at the end of a value. Close it.";

    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final QuoteCheck quotes;
    private final Iterator<CsvRecord> lines;

    /**
     * Reads the byte order mark, if there is one.
     *
     * @param in not closed
     * @throws CsvException if the file does not begin as UTF-8
     * @throws IOException if it can't be read
     */
    public CsvLines(InputStream in) throws IOException {
        BufferedReader text =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()), 1 << 16);
        try {
            skipByteOrderMark(text);
        } catch (CharacterCodingException _) {
            throw notUtf8();
        }
        quotes = new QuoteCheck(text);
        lines = reader().ofCsvRecord(quotes).iterator();
    }

    static CsvReader.CsvReaderBuilder reader() {
        return CsvReader.builder()
                .skipEmptyLines(true)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE);
    }

    private static void skipByteOrderMark(BufferedReader text) throws IOException {
        text.mark(1);
        if (text.read() != BYTE_ORDER_MARK) {
            text.reset();
        }
    }

    @Override
    public boolean hasNext() {
        try {
            return lines.hasNext();
        } catch (CsvParseException | UncheckedIOException e) {
            throw unreadable(e);
        }
    }

    @Override
    public CsvRecord next() {
        try {
            CsvRecord line = lines.next();
            if (quotes.isOpen(line.getStartingLineNumber())) {
                throw new CsvException(List.of("line " + line.getStartingLineNumber() + ": " + OPEN_QUOTE));
            }
            if (line.getStartingLineNumber() == 1) {
                requireCommas(line.getFields());
            }
            return line;
        } catch (CsvParseException | UncheckedIOException e) {
            throw unreadable(e);
        }
    }

    /** @throws CsvException if the columns of the first line are separated by semicolons or tabs */
    static void requireCommas(List<String> columns) {
        String header = columns.getFirst();
        if (columns.size() == 1 && (header.contains(";") || header.contains("\t"))) {
            throw new CsvException(List.of("line 1: Invalid separator of columns: "
                    + (header.contains(";") ? "semicolons" : "tabs") + ". Use commas."));
        }
    }

    private static RuntimeException unreadable(RuntimeException e) {
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof CharacterCodingException) {
                return notUtf8();
            }
            if (cause instanceof IOException io) {
                return new UncheckedIOException(io);
            }
        }
        return notCsv();
    }

    static CsvException notCsv() {
        return new CsvException(List.of(
                "Invalid CSV. Write a value with quotes or line breaks in quotes, and each of its quotes twice."));
    }

    static CsvException notUtf8() {
        return new CsvException(List.of("Invalid characters. Use UTF-8."));
    }
}
