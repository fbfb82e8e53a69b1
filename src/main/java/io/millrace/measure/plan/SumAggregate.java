package io.millrace.measure.plan;

import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupAggregate;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sum of all present values. A sum that exceeds the field's range is absent in the field. */
record SumAggregate(GroupAggregate accumulator) implements Aggregate {

    private static final double TWO_TO_64 = 0x1p64;

    private Column column() {
        return Objects.requireNonNull(accumulator.column());
    }

    @Override
    public FieldType type() {
        return switch (column().type()) {
            case FieldType.FloatType _ -> REAL;
            case FieldType.DecimalType(var ignoredStorage, int scale) -> new FieldType.DecimalType(WHOLE, scale);
            default -> new FieldType.IntegerType(WHOLE);
        };
    }

    @Override
    public boolean optional() {
        return true;
    }

    private long low(GroupCursor group) {
        return group.accumulators()[group.from() + accumulator.at()];
    }

    private long high(GroupCursor group) {
        return group.accumulators()[group.from() + accumulator.at() + 1];
    }

    private boolean fits(GroupCursor group) {
        return high(group) == low(group) >> 63;
    }

    private boolean none(GroupCursor group) {
        return accumulator.none(group.accumulators(), group.from());
    }

    @Override
    public long raw(GroupCursor group) {
        return column().real() && none(group) ? Field.defaultNullRaw(REAL) : low(group);
    }

    @Override
    public boolean absent(GroupCursor group) {
        return none(group) || !(column().real() || fits(group));
    }

    @Override
    public double real(GroupCursor group) {
        if (none(group)) {
            return Double.NaN;
        }
        long low = low(group);
        if (column().real()) {
            return Double.longBitsToDouble(low);
        }
        double whole = fits(group) ? low : high(group) * TWO_TO_64 + (low >>> 1) * 2.0 + (low & 1);
        return whole / Math.pow(10, column().scale());
    }

    /** Returns the exact number if it exceeds the field's range, or null if the field can store it. */
    @Nullable
    BigDecimal wide(GroupCursor group) {
        return column().real() || fits(group)
                ? null
                : new BigDecimal(accumulator.exactSum(group.accumulators(), group.from()), column().scale());
    }
}
