package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;
import static io.millrace.schema.ProblemCode.OUT_OF_RANGE;

import io.millrace.regex.PatternException;
import io.millrace.regex.TextPattern;
import io.millrace.schema.Constraint;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.NumberText;
import io.millrace.schema.TimeFormats;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Reads the attributes of a field that are not part of its type: whether it is optional, its constraint, and its form
 * in text files.
 */
final class FieldReader {

    private static final Instant SAMPLE = Instant.parse("2014-07-21T09:30:05Z");

    /** Value of {@code absent} that selects a null flag instead of a number. */
    private static final String NULL_FLAG = "flag";

    private final YamlMap map;
    private final FieldType type;

    FieldReader(YamlMap map, FieldType type) {
        this.map = map;
        this.type = type;
    }

    /** Returns the field at an offset. */
    Field read(String path, int offset, String label) {
        boolean optional = map.flag("optional");
        if (!optional && map.has("absent")) {
            map.problem(
                    "absent",
                    NO_EFFECT,
                    "'absent' has no effect without 'optional: true'. Add that, or remove 'absent'.");
        }
        boolean nullFlag = optional && map.has("absent") && NULL_FLAG.equals(map.text("absent"));
        long nullRaw = optional && !nullFlag ? nullRaw() : 0;
        FieldType used = optional && !nullFlag ? without(nullRaw) : type;
        return new Field(
                path, used, offset, optional, nullRaw, nullFlag, constraint(optional), label, format(), digits(path));
    }

    /** Returns the path of a field next to this one. */
    private @Nullable String digits(String path) {
        String name = map.text(TypeReader.DIGITS);
        return name == null ? null : path.substring(0, path.lastIndexOf('.') + 1) + name;
    }

    /** Returns the type without the number that stands for absent, which is not a code that is kept. */
    private FieldType without(long nullRaw) {
        if (!(type instanceof FieldType.EnumType(var storage, var names))
                || !names.keepsUnknown()
                || names.name(nullRaw) == null
                || names.namesByCode().containsKey((int) nullRaw)) {
            return type;
        }
        if (nullRaw < names.lastCode()) {
            map.problem(
                    "absent",
                    CONFLICTING_PROPERTIES,
                    "Invalid absent '" + nullRaw + "' with 'unknown: keep', which keeps this code. Use flag, or "
                            + names.lastCode() + ".");
            return type;
        }
        return new FieldType.EnumType(storage, names.keeping((int) nullRaw - 1));
    }

    private long nullRaw() {
        if (type instanceof FieldType.FloatType real && map.has("absent")) {
            return floatBits(real.bytes());
        }
        if (!(type instanceof FieldType.Numbered numbered)) {
            if (map.has("absent")) {
                map.problem(
                        "absent",
                        INVALID_VALUE,
                        "Invalid absent '" + map.text("absent") + "'. Use flag, or leave it out.");
            }
            return Field.defaultNullRaw(type);
        }
        BigInteger stated = map.whole("absent");
        if (stated != null && !holds(numbered.storage(), stated)) {
            map.problem(
                    "absent",
                    OUT_OF_RANGE,
                    "Invalid absent '" + stated + "'. Use a number that fits " + numbered.storage() + ".");
        }
        long raw = stated == null ? Field.defaultNullRaw(type) : stated.longValue();
        if (type instanceof FieldType.EnumType coded) {
            Dictionary names = coded.dictionary();
            if (names.name(raw) != null && names.namesByCode().containsKey((int) raw)) {
                map.problem(
                        "absent",
                        CONFLICTING_PROPERTIES,
                        "Invalid absent '" + raw + "': it is the code of '" + names.name(raw)
                                + "'. Use another number.");
            }
            if (names.code("") >= 0) {
                map.problem(
                        "values",
                        CONFLICTING_PROPERTIES,
                        "Invalid empty value in an optional dictionary. Remove it: empty text means absent.");
            }
        }
        if (type instanceof FieldType.BooleanType && (raw == 0 || raw == 1)) {
            map.problem(
                    "absent",
                    CONFLICTING_PROPERTIES,
                    "Invalid absent '" + raw + "' of a boolean. Use another number; set 'absent', or more 'bits'.");
        }
        return raw;
    }

    private static boolean holds(IntStorage storage, BigInteger number) {
        return number.compareTo(storage.smallest()) >= 0 && number.compareTo(storage.largest()) <= 0;
    }

    private long floatBits(int bytes) {
        String text = map.text("absent");
        double value = Double.NaN;
        if (text != null && !text.equalsIgnoreCase(".nan") && !text.equals("NaN")) {
            boolean number = NumberText.isNumber(text);
            value = !number ? 0 : bytes == 8 ? Double.parseDouble(text) : Float.parseFloat(text);
            boolean lost = Double.isInfinite(value) || (value == 0 && !NumberText.isZero(text));
            if (!number || lost) {
                map.problem("absent", INVALID_NUMBER, "Invalid absent '" + text + "'. Use a number of the type.");
                return 0;
            }
        }
        return bytes == 8
                ? Double.doubleToRawLongBits(value)
                : Integer.toUnsignedLong(Float.floatToRawIntBits((float) value));
    }

    private Constraint constraint(boolean optional) {
        boolean text = type instanceof FieldType.StringType;
        BigDecimal min = text ? characters("min") : map.decimal("min");
        BigDecimal max = text ? characters("max") : map.decimal("max");
        if (min != null && max != null && min.compareTo(max) > 0) {
            map.problem("min", OUT_OF_RANGE, "Invalid min '" + min + "'. Use at most 'max', " + max + ".");
        } else if (type instanceof FieldType.Numbered numbered && nothingBetween(numbered, min, max)) {
            map.problem(
                    min == null ? "max" : "min",
                    OUT_OF_RANGE,
                    "No value of " + numbered.storage()
                            + " is between 'min' and 'max'. Use a range that contains one.");
        }
        boolean required = map.flag("required");
        if (required && optional) {
            map.problem("required", CONFLICTING_PROPERTIES, "'required' and 'optional' are both true. Remove one.");
        }
        return new Constraint(min, max, pattern(), required);
    }

    private @Nullable BigDecimal characters(String key) {
        Integer number = map.has(key) ? map.whole(key, 0, Integer.MAX_VALUE) : null;
        return number == null ? null : BigDecimal.valueOf(number);
    }

    private static boolean nothingBetween(
            FieldType.Numbered numbered, @Nullable BigDecimal min, @Nullable BigDecimal max) {
        int scale = numbered instanceof FieldType.DecimalType decimal ? decimal.scale() : 0;
        BigInteger low = numbered.storage().smallest();
        BigInteger high = numbered.storage().largest();
        if (min != null) {
            low = low.max(
                    min.movePointRight(scale).setScale(0, RoundingMode.CEILING).toBigInteger());
        }
        if (max != null) {
            high = high.min(
                    max.movePointRight(scale).setScale(0, RoundingMode.FLOOR).toBigInteger());
        }
        return low.compareTo(high) > 0;
    }

    private static String sentence(String hint) {
        return Character.toUpperCase(hint.charAt(0)) + hint.substring(1) + ".";
    }

    private @Nullable TextPattern pattern() {
        String regex = map.text("pattern");
        if (regex == null) {
            return null;
        }
        try {
            return TextPattern.of(regex, StandardCharsets.UTF_8);
        } catch (PatternException e) {
            map.problem(
                    "pattern",
                    INVALID_VALUE,
                    "Invalid pattern '" + regex + "' at index " + e.index() + ": " + e.problem() + ". "
                            + sentence(e.hint()));
            return null;
        }
    }

    /** Returns the pattern of dates and instants, after checking that it can parse what it formats. */
    private @Nullable String format() {
        String format = map.text("format");
        if (format == null) {
            return null;
        }
        try {
            DateTimeFormatter formatter = TimeFormats.strict(format);
            String text = formatter.format(SAMPLE);
            if (type instanceof FieldType.DateType) {
                LocalDate.parse(text, formatter);
            } else {
                TimeFormats.instant(formatter, text);
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            map.problem(
                    "format",
                    INVALID_VALUE,
                    "Invalid format '" + format + "'. Use a pattern with all parts of a value, such as "
                            + (type instanceof FieldType.DateType ? "dd/MM/yyyy." : "dd/MM/yyyy HH:mm:ss."));
        }
        return format;
    }
}
