package io.millrace.expression.operand;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Constants in their raw form: one long, or two for decimals that need them. */
public final class Exact {

    private Exact() {}

    /** Returns the raw value of a constant, or null if the value is not a constant long or decimal. */
    public static @Nullable BigInteger constant(Ir value) {
        return switch (value) {
            case Ir.Constant(var ignoredType, long raw) -> BigInteger.valueOf(raw);
            case Ir.WideConstant(var ignoredType, var raw) -> raw;
            default -> null;
        };
    }

    /** Returns a constant; refuses one that does not fit. */
    public static Ir constant(ValueType type, BigInteger raw, Place place) {
        int bits = raw.bitLength();
        if (bits <= ValueType.Decimal.LONG_BITS) {
            return new Ir.Constant(type, raw.longValueExact());
        }
        if (!(type instanceof ValueType.Decimal(int scale, var ignoredBits))) {
            throw place.error(ErrorCode.BAD_CONSTANT, "the constant is too large for 64 bits", "");
        }
        if (bits > ValueType.Decimal.BITS_MAX) {
            throw place.error(ErrorCode.BAD_CONSTANT, "the constant is too large for 128 bits", "");
        }
        return new Ir.WideConstant(new ValueType.Decimal(scale, bits), raw);
    }
}
