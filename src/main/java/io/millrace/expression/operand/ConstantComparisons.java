package io.millrace.expression.operand;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Comparisons of a value with a constant in its raw form. */
public final class ConstantComparisons {

    private ConstantComparisons() {}

    /**
     * Compares a long with a constant that need not be whole. No long lies between the constant and its floor, so the
     * floor replaces it. A constant past the range of the value's longs is replaced by the end of the range, so that
     * the value is still computed and absence still counts.
     *
     * @param constant in the units of the value
     */
    public static Ir of(Relation relation, Ir value, BigDecimal constant) {
        BigInteger floor = constant.setScale(0, RoundingMode.FLOOR).toBigInteger();
        boolean whole = constant.compareTo(new BigDecimal(floor)) == 0;
        boolean fits = floor.bitLength() <= bits(value);
        if (whole && fits) {
            return of(relation, value, floor);
        }
        return switch (relation) {
            case EQ -> never(value);
            case NE -> of(Relation.LE, value, largest(value));
            case LT, LE ->
                fits
                        ? of(Relation.LE, value, floor)
                        : floor.signum() > 0
                                ? of(Relation.LE, value, largest(value))
                                : of(Relation.LT, value, largest(value).not());
            case GT, GE ->
                fits
                        ? of(Relation.GT, value, floor)
                        : floor.signum() > 0
                                ? never(value)
                                : of(Relation.GE, value, largest(value).not());
        };
    }

    /** Returns a comparison that holds for no value, and not for an absent one. */
    public static Ir never(Ir value) {
        return of(Relation.GT, value, largest(value));
    }

    private static int bits(Ir value) {
        return value.type().isWide() ? ValueType.Decimal.BITS_MAX : ValueType.Decimal.LONG_BITS;
    }

    /** Returns the largest number of the longs that a value takes; its complement is the smallest one. */
    private static BigInteger largest(Ir value) {
        return BigInteger.ONE.shiftLeft(bits(value)).subtract(BigInteger.ONE);
    }

    private static Ir of(Relation relation, Ir value, BigInteger constant) {
        int bits = constant.bitLength();
        return bits <= ValueType.Decimal.LONG_BITS
                ? of(relation, value, constant.longValueExact())
                : new Ir.Comparison(
                        relation,
                        value,
                        new Ir.WideConstant(new ValueType.Decimal(value.type().scaleOfExact(), bits), constant),
                        false);
    }

    /** Compares a value with a constant in its raw form. */
    public static Ir of(Relation relation, Ir value, long constant) {
        return new Ir.Comparison(relation, value, new Ir.Constant(value.type(), constant), false);
    }
}
