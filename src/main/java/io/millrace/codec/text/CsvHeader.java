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
import org.jspecify.annotations.Nullable;

/**
 * Which column of a CSV file holds which field. A column is headed by the field's label or name, in any case; columns
 * stand in any order, each field in exactly one.
 */
final class CsvHeader {

    private final List<String> columns;
    private final List<FieldCodec> codecs = new ArrayList<>();

    private CsvHeader(List<String> columns) {
        this.columns = columns;
    }

    /**
     * Matches a file's first line with a schema's fields.
     *
     * @throws CsvException naming all columns that are unknown, stand twice, or are missing
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
                problems.add("line 1, column " + (i + 1) + ": '" + column + "' heads no field"
                        + NearestName.hint(key(column), new TreeSet<>(known.keySet())));
            } else if (first != null) {
                problems.add("line 1, column " + (i + 1) + ": '" + column + "' stands twice, first in column " + first);
            } else {
                header.codecs.add(field);
            }
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

    /** Labels win over names, where the label of one field is the name of another. */
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

    /** The codec of a column's field. */
    FieldCodec codec(int column) {
        return codecs.get(column);
    }

    int size() {
        return columns.size();
    }

    /** What is wrong with how many values a line has, or null. */
    @Nullable
    String countProblem(int values) {
        return values == size() ? null : "has " + values + " columns, the header has " + size();
    }
}
