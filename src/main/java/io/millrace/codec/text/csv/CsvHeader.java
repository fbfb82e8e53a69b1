package io.millrace.codec.text.csv;

import io.millrace.codec.RecordCodec;
import io.millrace.codec.text.CsvException;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Maps the columns of a CSV file to fields. The title of a column is the label or name of a field, ignoring case.
 * Columns may have any order, with exactly one for each field. In the compact layout, optional fields need no column.
 */
final class CsvHeader {

    private final List<String> columns;
    private final List<CsvColumns.Column> fields = new ArrayList<>();

    private CsvHeader(List<String> columns) {
        this.columns = columns;
    }

    /**
     * Matches the header of a file with the fields of a schema.
     *
     * @param line its number
     * @throws CsvException if columns are unknown, duplicate or missing; the message names all of them
     */
    static CsvHeader match(long line, List<String> columns, RecordCodec codec) {
        String place = "line " + line + ": ";
        CsvHeader header = new CsvHeader(List.copyOf(columns));
        List<CsvColumns.Column> fields = CsvColumns.of(codec);
        Map<String, CsvColumns.Column> known = headings(fields);
        Map<CsvColumns.Column, Integer> taken = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            CsvColumns.Column field = known.get(key(column));
            Integer first = field == null ? null : taken.putIfAbsent(field, i + 1);
            if (field == null) {
                problems.add(place
                        + (CsvColumns.isOfList(column.strip(), codec.schema())
                                ? "Invalid column " + (i + 1) + ": '" + column
                                        + "' is a list, or in a list. Use JSON lines."
                                : "Unknown column " + (i + 1) + ": '" + column + "'"
                                        + NearestName.hint(key(column), new TreeSet<>(known.keySet()))));
            } else if (first != null) {
                problems.add(place + "Duplicate column " + (i + 1) + ": '" + column + "' is column " + first
                        + " too. Remove one.");
            } else {
                header.fields.add(field);
            }
        }
        if (taken.isEmpty()) {
            throw missing(line, codec);
        }
        boolean all = !codec.schema().layout().nests();
        for (CsvColumns.Column column : fields) {
            Field field = column.codec().field();
            if (!taken.containsKey(column) && (all || !field.optional())) {
                problems.add(place + "Missing column '" + field.label() + "'. Add it.");
            }
        }
        if (!problems.isEmpty()) {
            throw new CsvException(problems);
        }
        return header;
    }

    /** Returns the error for a file without a header. */
    static CsvException missing(long line, RecordCodec codec) {
        return new CsvException(List.of("line " + line + ": Missing header of schema '"
                + codec.schema().name() + "'. Write the names of the columns: "
                + CsvColumns.of(codec).stream()
                        .map(column -> column.codec().field().label())
                        .collect(Collectors.joining(","))));
    }

    /** Returns the fields by title. If the label of one field is the name of another, the label applies. */
    private static Map<String, CsvColumns.Column> headings(List<CsvColumns.Column> fields) {
        Map<String, CsvColumns.Column> known = new LinkedHashMap<>();
        fields.forEach(field -> known.putIfAbsent(key(field.codec().field().label()), field));
        fields.forEach(field -> known.putIfAbsent(key(field.codec().field().name()), field));
        return known;
    }

    private static String key(String heading) {
        return heading.strip().toLowerCase(Locale.ROOT);
    }

    List<String> columns() {
        return columns;
    }

    /** Returns the field of a column. */
    CsvColumns.Column columnAt(int column) {
        return fields.get(column);
    }

    int size() {
        return columns.size();
    }

    /** Returns an error if the number of values in a line is wrong, or null. */
    @Nullable
    String countProblem(int values) {
        return values == size()
                ? null
                : "Invalid number of columns: " + values + ". Write " + size() + ", as in the header.";
    }
}
