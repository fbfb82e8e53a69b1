package io.millrace.measure.plan;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupAggregate;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.util.Objects;

/** The minimum or maximum of all present values. */
record ExtremeAggregate(GroupAggregate accumulator) implements Aggregate {

    private Column column() {
        return Objects.requireNonNull(accumulator.column());
    }

    @Override
    public FieldType type() {
        return switch (column().type()) {
            case FieldType.DecimalType(var ignoredStorage, int scale) -> new FieldType.DecimalType(WHOLE, scale);
            case FieldType.InstantType(var ignoredStorage, var unit) -> new FieldType.InstantType(WHOLE, unit);
            case FieldType.DateType _ -> new FieldType.DateType(WHOLE);
            case FieldType.FloatType(int bytes, var ignoredOrder) -> bytes == Float.BYTES ? REAL_OF_4_BYTES : REAL;
            default -> new FieldType.IntegerType(WHOLE);
        };
    }

    @Override
    public boolean optional() {
        return true;
    }

    @Override
    public long raw(GroupCursor group) {
        long number = group.accumulators()[group.from() + accumulator.at()];
        if (!column().real()) {
            return number;
        }
        if (absent(group)) {
            return Field.defaultNullRaw(type());
        }
        long bits = FieldCondition.orderOf(number);
        return type().bytes() == Float.BYTES
                ? Integer.toUnsignedLong(Float.floatToRawIntBits((float) Double.longBitsToDouble(bits)))
                : bits;
    }

    @Override
    public boolean absent(GroupCursor group) {
        return accumulator.none(group.accumulators(), group.from());
    }

    @Override
    public double real(GroupCursor group) {
        if (absent(group)) {
            return Double.NaN;
        }
        long number = group.accumulators()[group.from() + accumulator.at()];
        return switch (column().type()) {
            case FieldType.FloatType _ -> Double.longBitsToDouble(FieldCondition.orderOf(number));
            case FieldType.IntegerType _, FieldType.DecimalType _ -> number / Math.pow(10, column().scale());
            default -> Double.NaN;
        };
    }
}
