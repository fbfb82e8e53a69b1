package io.millrace.model.classfile;

import io.millrace.model.ModelField;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** The smallest and the largest value of a number that all of its annotations allow. Not thread-safe. */
final class NumberLimits {

    private static final MathContext LIMIT_DIGITS = new MathContext(30, RoundingMode.FLOOR);
    private static final int MAX_PLAIN = 60;

    private final String type;
    private final int scale;
    private @Nullable BigDecimal min;
    private @Nullable BigDecimal max;

    private NumberLimits(String type, int scale) {
        this.type = type;
        this.scale = scale;
    }

    /** Returns the limits of a field, or null if it is not a number. */
    static @Nullable NumberLimits of(ModelField field) {
        String type = String.valueOf(field.get("type"));
        return switch (type) {
            case "decimal" -> new NumberLimits(type, Integer.parseInt(String.valueOf(field.get("scale"))));
            case "i8", "i16", "i32", "i64", "f32", "f64" -> new NumberLimits(type, 0);
            default -> null;
        };
    }

    boolean isReal() {
        return type.startsWith("f");
    }

    /** Returns the number of decimals of all values; 0 for floating-point numbers too. */
    int scale() {
        return scale;
    }

    void atLeast(BigDecimal bound, boolean inclusive) {
        BigDecimal low = low(bound, inclusive);
        min = min == null ? low : min.max(low);
    }

    void atMost(BigDecimal bound, boolean inclusive) {
        BigDecimal high = low(bound.negate(), inclusive).negate();
        max = max == null ? high : max.min(high);
    }

    /** Returns the smallest value of the field that is not less than a bound or, if exclusive, greater than it. */
    private BigDecimal low(BigDecimal bound, boolean inclusive) {
        if (isReal()) {
            return real(bound, inclusive);
        }
        BigDecimal low = bound.setScale(scale, RoundingMode.CEILING);
        return !inclusive && low.compareTo(bound) == 0 ? low.add(BigDecimal.ONE.movePointLeft(scale)) : low;
    }

    /** Compares as validators do: a floating-point number is that of the shortest text of a double. */
    private BigDecimal real(BigDecimal bound, boolean inclusive) {
        boolean wide = type.equals("f64");
        double number = wide ? bound.doubleValue() : bound.floatValue();
        if (Double.isInfinite(number)) {
            return bound;
        }
        number = wide ? Math.nextDown(number) : Math.nextDown((float) number);
        while (BigDecimal.valueOf(number).compareTo(bound) < (inclusive ? 0 : 1)) {
            number = wide ? Math.nextUp(number) : Math.nextUp((float) number);
        }
        BigDecimal exact = new BigDecimal(number);
        BigDecimal shortest = BigDecimal.valueOf(number);
        // Schemas compare exactly. The limit must not exceed the number itself.
        return shortest.compareTo(exact) <= 0 ? shortest : exact.round(LIMIT_DIGITS);
    }

    /** Adds the limits to the field, unless its type is narrower. */
    void addTo(ModelField field) {
        if (min != null && isInRange(min)) {
            field.with("min", text(min));
        }
        if (max != null && isInRange(max)) {
            field.with("max", text(max));
        }
    }

    private boolean isInRange(BigDecimal limit) {
        int bits = type.equals("decimal") ? Long.SIZE : Integer.parseInt(type.substring(1));
        return isReal() || limit.unscaledValue().bitLength() < bits;
    }

    private static String text(BigDecimal limit) {
        String text = limit.signum() == 0 ? "0" : limit.stripTrailingZeros().toPlainString();
        return text.length() <= MAX_PLAIN ? text : limit.toString();
    }
}
