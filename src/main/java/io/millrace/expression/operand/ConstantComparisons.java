package io.millrace.expression.operand;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Comparisons of a value with a constant in its raw form. */
public final class ConstantComparisons {

    private ConstantComparisons() {}

    /**
     * Compares a long with a constant that need not be whole. No long lies between the constant and its floor, so the
     * floor replaces it. A constant past the range of long is replaced by the end of the range, so that the value is
     * still computed and absence still counts.
     *
     * @param constant in the units of the value
     */
    public static Ir of(Relation relation, Ir value, BigDecimal constant) {
        BigInteger floor = constant.setScale(0, RoundingMode.FLOOR).toBigInteger();
        boolean whole = constant.compareTo(new BigDecimal(floor)) == 0;
        boolean fits = floor.bitLength() <= 63;
        if (whole && fits) {
            return of(relation, value, floor.longValueExact());
        }
        return switch (relation) {
            case EQ -> never(value);
            case NE -> of(Relation.LE, value, Long.MAX_VALUE);
            case LT, LE ->
                fits
                        ? of(Relation.LE, value, floor.longValueExact())
                        : floor.signum() > 0
                                ? of(Relation.LE, value, Long.MAX_VALUE)
                                : of(Relation.LT, value, Long.MIN_VALUE);
            case GT, GE ->
                fits
                        ? of(Relation.GT, value, floor.longValueExact())
                        : floor.signum() > 0 ? never(value) : of(Relation.GE, value, Long.MIN_VALUE);
        };
    }

    /** Returns a comparison that holds for no value, and not for an absent one. */
    public static Ir never(Ir value) {
        return of(Relation.GT, value, Long.MAX_VALUE);
    }

    /** Compares a value with a constant in its raw form. */
    public static Ir of(Relation relation, Ir value, long constant) {
        return new Ir.Comparison(relation, value, new Ir.Constant(value.type(), constant), false);
    }
}
