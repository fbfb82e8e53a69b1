package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.FieldType;
import java.math.BigInteger;

/**
 * The number of bits that exact values need in two's complement, without the sign. It comes from the storage of fields
 * and the digits of constants, and decides which decimals are computed in two longs. Stateless.
 */
public final class Magnitude {

    /** There are fewer elements than this power of two. */
    private static final int ELEMENT_BITS = 31;

    private Magnitude() {}

    /** Returns the bits of a whole number or decimal. */
    public static int of(Ir value) {
        return switch (value) {
            case Ir.Constant(var ignoredType, long raw) ->
                BigInteger.valueOf(raw).bitLength();
            case Ir.Load(var field)
            when field.type() instanceof FieldType.Numbered type && value.type() == Basic.WHOLE ->
                ValueType.Decimal.bitsOf(type);
            default ->
                value.type() instanceof ValueType.Decimal(var ignoredScale, int bits)
                        ? bits
                        : ValueType.Decimal.LONG_BITS;
        };
    }

    /** Returns the bits of a sum or difference. */
    public static int ofSum(int left, int right) {
        return Math.max(left, right) + 1;
    }

    /** Returns the bits of a product. */
    public static int ofProduct(Ir left, Ir right) {
        int signs = isPositive(left) || isPositive(right) ? 0 : 1;
        return of(left) + of(right) + signs;
    }

    private static boolean isPositive(Ir value) {
        return value instanceof Ir.Constant(var ignoredType, long raw) && raw > 0;
    }

    /** Returns the bits of a negated value: the smallest has no counterpart. */
    public static int ofNegation(int bits) {
        return bits + 1;
    }

    /** Returns the bits of a value times a power of ten. */
    public static int ofScaled(int bits, int power) {
        return bits + BigInteger.TEN.pow(power).bitLength();
    }

    /** Returns the bits of a value divided by a power of ten and rounded. */
    public static int ofRounded(int bits, int power) {
        return Math.max(1, bits - BigInteger.TEN.pow(power).bitLength() + 2);
    }

    /** Returns the bits of a sum of the values of elements. */
    public static int ofElements(int bits) {
        return bits + ELEMENT_BITS;
    }
}
