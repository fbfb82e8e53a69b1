package io.millrace.table;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a text file, whose values are texts in columns with titles. A title is a field's label or name, in any case.
 */
abstract class TextRows implements RowSource {

    /** Reads all lines. */
    abstract void lines(LineSink sink) throws IOException;

    @Override
    public final Schema infer(String name, List<String> problems) throws IOException {
        ColumnTypes types = new ColumnTypes(problems);
        lines(types);
        return types.schema(name);
    }

    @Override
    public final void read(Schema schema, Sink sink) throws IOException {
        lines(new Writer(RecordCodec.of(schema), sink));
    }

    /** Converts lines to rows. */
    private static final class Writer implements LineSink {

        private final RecordCodec codec;
        private final Sink sink;
        private final Map<FieldCodec, Integer> columns = new LinkedHashMap<>();
        private final byte[] row;
        private final byte[] blank;

        Writer(RecordCodec codec, Sink sink) {
            this.codec = codec;
            this.sink = sink;
            this.row = new byte[codec.schema().recordLength()];
            this.blank = new byte[row.length];
        }

        @Override
        public void titles(List<String> titles) {
            for (FieldCodec field : codec.codecs()) {
                int column = 0;
                while (column < titles.size() && !isTitleOf(titles.get(column), field.field())) {
                    column++;
                }
                if (column == titles.size()) {
                    sink.problem(
                            null,
                            "Missing column for field '" + field.field().name() + "'"
                                    + NearestName.hint(field.field().name(), titles));
                } else {
                    columns.put(field, column);
                }
            }
        }

        private static boolean isTitleOf(String title, Field field) {
            return title.equalsIgnoreCase(field.label()) || title.equalsIgnoreCase(field.name());
        }

        @Override
        public void line(long line, List<@Nullable String> values) throws IOException {
            System.arraycopy(blank, 0, row, 0, row.length);
            boolean[] whole = {true};
            columns.forEach((field, column) -> {
                try {
                    write(field, row, values.get(column));
                } catch (FieldValueException e) {
                    sink.problem(line, e.getMessage());
                    whole[0] = false;
                }
            });
            if (whole[0]) {
                sink.row(line, row);
            }
        }

        /** Writes a value. An empty text is written as a value if the field can distinguish it from an absent one. */
        private static void write(FieldCodec codec, byte[] row, @Nullable String value) {
            if (value != null && value.isEmpty() && holdsEmptyText(codec.field())) {
                codec.setValue(row, 0, value);
            } else {
                codec.setText(row, 0, value == null ? "" : value);
            }
        }

        private static boolean holdsEmptyText(Field field) {
            return field.nullFlag()
                    && (field.type() instanceof FieldType.StringType
                            || (field.type() instanceof FieldType.EnumType names
                                    && names.dictionary().code("") >= 0));
        }

        @Override
        public void problem(long line, String problem) {
            sink.problem(line, problem);
        }

        @Override
        public boolean isFull() {
            return sink.isFull();
        }
    }

    /** Returns the titles that occur more than once. */
    static List<String> twice(List<String> titles) {
        List<String> twice = new ArrayList<>();
        for (int i = 0; i < titles.size(); i++) {
            if (titles.indexOf(titles.get(i)) < i) {
                twice.add(titles.get(i));
            }
        }
        return twice;
    }
}
