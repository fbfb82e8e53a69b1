package io.millrace.expression.bytecode;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType.Basic;
import java.util.Optional;

/**
 * A comparison of a double with a constant, as a range of {@linkplain #key keys}: longs can be compared without a
 * branch, doubles can't. NaN is outside every range.
 *
 * @param value the double
 * @param from smallest key, inclusive
 * @param to largest key, exclusive
 */
record Bound(Ir value, long from, long to) {

    private static final long BELOW_ALL = key(Double.NEGATIVE_INFINITY);
    private static final long ABOVE_ALL = key(Double.POSITIVE_INFINITY) + 1;

    /** Returns the range that is equivalent to a comparison; empty if there is none. */
    static Optional<Bound> of(Ir.Comparison comparison) {
        if (comparison.total()) {
            return Optional.empty();
        }
        if (comparison.right() instanceof Ir.Real(double bound, var ignoredDecimal)) {
            return of(comparison.relation(), comparison.left(), bound);
        }
        if (comparison.left() instanceof Ir.Real(double bound, var ignoredDecimal)) {
            return of(comparison.relation().flipped(), comparison.right(), bound);
        }
        return Optional.empty();
    }

    private static Optional<Bound> of(Relation relation, Ir value, double bound) {
        if (value.type() != Basic.DOUBLE || value.optional() || value instanceof Ir.Real || Double.isNaN(bound)) {
            return Optional.empty();
        }
        // The two zeros are equal, so each range contains both or neither.
        long lowest = key(bound == 0 ? -0.0 : bound);
        long highest = key(bound == 0 ? 0.0 : bound);
        return switch (relation) {
            case LT -> Optional.of(new Bound(value, BELOW_ALL, lowest));
            case LE -> Optional.of(new Bound(value, BELOW_ALL, highest + 1));
            case GT -> Optional.of(new Bound(value, highest + 1, ABOVE_ALL));
            case GE -> Optional.of(new Bound(value, lowest, ABOVE_ALL));
            case EQ, NE -> Optional.empty();
        };
    }

    /** Returns a long that is ordered like the double, negative zero directly before positive zero. */
    static long key(double value) {
        long bits = Double.doubleToRawLongBits(value);
        return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }
}
