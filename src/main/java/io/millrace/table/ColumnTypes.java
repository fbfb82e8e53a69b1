package io.millrace.table;

import io.millrace.regex.TextPattern;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Infers a schema for rows that come without one. A column holds integers, else decimals, else text as wide as the
 * widest value.
 */
final class ColumnTypes implements LineSink {

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);

    /** A number with leading zeros is read as text, since a number would lose them. */
    private static final TextPattern WHOLE = TextPattern.of("-?([1-9]\\d{0,17}|0)", StandardCharsets.UTF_8);

    private static final TextPattern DECIMAL =
            TextPattern.of("-?([1-9]\\d{0,11}|0)(\\.\\d{1,6})?", StandardCharsets.UTF_8);

    private static final int MAX_PROBLEMS = 20;

    private final List<String> problems;
    private final List<Column> columns = new ArrayList<>();

    /** @param problems receives one problem per entry, each with its line */
    ColumnTypes(List<String> problems) {
        this.problems = problems;
    }

    @Override
    public void titles(List<String> titles) {
        titles.forEach(title -> columns.add(new Column(title)));
    }

    @Override
    public void line(long line, List<@Nullable String> values) {
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).see(values.get(i));
        }
    }

    @Override
    public void problem(long line, String problem) {
        if (!isFull()) {
            problems.add("line " + line + ": " + problem);
        }
    }

    @Override
    public boolean isFull() {
        return problems.size() >= MAX_PROBLEMS;
    }

    /** Returns the schema that fits all lines read. */
    Schema schema(String name) {
        List<Field> fields = new ArrayList<>();
        int offset = 0;
        for (Column column : columns) {
            Field field = Field.of(column.title, column.type(), offset);
            if (fields.stream().noneMatch(other -> other.name().equals(field.name()))) {
                fields.add(field);
                offset = field.end();
            }
        }
        return new Schema(name, offset, fields, List.of());
    }

    /** The type that all values of a column have in common. */
    private static final class Column {

        private final String title;
        private boolean any;
        private boolean whole = true;
        private boolean decimal = true;
        private int scale;
        private int width;

        Column(String title) {
            this.title = title;
        }

        void see(@Nullable String value) {
            if (value == null || value.isEmpty()) {
                return;
            }
            any = true;
            if (decimal) {
                whole = whole && WHOLE.matches(value);
                decimal = whole || DECIMAL.matches(value);
                int point = value.indexOf('.');
                scale = Math.max(scale, point < 0 ? 0 : value.length() - point - 1);
            }
            width = Math.max(width, value.getBytes(StandardCharsets.UTF_8).length);
        }

        FieldType type() {
            if (any && whole) {
                return new FieldType.IntegerType(I64);
            }
            return any && decimal
                    ? new FieldType.DecimalType(I64, scale)
                    : new FieldType.StringType(Math.max(1, width), StandardCharsets.UTF_8, (byte) 0);
        }
    }
}
