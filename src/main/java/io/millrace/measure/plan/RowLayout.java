package io.millrace.measure.plan;

import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The binary layout of a measure's rows. A row is a record of fixed layout. While formulas and alerts read it, added
 * fields contain doubles: one for each aggregate in a formula, then one for each value.
 *
 * <pre>
 * row      | start i64 | end i64 | others u8 | keys ... | values ... |
 * added    | aggregate 0 f64 | aggregate 1 f64 | ... | value 0 f64 | value 1 f64 | ... |
 * </pre>
 *
 * Immutable.
 *
 * @param row schema of a row without added fields
 * @param formulas schema for formulas: aggregates have their placeholder names
 * @param conditions schema for conditions on rows: values that are numbers are doubles
 */
record RowLayout(Schema row, Schema formulas, Schema conditions) {

    static final String START = "start";
    static final String END = "end";
    static final String OTHERS = "others";

    /** Names of the fields that every row has. */
    static final List<String> OWN = List.of(START, END, OTHERS);

    private static final FieldType MOMENT = new FieldType.InstantType(Aggregate.WHOLE, TimeUnit.MILLISECONDS);

    /**
     * Creates the layout of rows.
     *
     * @param name name of the schema
     * @param accumulators placeholder names of the aggregates in formulas
     */
    static RowLayout of(String name, List<Field> keys, List<String> accumulators, List<Field> values) {
        Schema row = new Schema(name, 0, List.of(), List.of())
                .extend(Field.of(START, MOMENT, 0))
                .extend(Field.of(END, MOMENT, 0))
                .extend(Field.of(OTHERS, new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)), 0));
        for (Field key : keys) {
            row = row.extend(key);
        }
        for (Field value : values) {
            row = row.extend(value);
        }
        row = row.stored();
        List<Field> untouched = new ArrayList<>(row.fields());
        values.stream()
                .filter(value -> Aggregate.isNumber(value.type()))
                .forEach(value -> untouched.removeIf(field -> field.name().equals(value.name())));
        Schema formulas = row;
        Schema conditions = new Schema(name, row.recordLength(), untouched, List.of());
        for (String accumulator : accumulators) {
            formulas = formulas.extend(Field.of(accumulator, Aggregate.REAL, 0));
            conditions = conditions.extend(Field.of(accumulator, Aggregate.REAL, 0));
        }
        for (int i = 0; i < values.size(); i++) {
            boolean number = Aggregate.isNumber(values.get(i).type());
            formulas = formulas.extend(Field.of("$value" + i, Aggregate.REAL, 0));
            conditions = conditions.extend(Field.of(number ? values.get(i).name() : "$value" + i, Aggregate.REAL, 0));
        }
        return new RowLayout(row, formulas, conditions);
    }

    /** Returns a field of every row. */
    Field field(String name) {
        Field field = row.field(name);
        if (field == null) {
            throw new IllegalArgumentException("Unknown field '" + name + "' in rows of measure '" + row.name() + "'.");
        }
        return field;
    }
}
