package io.millrace.store.block;

import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of records.
 *
 * <p>Of the fixed layout, every byte of a record belongs to exactly one column: a field that shares no byte with
 * another is a column, and its null flag another one; fields that share bytes, such as bit fields of one word, form one
 * column together; so do the bytes between fields. The columns follow from the schema alone, so blocks need not
 * describe them.
 *
 * <p>Of records that vary in length, fields of at most 8 bytes in the schema's row are columns, and so are their null
 * flags. Schemas with the same fingerprint can have different fields, so each column has an id: the
 * {@linkplain Schema#fingerprint(Field) fingerprint} of the field, or the number after it for a null flag.
 *
 * <p>Immutable.
 */
public final class ColumnLayout {

    /** The interpretation of a column's bytes. */
    public enum Kind {
        /** A whole number of up to 8 bytes. */
        NUMBER,
        /** An IEEE 754 number of 8 bytes, as {@link FieldCondition#orderOf} its bits. */
        REAL,
        /** More than 8 bytes. */
        BYTES
    }

    /**
     * One column.
     *
     * @param at offset of its bytes in the record
     * @param bytes number of bytes
     * @param storage format of the number in them; unused for {@link Kind#BYTES}
     * @param field that these bytes represent, or null if they represent several or none
     */
    public record Column(
            int at,
            int bytes,
            Kind kind,
            IntStorage storage,
            @Nullable Field field) {

        public static Column of(int at, int end, @Nullable Field field) {
            int bytes = end - at;
            FieldType type = field == null ? null : field.type();
            if (type instanceof FieldType.FloatType(int width, var order) && width == Double.BYTES) {
                return new Column(at, bytes, Kind.REAL, IntStorage.of(bytes, true, order), field);
            }
            if (type instanceof FieldType.Numbered numbered) {
                return new Column(at, bytes, Kind.NUMBER, numbered.storage(), field);
            }
            return bytes <= Long.BYTES
                    ? new Column(at, bytes, Kind.NUMBER, IntStorage.of(bytes, false, ByteOrder.BIG_ENDIAN), field)
                    : new Column(at, bytes, Kind.BYTES, IntStorage.of(1, false, ByteOrder.BIG_ENDIAN), field);
        }

        /** Returns whether one of the numbers represents an absent value, and so usually lies far from all others. */
        boolean hasAbsent() {
            return field != null
                    && field.optional()
                    && !field.nullFlag()
                    && (kind == Kind.REAL || field.type() instanceof FieldType.Numbered);
        }

        /** Returns the number of the absent value; meaningful only if there {@linkplain #hasAbsent is} one. */
        long absent() {
            return field == null ? 0 : kind == Kind.REAL ? FieldCondition.orderOf(field.nullRaw()) : field.nullRaw();
        }

        /** Returns the digits after the decimal point of a whole number or decimal, or -1 if the number is neither. */
        int scale() {
            return switch (field == null ? null : field.type()) {
                case FieldType.IntegerType _ -> 0;
                case FieldType.DecimalType(var ignoredStorage, int scale) -> scale;
                case null, default -> -1;
            };
        }
    }

    private final int recordLength;
    private final List<Column> columns;
    private final Map<String, Integer> byField = new HashMap<>();
    /** Id of each column; empty if columns have none. */
    private final List<Long> ids = new ArrayList<>();

    private final Map<Long, Integer> byId = new HashMap<>();

    private ColumnLayout(int recordLength, List<Column> columns) {
        this.recordLength = recordLength;
        this.columns = List.copyOf(columns);
    }

    /**
     * Returns the columns of records.
     *
     * @param schema of stored records; if they vary in length, with the fields in its row that are to be columns
     */
    public static ColumnLayout of(Schema schema) {
        return schema.layout().variesInLength() ? ofRow(schema) : ofRecord(schema);
    }

    private static ColumnLayout ofRow(Schema schema) {
        StoredForm form = StoredForms.of(schema);
        List<Column> columns = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        Map<String, Integer> byField = new HashMap<>();
        for (Field field : schema.fields()) {
            if (form.hasColumn(field)) {
                Field alone = isWhole(field) ? field : null;
                boolean nullFlag = alone != null && alone.nullFlag();
                long id = schema.fingerprint(field);
                byField.put(field.name(), columns.size());
                columns.add(Column.of(field.offset(), nullFlag ? field.nullFlagAt() : field.end(), alone));
                ids.add(id);
                if (nullFlag) {
                    columns.add(Column.of(field.nullFlagAt(), field.end(), null));
                    ids.add(id + 1);
                }
            }
        }
        ColumnLayout layout = new ColumnLayout(schema.recordLength(), columns);
        layout.byField.putAll(byField);
        layout.ids.addAll(ids);
        for (int i = 0; i < ids.size(); i++) {
            layout.byId.put(ids.get(i), i);
        }
        return layout;
    }

    private static ColumnLayout ofRecord(Schema schema) {
        List<Field> fields = schema.fields().stream()
                .sorted(Comparator.comparingInt(Field::offset).thenComparing(Field::name))
                .toList();
        List<Column> columns = new ArrayList<>();
        List<List<Field>> members = new ArrayList<>();
        int end = 0;
        for (int i = 0; i < fields.size(); ) {
            int at = fields.get(i).offset();
            if (at > end) {
                columns.add(Column.of(end, at, null));
                members.add(List.of());
            }
            int first = i;
            end = fields.get(i).end();
            for (i++; i < fields.size() && fields.get(i).offset() < end; i++) {
                end = Math.max(end, fields.get(i).end());
            }
            Field alone = i - first == 1 && isWhole(fields.get(first)) ? fields.get(first) : null;
            boolean nullFlag = alone != null && alone.nullFlag();
            columns.add(Column.of(at, nullFlag ? end - 1 : end, alone));
            members.add(fields.subList(first, i));
            if (nullFlag) {
                columns.add(Column.of(end - 1, end, null));
                members.add(List.of());
            }
        }
        if (end < schema.recordLength()) {
            columns.add(Column.of(end, schema.recordLength(), null));
            members.add(List.of());
        }
        ColumnLayout layout = new ColumnLayout(schema.recordLength(), columns);
        for (int i = 0; i < members.size(); i++) {
            for (Field field : members.get(i)) {
                layout.byField.put(field.name(), i);
            }
        }
        return layout;
    }

    private static boolean isWhole(Field field) {
        return !(field.type() instanceof FieldType.Numbered numbered)
                || numbered.storage().wholeWord();
    }

    int recordLength() {
        return recordLength;
    }

    /** Returns the columns, in the order of their offsets. */
    public List<Column> columns() {
        return columns;
    }

    /** Returns whether columns have ids. */
    public boolean hasIds() {
        return !ids.isEmpty();
    }

    /** Returns the id of a column. */
    long id(int index) {
        return ids.get(index);
    }

    /**
     * Returns the index of the column with an id, or -1.
     *
     * @param expected index that it probably has
     */
    int indexOf(long id, int expected) {
        return expected < ids.size() && ids.get(expected) == id ? expected : byId.getOrDefault(id, -1);
    }

    /** Returns whether a column contains a field. */
    public boolean contains(String field) {
        return byField.containsKey(field);
    }

    /** Returns the index of the column that contains a field, perhaps with others. */
    public int indexOf(String field) {
        Integer index = byField.get(field);
        if (index == null) {
            throw new IllegalArgumentException("Unknown field '" + field + "'. Use a field that has a column.");
        }
        return index;
    }

    /**
     * Returns the indexes of the columns that contain a field: that of its value and, if separate, that of its null
     * flag.
     */
    public IntStream indexesOf(String field) {
        int index = indexOf(field);
        Field alone = columns.get(index).field();
        return alone != null && alone.nullFlag() ? IntStream.of(index, index + 1) : IntStream.of(index);
    }

    /** Returns whether a field is a column by itself whose numbers are those of tests. */
    public boolean testable(Field field) {
        return FieldCondition.able(field)
                && contains(field.name())
                && columns.get(indexOf(field.name())).field() != null;
    }
}
