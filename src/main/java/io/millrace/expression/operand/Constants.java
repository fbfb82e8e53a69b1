package io.millrace.expression.operand;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.NearestName;
import io.millrace.schema.TimeFormats;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.springframework.expression.spel.ast.Literal;

/** Reads constants from literals and converts them to the form of the values that they are combined with. */
public final class Constants {

    /** The maximum number of decimal places of a decimal. */
    public static final int SCALE_MAX = 18;

    /** The digits of a real literal that is zero; its exponent may be of any size. */
    private static final Pattern ZERO = Pattern.compile("[0.]+([eE].*)?");

    private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);
    private static final BigDecimal HALF = new BigDecimal("0.5");

    private Constants() {}

    public static Ir.Constant truth(boolean value) {
        return new Ir.Constant(Basic.BOOLEAN, value ? 1 : 0);
    }

    public static Ir.Constant whole(long value) {
        return new Ir.Constant(Basic.WHOLE, value);
    }

    /** Returns a literal with a decimal point: a double that keeps the digits of the literal for use with decimals. */
    public static Ir.Real real(Literal literal, double value, Place place) {
        String text = String.valueOf(literal.getOriginalValue()).replaceAll("[dD]$", "");
        if (Double.isInfinite(value) || (value == 0 && !ZERO.matcher(text).matches())) {
            // The digits could be so far from the decimal point that arithmetic on them does not end in acceptable
            // time.
            throw place.error(
                    ErrorCode.BAD_CONSTANT,
                    "invalid constant '" + text + "': it is out of the range of doubles",
                    "the largest is 1.7976931348623157E308, the smallest above zero 4.9E-324");
        }
        BigDecimal doubleDigits = decimalOf(value);
        BigDecimal literalDigits = value == 0 ? doubleDigits : new BigDecimal(text);
        // The scale of a quotient follows that of its operands, so equal numbers keep the scale that SpEL uses.
        return new Ir.Real(value, literalDigits.compareTo(doubleDigits) == 0 ? doubleDigits : literalDigits);
    }

    /** Returns a double that was computed from constants. */
    public static Ir.Real real(double value) {
        return new Ir.Real(value, decimalOf(value));
    }

    private static BigDecimal decimalOf(double value) {
        return Double.isFinite(value) ? BigDecimal.valueOf(value) : BigDecimal.ZERO;
    }

    /** Returns a constant double as an exact decimal. */
    static Ir decimal(Ir.Real real, Place place) {
        BigDecimal decimal = real.decimal().scale() < 0 ? real.decimal().setScale(0) : real.decimal();
        if (decimal.scale() > SCALE_MAX) {
            decimal = decimal.stripTrailingZeros();
        }
        if (!Double.isFinite(real.value())
                || decimal.scale() > SCALE_MAX
                || decimal.unscaledValue().bitLength() > ValueType.Decimal.BITS_MAX) {
            throw place.error(
                    ErrorCode.BAD_CONSTANT,
                    "invalid constant '" + real.value()
                            + "': it does not fit a decimal of 128 bits with up to 18 decimals",
                    "write fewer digits");
        }
        return Exact.constant(new ValueType.Decimal(decimal.scale()), decimal.unscaledValue(), place);
    }

    /** Returns the date of a text, in days since 1970-01-01. */
    public static long day(String text, Place place) {
        try {
            return LocalDate.parse(text).toEpochDay();
        } catch (DateTimeException e) {
            throw place.error(ErrorCode.BAD_CONSTANT, "invalid date '" + text + "'", "write dates like '2014-07-21'");
        }
    }

    /**
     * Returns the instant of a text, in units since 1970-01-01T00:00Z. An instant between two units becomes the number
     * halfway between them: not exact, but enough to compare.
     */
    public static BigDecimal moment(String text, TimeUnit unit, Place place) {
        Instant instant;
        try {
            instant = TimeFormats.instant(DateTimeFormatter.ISO_INSTANT, text);
        } catch (DateTimeException e) {
            throw place.error(
                    ErrorCode.BAD_CONSTANT,
                    "invalid instant '" + text + "'",
                    "write instants like '2014-07-21T10:00:00Z'");
        }
        BigInteger nanos = BigDecimal.valueOf(instant.getEpochSecond())
                .multiply(NANOS_PER_SECOND)
                .add(BigDecimal.valueOf(instant.getNano()))
                .toBigIntegerExact();
        BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(unit.toNanos(1)));
        BigDecimal units = new BigDecimal(parts[0]);
        return switch (parts[1].signum()) {
            case 0 -> units;
            case 1 -> units.add(HALF);
            default -> units.subtract(HALF);
        };
    }

    /** Returns the instant of a text, in the coarsest unit that represents it exactly. */
    public static Ir.Constant moment(String text, Place place) {
        for (TimeUnit unit : List.of(TimeUnit.SECONDS, TimeUnit.MILLISECONDS, TimeUnit.MICROSECONDS)) {
            BigDecimal units = moment(text, unit, place);
            if (units.stripTrailingZeros().scale() <= 0) {
                return new Ir.Constant(new ValueType.Moment(unit), wholeMoment(text, unit, place));
            }
        }
        return new Ir.Constant(
                new ValueType.Moment(TimeUnit.NANOSECONDS), wholeMoment(text, TimeUnit.NANOSECONDS, place));
    }

    /** Returns the instant of a text, which must be a whole number of units. */
    public static long wholeMoment(String text, TimeUnit unit, Place place) {
        BigDecimal units = moment(text, unit, place);
        if (units.stripTrailingZeros().scale() > 0 || units.toBigInteger().bitLength() > 63) {
            throw place.error(
                    ErrorCode.BAD_CONSTANT,
                    "invalid instant '" + text + "': it is not a whole number of "
                            + unit.name().toLowerCase(Locale.ROOT) + " of 64 bits",
                    "write fewer decimals, or a time that is closer to 1970");
        }
        return units.longValueExact();
    }

    /** Returns a constant as an expression would contain it; a number if it is not a valid date or instant. */
    public static String text(ValueType type, long value) {
        try {
            return switch (type) {
                case Basic.DATE -> LocalDate.ofEpochDay(value).toString();
                case ValueType.Decimal(int scale, var ignoredBits) ->
                    BigDecimal.valueOf(value, scale).toPlainString();
                case ValueType.Moment(TimeUnit unit) ->
                    Instant.EPOCH.plus(value, unit.toChronoUnit()).toString();
                default -> Long.toString(value);
            };
        } catch (ArithmeticException | DateTimeException _) {
            return Long.toString(value);
        }
    }

    /** Returns the error for a constant that is never a value of a field. */
    public static ExpressionException invalid(Field field, String constant, String reason, String hint, Place place) {
        return place.error(
                ErrorCode.BAD_CONSTANT,
                "invalid constant '" + constant + "' for field '" + field.name() + "': " + reason,
                hint);
    }

    /** Returns how many decimals a field has, as a reason. */
    public static String decimals(int scale) {
        return switch (scale) {
            case 0 -> "the field has no decimals";
            case 1 -> "the field has 1 decimal";
            default -> "the field has " + scale + " decimals";
        };
    }

    /** Returns the code of a name, which the dictionary must contain. */
    public static long code(String name, Dictionary dictionary, Place place) {
        int code = dictionary.code(name);
        if (code < 0) {
            throw place.error(
                    ErrorCode.UNKNOWN_NAME,
                    "the dictionary holds no '" + name + "'",
                    NearestName.advice(name, dictionary.namesByCode().values()));
        }
        return code;
    }
}
