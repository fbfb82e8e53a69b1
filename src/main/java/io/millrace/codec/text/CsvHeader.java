package io.millrace.codec.text;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
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
 * Columns may have any order, with exactly one for each field.
 */
final class CsvHeader {

    private final List<String> columns;
    private final List<FieldCodec> codecs = new ArrayList<>();

    private CsvHeader(List<String> columns) {
        this.columns = columns;
    }

    /**
     * Matches the first line of a file with the fields of a schema.
     *
     * @throws CsvException if columns are unknown, duplicate or missing; the message names all of them
     */
    static CsvHeader match(List<String> columns, RecordCodec codec) {
        CsvHeader header = new CsvHeader(List.copyOf(columns));
        Map<String, FieldCodec> known = headings(codec);
        Map<FieldCodec, Integer> taken = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            FieldCodec field = known.get(key(column));
            Integer first = field == null ? null : taken.putIfAbsent(field, i + 1);
            if (field == null) {
                problems.add("line 1, column " + (i + 1) + ": '" + column + "' is not a field"
                        + NearestName.hint(key(column), new TreeSet<>(known.keySet())));
            } else if (first != null) {
                problems.add(
                        "line 1, column " + (i + 1) + ": '" + column + "' appears twice, first in column " + first);
            } else {
                header.codecs.add(field);
            }
        }
        if (taken.isEmpty()) {
            throw new CsvException(List.of(
                    "line 1 is not a header of schema '" + codec.schema().name()
                            + "'. Write the names of the columns: "
                            + codec.codecs().stream()
                                    .map(field -> field.field().label())
                                    .collect(Collectors.joining(","))));
        }
        for (FieldCodec field : codec.codecs()) {
            if (!taken.containsKey(field)) {
                problems.add("line 1: column '" + field.field().label() + "' is missing");
            }
        }
        if (!problems.isEmpty()) {
            throw new CsvException(problems);
        }
        return header;
    }

    /** Returns the fields by title. If the label of one field is the name of another, the label applies. */
    private static Map<String, FieldCodec> headings(RecordCodec codec) {
        Map<String, FieldCodec> known = new LinkedHashMap<>();
        codec.codecs().forEach(field -> known.putIfAbsent(key(field.field().label()), field));
        codec.codecs().forEach(field -> known.putIfAbsent(key(field.field().name()), field));
        return known;
    }

    private static String key(String heading) {
        return heading.strip().toLowerCase(Locale.ROOT);
    }

    List<String> columns() {
        return columns;
    }

    /** Returns the codec of a column's field. */
    FieldCodec codec(int column) {
        return codecs.get(column);
    }

    int size() {
        return columns.size();
    }

    /** Returns an error if the number of values in a line is wrong, or null. */
    @Nullable
    String countProblem(int values) {
        return values == size() ? null : "has " + values + " columns, the header has " + size();
    }
}
