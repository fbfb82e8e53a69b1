package io.millrace.model.classfile;

import io.millrace.model.ModelField;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns Java types of single values, with the annotations of their member, into fields. Stateless. */
final class ValueTypes {

    private static final int DEFAULT_TEXT = 255;
    private static final int DEFAULT_SCALE = 6;

    /** Most bytes of a UTF-16 unit in UTF-8. */
    private static final int BYTES_PER_CHAR = 3;

    private static final int MAX_TEXT = 1 << 20;
    private static final int MAX_SCALE = 18;

    private static final Map<String, String> NUMBERS = Map.ofEntries(
            Map.entry("byte", "i8"),
            Map.entry("short", "i16"),
            Map.entry("int", "i32"),
            Map.entry("long", "i64"),
            Map.entry("float", "f32"),
            Map.entry("double", "f64"),
            Map.entry("boolean", "boolean"),
            Map.entry("java.lang.Byte", "i8"),
            Map.entry("java.lang.Short", "i16"),
            Map.entry("java.lang.Integer", "i32"),
            Map.entry("java.lang.Long", "i64"),
            Map.entry("java.lang.Float", "f32"),
            Map.entry("java.lang.Double", "f64"),
            Map.entry("java.lang.Boolean", "boolean"));

    /** Units of types that are instants. */
    private static final Map<String, String> INSTANTS = Map.of(
            "java.util.Date", "ms",
            "java.sql.Timestamp", "ns",
            "java.time.Instant", "ns",
            "java.time.LocalDateTime", "ns");

    /** Types that have a text form, and its maximum length in bytes. Views convert it. */
    private static final Map<String, Integer> TEXTS = Map.ofEntries(
            Map.entry("char", BYTES_PER_CHAR),
            Map.entry("java.lang.Character", BYTES_PER_CHAR),
            Map.entry("java.util.UUID", 36),
            Map.entry("java.util.Currency", 3),
            Map.entry("java.util.Locale", 64),
            Map.entry("java.net.URI", 2048),
            Map.entry("java.sql.Time", 8),
            Map.entry("java.time.LocalTime", 18),
            Map.entry("java.time.OffsetTime", 27),
            Map.entry("java.time.OffsetDateTime", 44),
            Map.entry("java.time.ZonedDateTime", 96),
            Map.entry("java.time.Duration", 40),
            Map.entry("java.time.Period", 40),
            Map.entry("java.time.Year", 10),
            Map.entry("java.time.YearMonth", 13),
            Map.entry("java.time.MonthDay", 7),
            Map.entry("java.time.ZoneId", 64),
            Map.entry("java.time.ZoneOffset", 9),
            Map.entry("javax.xml.datatype.XMLGregorianCalendar", 64));

    private ValueTypes() {}

    /** Returns the field of a type, or null if the type is not that of a single value. */
    static @Nullable ModelField field(String name, String type, Annotations annotations) {
        String number = NUMBERS.get(type);
        if (number != null) {
            return ModelField.of(name, number);
        }
        String unit = INSTANTS.get(type);
        if (unit != null) {
            return ModelField.of(name, "instant").with("unit", unit);
        }
        Integer length = TEXTS.get(type);
        if (length != null) {
            return ModelField.of(name, "string")
                    .with("length", length)
                    .with("charset", "utf8")
                    .comment(type.substring(type.lastIndexOf('.') + 1) + " as text");
        }
        return switch (type) {
            case "java.lang.String", "java.lang.CharSequence" -> text(name, annotations);
            case "java.math.BigDecimal" -> decimal(name, annotations);
            case "java.math.BigInteger" ->
                ModelField.of(name, "i64").comment("BigInteger: the field holds numbers of 64 bits");
            case "java.time.LocalDate", "java.sql.Date" -> ModelField.of(name, "date");
            case "java.net.InetAddress", "java.net.Inet4Address" ->
                ModelField.of(name, "ipv4").comment("IPv4 is a guess: use ipv6 for other addresses");
            case "java.net.Inet6Address" -> ModelField.of(name, "ipv6");
            case "byte[]" -> bytes(name, annotations);
            default -> null;
        };
    }

    private static ModelField bytes(String name, Annotations annotations) {
        Long max = annotations.number("Size", "max");
        if (max != null && max.equals(annotations.number("Size", "min"))) {
            return ModelField.of(name, "bytes").with("length", max);
        }
        return ModelField.of(name, "string")
                .with("length", max == null ? DEFAULT_TEXT : Math.clamp(max, 1, MAX_TEXT))
                .with("charset", "latin1")
                .comment("bytes of any number, as Latin-1 text; use type bytes if the number is always the same"
                        + (max == null ? "; no @Size: length " + DEFAULT_TEXT + " is a guess" : ""));
    }

    private static ModelField text(String name, Annotations annotations) {
        ModelField field = ModelField.of(name, "string");
        Long max = first(annotations.number("Size", "max"), annotations.number("Length", "max"));
        Long stated = first(max, annotations.number("Column", "length"));
        field.with("length", stated == null ? DEFAULT_TEXT : Math.clamp(stated * BYTES_PER_CHAR, 1, MAX_TEXT));
        field.with("charset", "utf8");
        return field.comment(
                stated == null
                        ? "no @Size: length " + DEFAULT_TEXT + " is a guess"
                        : "up to " + stated + " characters");
    }

    private static @Nullable Long first(@Nullable Long one, @Nullable Long other) {
        return one == null ? other : one;
    }

    private static ModelField decimal(String name, Annotations annotations) {
        Long scale = first(annotations.number("Digits", "fraction"), annotations.number("Column", "scale"));
        int decimals = scale == null ? DEFAULT_SCALE : Math.clamp(scale, 0, MAX_SCALE);
        ModelField field = ModelField.of(name, "decimal").with("scale", decimals);
        return scale == null ? field.comment("no @Digits: scale " + DEFAULT_SCALE + " is a guess") : field;
    }
}
