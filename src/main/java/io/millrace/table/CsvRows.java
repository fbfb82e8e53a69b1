package io.millrace.table;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.millrace.codec.text.CsvLines;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in a CSV file with a header line. */
final class CsvRows extends TextRows {

    private final SourceFile file;

    CsvRows(SourceFile file) {
        this.file = file;
    }

    @Override
    void lines(LineSink sink) throws IOException {
        try (InputStream in = file.open()) {
            CsvLines lines = new CsvLines(in);
            if (!lines.hasNext()) {
                return;
            }
            List<String> titles = lines.next().getFields();
            twice(titles).forEach(title -> sink.problem(1, "Duplicate column '" + title + "'. Remove one."));
            sink.titles(titles);
            while (lines.hasNext() && !sink.isFull()) {
                CsvRecord line = lines.next();
                if (line.getFieldCount() != titles.size()) {
                    sink.problem(
                            line.getStartingLineNumber(),
                            "Invalid number of columns: " + line.getFieldCount() + ". Write " + titles.size()
                                    + ", as in the header.");
                } else {
                    sink.line(line.getStartingLineNumber(), values(line));
                }
            }
        }
    }

    /** An empty value is absent: CSV does not distinguish the two. */
    private static List<@Nullable String> values(CsvRecord line) {
        List<@Nullable String> values = new ArrayList<>();
        for (String value : line.getFields()) {
            values.add(value.isEmpty() ? null : value);
        }
        return values;
    }
}
