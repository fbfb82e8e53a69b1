package io.millrace.codec.text.csv;

import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.StreamWindow;
import io.millrace.codec.text.UnreadableText;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a CSV file: RFC 4180, UTF-8 with or without a byte order mark, split by a {@link LineSplitter}. Empty
 * lines are skipped. A line may have more or fewer values than the header, which the caller has to check. Not
 * thread-safe.
 */
public final class CsvLines {

    /** Maximum length of a line in bytes. */
    static final int MAX_LINE_BYTES = 1 << 24;

    private final LineSplitter lines;
    private final CsvCells cells = new CsvCells();
    private List<String> values = List.of();
    private @Nullable String problem;
    private boolean begun;
    private long number;

    /**
     * @param in a file that does not grow; not closed
     * @throws IOException if it can't be read
     */
    public CsvLines(InputStream in) throws IOException {
        lines = new LineSplitter(new StreamWindow(in), true, true, MAX_LINE_BYTES);
        lines.skipByteOrderMark();
    }

    /**
     * Reads the header, which is the first line.
     *
     * @return the column headings; an empty list if the file has no lines
     * @throws CsvException if it is not CSV in UTF-8 or too long, or its columns are separated by semicolons or tabs
     * @throws IOException if it can't be read
     */
    public List<String> header() throws IOException {
        if (!next()) {
            return List.of();
        }
        if (problem != null) {
            throw new CsvException(List.of("line " + number + ": " + problem));
        }
        requireCommas(number, values);
        return values;
    }

    /**
     * Reads the next line that is not empty, and returns whether there is one.
     *
     * @throws IOException if it can't be read
     */
    public boolean next() throws IOException {
        if (begun) {
            lines.consume();
        }
        begun = true;
        LineSplitter.Next next = lines.next();
        while (next == LineSplitter.Next.LINE && lines.isEmpty()) {
            lines.consume();
            next = lines.next();
        }
        number = lines.number();
        if (next == LineSplitter.Next.END) {
            begun = false;
            return false;
        }
        split(next == LineSplitter.Next.TOO_LONG ? lines.lengthProblem() : null);
        return true;
    }

    private void split(@Nullable String lengthProblem) {
        problem = lengthProblem;
        try {
            values = problem == null ? cells.split(lines.bytes(), lines.start(), lines.length()) : List.of();
        } catch (CsvException e) {
            problem = e.getMessage();
        }
        if (problem != null) {
            values = List.of(UnreadableText.of(lines.bytes(), lines.start(), lines.length()));
        }
    }

    /** @throws CsvException if the columns of the header are separated by semicolons or tabs */
    static void requireCommas(long line, List<String> columns) {
        String header = columns.getFirst();
        if (columns.size() == 1 && (header.contains(";") || header.contains("\t"))) {
            throw new CsvException(List.of("line " + line + ": Invalid separator of columns: "
                    + (header.contains(";") ? "semicolons" : "tabs") + ". Use commas."));
        }
    }

    /** Returns the number of the line, or of the first one if values contain line breaks, from 1. */
    public long number() {
        return number;
    }

    /** Returns why the line is not CSV in UTF-8, or that it is too long; null if it can be read. */
    public @Nullable String problem() {
        return problem;
    }

    /**
     * Returns the values of the line, without their quotes; if it has a problem, its text as the only value, of which a
     * line that is too long has only the beginning.
     */
    public List<String> values() {
        return values;
    }
}
