package io.millrace.codec.text.csv;

import io.millrace.codec.RecordCodec;
import io.millrace.codec.text.CsvException;
import io.millrace.codec.text.LineSplitter;
import io.millrace.codec.text.RecordText;
import io.millrace.codec.text.RowSink;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CSV as {@link CsvLines} reads it, line by line, so that reading can begin at any line. Not thread-safe. */
public final class CsvText implements RecordText {

    private static final int MAX_BYTES = 1 << 20;

    private final RecordCodec codec;
    private final CsvCells cells = new CsvCells();
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
    public boolean quotes() {
        return true;
    }

    /** Returns false: the last value of a line may continue until the line ends. */
    @Override
    public boolean endsItself() {
        return false;
    }

    @Override
    public boolean readHead(LineSplitter lines) throws IOException {
        lines.skipByteOrderMark();
        LineSplitter.Next next = lines.next();
        while (next == LineSplitter.Next.LINE && lines.isEmpty()) {
            lines.consume();
            next = lines.next();
        }
        if (next == LineSplitter.Next.TOO_LONG) {
            throw new CsvException(List.of("line " + lines.number() + ": " + lines.lengthProblem()));
        }
        if (next == LineSplitter.Next.LINE) {
            values = new CsvToRow(lines.number(), header(lines), codec);
            lines.consume();
            return true;
        }
        if (!lines.mayGrow()) {
            throw CsvHeader.missing(lines.number(), codec);
        }
        return false;
    }

    private List<String> header(LineSplitter lines) {
        List<String> columns;
        try {
            columns = cells.split(lines.bytes(), lines.start(), lines.length());
        } catch (CsvException e) {
            throw new CsvException(List.of("line " + lines.number() + ": " + e.getMessage()));
        }
        CsvLines.requireCommas(lines.number(), columns);
        return columns;
    }

    @Override
    public List<String> read(byte[] bytes, int from, int length, RowSink records) throws IOException {
        CsvToRow columns = values;
        if (columns == null) {
            throw new IllegalStateException("The header has not been read.");
        }
        if (length == 0) {
            return List.of();
        }
        try {
            return columns.read(cells.split(bytes, from, length), records);
        } catch (CsvException e) {
            return e.problems();
        }
    }
}
