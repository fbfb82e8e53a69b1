package io.millrace.codec;

import io.millrace.schema.Constraint;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.NumberText;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes IEEE 754 floating point numbers of 4 or 8 bytes. NaN and the infinities are valid values.
 *
 * <p>A number with a fraction is rounded to the nearest value of the type, as in Java source, but not to zero or an
 * infinity. A whole number that the type cannot represent exactly, such as 2<sup>53</sup> + 1 in 8 bytes, causes a
 * {@link FieldValueException} when it is given as an integer, a BigDecimal or plain digits.
 */
@API(status = API.Status.STABLE)
public final class DoubleCodec extends FieldCodec {

    /** Maximum length of a number's text: longer than the exact digits of most numbers, and quick to read. */
    private static final int MAX_TEXT = 1000;

    private final IntStorage storage;
    private final boolean wide;
    private final boolean bounded;
    private final double low;
    private final double high;

    DoubleCodec(Field field, FieldType.FloatType type) {
        super(field);
        storage = IntStorage.of(type.bytes(), false, type.order());
        wide = type.bytes() == 8;
        Constraint constraint = field.constraint();
        BigDecimal min = constraint.min();
        BigDecimal max = constraint.max();
        bounded = min != null || max != null;
        low = min == null ? Double.NEGATIVE_INFINITY : wide ? atLeast(min) : min.floatValue();
        high = max == null ? Double.POSITIVE_INFINITY : wide ? -atLeast(max.negate()) : max.floatValue();
    }

    /** Returns the smallest double that is not less than a number. */
    private static double atLeast(BigDecimal bound) {
        double nearest = bound.doubleValue();
        if (nearest == Double.NEGATIVE_INFINITY) {
            return -Double.MAX_VALUE;
        }
        boolean below = Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(bound) < 0;
        return below ? Math.nextUp(nearest) : nearest;
    }

    /** Returns the number. Allocates nothing. */
    public double get(byte[] bytes, int record) {
        long raw = RawBytes.get(bytes, at(record), storage);
        return wide ? Double.longBitsToDouble(raw) : Float.intBitsToFloat((int) raw);
    }

    /**
     * Writes a number. In 4 bytes it is rounded to the nearest float, which constraints then apply to. Allocates
     * nothing.
     */
    public void put(byte[] bytes, int record, double value) {
        if (!wide && Math.abs(value) < Double.POSITIVE_INFINITY && Float.isInfinite((float) value)) {
            throw refuse(value, outOfRange());
        }
        if (!wide && value != 0 && (float) value == 0) {
            throw refuse(value, tooSmall());
        }
        if (!allowed(wide ? value : (float) value)) {
            throw refuse(value, refusal(wide ? value : (float) value));
        }
        long raw = bits(value);
        if (reservesValue() && raw == field().nullRaw()) {
            throw refuse(value, RESERVED);
        }
        RawBytes.put(bytes, at(record), storage, raw);
        markPresent(bytes, record);
    }

    private long bits(double value) {
        return wide
                ? Double.doubleToRawLongBits(value)
                : Integer.toUnsignedLong(Float.floatToRawIntBits((float) value));
    }

    /** Returns whether a constraint sets a minimum or maximum. */
    boolean bounded() {
        return bounded;
    }

    /** Returns the minimum, or negative infinity if no constraint sets one. */
    public double low() {
        return low;
    }

    /** Returns the maximum, or positive infinity if no constraint sets one. */
    public double high() {
        return high;
    }

    private boolean allowed(double value) {
        return !bounded || (value >= low && value <= high);
    }

    private String refusal(double value) {
        if (Double.isNaN(value)) {
            return "Use a number: the field has a smallest or a largest one.";
        }
        Constraint constraint = field().constraint();
        return value < low ? "Use " + constraint.min() + " or more." : "Use " + constraint.max() + " or less.";
    }

    private String outOfRange() {
        return "Use " + (wide ? "-" + Double.MAX_VALUE : "-" + Float.MAX_VALUE) + " to "
                + (wide ? String.valueOf(Double.MAX_VALUE) : String.valueOf(Float.MAX_VALUE)) + ".";
    }

    private String tooSmall() {
        return "Use 0, or a number of at least " + (wide ? Double.MIN_VALUE : Float.toString(Float.MIN_VALUE)) + ".";
    }

    @Override
    @Nullable
    String faultOfPresent(byte[] bytes, int record) {
        double value = get(bytes, record);
        return allowed(value) ? null : refusal(value);
    }

    @Override
    boolean holdsAbsent(byte[] bytes, int record) {
        return RawBytes.get(bytes, at(record), storage) == field().nullRaw();
    }

    @Override
    void writeAbsent(byte[] bytes, int record) {
        RawBytes.put(bytes, at(record), storage, field().nullRaw());
    }

    @Override
    Object decode(byte[] bytes, int record) {
        double value = get(bytes, record);
        return wide ? (Object) value : (Object) (float) value;
    }

    @Override
    void encode(byte[] bytes, int record, Object value) {
        switch (value) {
            case Double number -> put(bytes, record, number);
            case Float number -> put(bytes, record, number);
            case Long _, Integer _, Short _, Byte _ ->
                putWhole(bytes, record, BigDecimal.valueOf(((Number) value).longValue()));
            case BigInteger number -> putWhole(bytes, record, new BigDecimal(number));
            case BigDecimal number -> {
                if (number.stripTrailingZeros().scale() <= 0) {
                    putWhole(bytes, record, number);
                } else {
                    put(bytes, record, nearestFraction(number));
                }
            }
            default -> throw refuseType(value, "a number");
        }
    }

    private double nearest(BigDecimal number) {
        return wide ? number.doubleValue() : number.floatValue();
    }

    private double nearestFraction(BigDecimal number) {
        double value = nearest(number);
        if (value == 0) {
            throw refuse(number, tooSmall());
        }
        if (Double.isInfinite(value)) {
            throw refuse(number, outOfRange());
        }
        return value;
    }

    private void putWhole(byte[] bytes, int record, BigDecimal number) {
        double stored = nearest(number);
        if (Double.isInfinite(stored)) {
            throw refuse(number, outOfRange());
        }
        requireExact(number, stored);
        put(bytes, record, stored);
    }

    private void requireExact(BigDecimal number, double stored) {
        BigDecimal exact = new BigDecimal(stored);
        if (exact.compareTo(number) != 0) {
            throw refuse(
                    number,
                    "Use a number that " + (wide ? 8 : 4) + " bytes of floating point can store exactly, such as "
                            + exact.toPlainString() + ".");
        }
    }

    @Override
    String format(byte[] bytes, int record) {
        double value = get(bytes, record);
        return wide ? Double.toString(value) : Float.toString((float) value);
    }

    @Override
    void parse(byte[] bytes, int record, String text) {
        switch (text) {
            case "NaN" -> put(bytes, record, Double.NaN);
            case "Infinity" -> put(bytes, record, Double.POSITIVE_INFINITY);
            case "-Infinity" -> put(bytes, record, Double.NEGATIVE_INFINITY);
            default -> put(bytes, record, number(text));
        }
    }

    private double number(String text) {
        if (text.length() > MAX_TEXT) {
            throw refuse(text, "Use a number of at most " + MAX_TEXT + " characters.");
        }
        if (!NumberText.isNumber(text)) {
            throw refuse(text, "Use a number, such as 1234.5.");
        }
        double value = wide ? Double.parseDouble(text) : Float.parseFloat(text);
        if (Double.isInfinite(value)) {
            throw refuse(text, outOfRange());
        }
        if (value == 0 && !NumberText.isZero(text)) {
            throw refuse(text, tooSmall());
        }
        if (NumberText.isWhole(text)) {
            requireExact(new BigDecimal(text), value);
        }
        return value;
    }

    @Override
    Object raw(byte[] bytes, int record) {
        return decode(bytes, record);
    }

    @Override
    boolean refusesBytes() {
        return bounded();
    }
}
