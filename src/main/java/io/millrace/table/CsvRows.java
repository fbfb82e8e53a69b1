package io.millrace.table;

import io.millrace.codec.text.csv.CsvLines;
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
            List<String> titles = lines.header();
            if (titles.isEmpty()) {
                return;
            }
            long header = lines.number();
            twice(titles).forEach(title -> sink.problem(header, "Duplicate column '" + title + "'. Remove one."));
            sink.titles(titles);
            while (!sink.isFull() && lines.next()) {
                String problem = lines.problem();
                if (problem != null) {
                    sink.problem(lines.number(), problem);
                } else if (lines.values().size() != titles.size()) {
                    sink.problem(
                            lines.number(),
                            "Invalid number of columns: " + lines.values().size() + ". Write " + titles.size()
                                    + ", as in the header.");
                } else {
                    sink.line(lines.number(), values(lines.values()));
                }
            }
        }
    }

    /** An empty value is absent: CSV does not distinguish the two. */
    private static List<@Nullable String> values(List<String> line) {
        List<@Nullable String> values = new ArrayList<>();
        for (String value : line) {
            values.add(value.isEmpty() ? null : value);
        }
        return values;
    }
}
