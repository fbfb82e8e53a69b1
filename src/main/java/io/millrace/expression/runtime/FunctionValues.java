package io.millrace.expression.runtime;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RejectReason;
import io.millrace.expression.ir.TextCharset;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Converts arguments and results of functions written in Java, called by generated code. Stateless; methods that return
 * an object allocate it. Throws {@link RecordException} for a value that cannot be converted, and
 * {@link ArithmeticException} for a decimal past 64 bits.
 */
public final class FunctionValues {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private FunctionValues() {}

    /** Returns a number as an int. */
    public static int toInt(long value, String function) {
        if (value != (int) value) {
            throw noResult(function, "can't take " + value + ", an int is needed");
        }
        return (int) value;
    }

    /** Returns a number in units of a scale as a decimal. */
    public static BigDecimal toDecimal(long raw, int scale) {
        return BigDecimal.valueOf(raw, scale);
    }

    /** Returns a double as the decimal with its shortest digits. */
    public static BigDecimal toDecimal(double real, String function) {
        if (!Double.isFinite(real)) {
            throw noResult(function, "can't take " + real + ", a decimal is needed");
        }
        return BigDecimal.valueOf(real);
    }

    /** Returns the date of a day, counted from 1970-01-01. */
    public static LocalDate toDate(long day) {
        try {
            return LocalDate.ofEpochDay(day);
        } catch (DateTimeException e) {
            throw RecordException.noDate("day " + day);
        }
    }

    /** Returns an instant of units since 1970. */
    public static Instant toInstant(long units, long unitsPerSecond) {
        long second = Math.floorDiv(units, unitsPerSecond);
        try {
            return Instant.ofEpochSecond(
                    second, Math.floorMod(units, unitsPerSecond) * (NANOS_PER_SECOND / unitsPerSecond));
        } catch (DateTimeException e) {
            throw RecordException.noInstant("second " + second);
        }
    }

    /**
     * Returns the text of a field, or null if it is absent.
     *
     * @param place offset of the field's first byte in the array
     */
    public static @Nullable String toText(byte[] bytes, int place, FieldCodec codec) {
        return (String) codec.value(bytes, place - codec.field().offset());
    }

    /** Returns a range of bytes as a text. */
    public static String toText(byte[] bytes, int from, int to, TextCharset charset) {
        if (charset == TextCharset.UTF8) {
            // Refuses malformed bytes, which String would replace.
            Utf8.units(bytes, from, to);
        }
        return new String(bytes, from, to - from, charset.charset());
    }

    /** Returns the raw form of a boxed result. */
    public static long fromBoxed(Long value) {
        return value;
    }

    /** Returns the raw form of a boxed result. */
    public static long fromBoxed(Integer value) {
        return value;
    }

    /** Returns the raw form of a boxed result. */
    public static double fromBoxed(Double value) {
        return value;
    }

    /** Returns the raw form of a boxed result: 0 or 1. */
    public static long fromBoxed(Boolean value) {
        return value ? 1 : 0;
    }

    /** Returns the day of a date, counted from 1970-01-01. */
    public static long fromDate(LocalDate date) {
        return date.toEpochDay();
    }

    /** Returns the nanoseconds since 1970 of an instant. */
    public static long fromInstant(Instant instant, String function) {
        try {
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
        } catch (ArithmeticException e) {
            throw noResult(function, "gave " + instant + ", which is not between 1677 and 2262");
        }
    }

    /** Returns a decimal in units of a scale. */
    public static long fromDecimal(BigDecimal decimal, int scale, String function) {
        BigDecimal scaled;
        try {
            scaled = decimal.setScale(scale, RoundingMode.UNNECESSARY);
        } catch (ArithmeticException e) {
            throw noResult(function, "gave " + decimal + ", more than " + scale + " decimals");
        }
        return scaled.unscaledValue().longValueExact();
    }

    /** Writes a text in UTF-8 and returns the number of bytes. Allocates nothing. */
    public static int fromText(String text, byte[] into, String function) {
        int length = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw noResult(function, "gave half of a surrogate pair, which is not a text");
            }
            if (length + Utf8.width(codePoint) > into.length) {
                throw noResult(function, "gave a text of more than " + into.length + " bytes");
            }
            length = Utf8.put(codePoint, into, length);
        }
        return length;
    }

    /** Returns the reject for an exception or a stack overflow of a function. */
    public static RecordException failed(Throwable fault, String function) {
        return noResult(function, "failed: " + fault);
    }

    private static RecordException noResult(String function, String problem) {
        return new RecordException(RejectReason.Kind.EXPRESSION, "#" + function + " " + problem);
    }
}
