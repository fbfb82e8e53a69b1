package io.millrace.view.value;

import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.view.type.JsonNames;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds the conversion of a field's values to a Java type, if the type can hold all of them exactly. Stateless. */
public final class Conversions {

    private static final int DOUBLE_BITS = 53;
    private static final int FLOAT_BITS = 24;
    private static final int UUID_BYTES = 16;

    private Conversions() {}

    /**
     * Returns the conversion, or null if the type can't hold all values of the field.
     *
     * @param type boxed type
     */
    public static @Nullable Conversion of(Class<?> type, Field field) {
        FieldType values = field.type();
        if (type.isAssignableFrom(values.javaType())) {
            return Conversion.NONE;
        }
        return switch (values) {
            case FieldType.IntegerType(IntStorage storage) -> whole(type, storage, 0);
            case FieldType.DecimalType(IntStorage storage, int scale) -> whole(type, storage, scale);
            case FieldType.DateType _ -> date(type);
            case FieldType.InstantType(IntStorage _, TimeUnit unit) -> instant(type, unit);
            case FieldType.EnumType(IntStorage _, Dictionary names) ->
                type.isEnum() ? constants(type, names, field.name()) : null;
            case FieldType.BooleanType _ -> null;
            case FieldType.FloatType(int bytes, var _) ->
                type == Double.class && bytes == Float.BYTES
                        ? new Conversion(value -> ((Number) value).doubleValue(), value -> value)
                        : null;
            case FieldType.StringType _ -> TextConversions.of(type, field);
            case FieldType.BytesType(int bytes) -> type == UUID.class && bytes == UUID_BYTES ? uuid() : null;
            case FieldType.IpType _ ->
                type == InetAddress.class
                        ? new Conversion(
                                text -> InetAddress.ofLiteral((String) text),
                                address -> ((InetAddress) address).getHostAddress())
                        : null;
        };
    }

    private static @Nullable Conversion whole(Class<?> type, IntStorage storage, int scale) {
        if (scale != 0) {
            return null;
        }
        int bits = storage.bits() - (storage.signed() ? 1 : 0);
        if (type == Long.class) {
            return new Conversion(Conversions::toLong, value -> value);
        }
        if (type == Integer.class && bits < Integer.SIZE) {
            return new Conversion(value -> ((Number) value).intValue(), value -> value);
        }
        if (type == Short.class && bits < Short.SIZE) {
            return new Conversion(value -> ((Number) value).shortValue(), value -> value);
        }
        if (type == Byte.class && bits < Byte.SIZE) {
            return new Conversion(value -> ((Number) value).byteValue(), value -> value);
        }
        if (type == BigInteger.class) {
            return new Conversion(value -> new BigInteger(value.toString()), value -> value);
        }
        if (type == BigDecimal.class) {
            return new Conversion(value -> new BigDecimal(value.toString()), Conversions::integer);
        }
        if (type == Double.class && bits <= DOUBLE_BITS) {
            return new Conversion(value -> ((Number) value).doubleValue(), Conversions::integer);
        }
        if (type == Float.class && bits <= FLOAT_BITS) {
            return new Conversion(value -> ((Number) value).floatValue(), Conversions::integer);
        }
        return null;
    }

    private static Object toLong(Object value) {
        return switch (value) {
            case BigInteger large -> large.longValueExact();
            case BigDecimal decimal -> decimal.longValueExact();
            default -> ((Number) value).longValue();
        };
    }

    private static Object integer(Object value) {
        try {
            return new BigDecimal(value.toString()).toBigIntegerExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("Invalid value '" + value + "'. Use a whole number.", e);
        }
    }

    private static @Nullable Conversion date(Class<?> type) {
        if (type == java.sql.Date.class) {
            return new Conversion(day -> java.sql.Date.valueOf((LocalDate) day), Conversions::sqlDay);
        }
        if (type == Date.class) {
            return new Conversion(
                    day -> Date.from(((LocalDate) day).atStartOfDay().toInstant(ZoneOffset.UTC)), date -> {
                        LocalDateTime time = LocalDateTime.ofInstant(instant((Date) date), ZoneOffset.UTC);
                        return day(time);
                    });
        }
        if (type == LocalDateTime.class) {
            return new Conversion(day -> ((LocalDate) day).atStartOfDay(), time -> day((LocalDateTime) time));
        }
        return null;
    }

    /** Returns the day in the time zone of the JVM, as JDBC does. */
    private static Object sqlDay(Object date) {
        LocalDate day = ((java.sql.Date) date).toLocalDate();
        if (!java.sql.Date.valueOf(day).equals(date)) {
            throw new IllegalArgumentException(
                    "Invalid value '" + date + "' with a time of day. The field holds days.");
        }
        return day;
    }

    /** Returns the instant also of those subclasses for which {@link Date#toInstant} is not supported. */
    @SuppressWarnings("JavaUtilDate") // a type of getters
    private static Instant instant(Date date) {
        return date instanceof Timestamp timestamp ? timestamp.toInstant() : Instant.ofEpochMilli(date.getTime());
    }

    private static Conversion uuid() {
        return new Conversion(
                bytes -> {
                    ByteBuffer buffer = ByteBuffer.wrap((byte[]) bytes);
                    return new UUID(buffer.getLong(), buffer.getLong());
                },
                uuid -> ByteBuffer.allocate(UUID_BYTES)
                        .putLong(((UUID) uuid).getMostSignificantBits())
                        .putLong(((UUID) uuid).getLeastSignificantBits())
                        .array());
    }

    private static LocalDate day(LocalDateTime time) {
        LocalDate day = time.toLocalDate();
        if (!day.atStartOfDay().equals(time)) {
            throw new IllegalArgumentException("Invalid value '" + time + "'. The field holds days in UTC.");
        }
        return day;
    }

    private static @Nullable Conversion instant(Class<?> type, TimeUnit unit) {
        if (type == Date.class && unit.compareTo(TimeUnit.MILLISECONDS) >= 0) {
            return new Conversion(instant -> Date.from((Instant) instant), date -> instant((Date) date));
        }
        if (type == Timestamp.class) {
            return new Conversion(instant -> Timestamp.from((Instant) instant), time -> ((Timestamp) time).toInstant());
        }
        if (type == LocalDateTime.class) {
            return new Conversion(
                    instant -> LocalDateTime.ofInstant((Instant) instant, ZoneOffset.UTC),
                    time -> ((LocalDateTime) time).toInstant(ZoneOffset.UTC));
        }
        if (type == OffsetDateTime.class) {
            return new Conversion(
                    instant -> ((Instant) instant).atOffset(ZoneOffset.UTC), time -> instant((OffsetDateTime) time));
        }
        return null;
    }

    private static Instant instant(OffsetDateTime time) {
        if (!time.getOffset().equals(ZoneOffset.UTC)) {
            throw new IllegalArgumentException("Invalid value '" + time
                    + "'. The field does not hold the offset. Use a time in UTC, or a field of type string.");
        }
        return time.toInstant();
    }

    private static Conversion constants(Class<?> type, Dictionary names, String field) {
        Map<Object, Object> toJava = new HashMap<>();
        Map<Object, Object> toField = new HashMap<>();
        for (String name : names.namesByCode().values()) {
            Object constant = constant(type, name);
            if (constant == null) {
                throw new IllegalArgumentException("Unknown constant for the value '" + name + "' of field '" + field
                        + "' in " + type.getName() + ". Add a constant with this name; '_' replaces other characters,"
                        + " and case does not matter.");
            }
            toJava.put(name, constant);
            if (toField.put(constant, name) != null) {
                throw new IllegalArgumentException("Ambiguous constant " + constant + " of " + type.getName()
                        + ": values of field '" + field + "' differ only in case or special characters. Use String.");
            }
        }
        return new Conversion(
                name -> {
                    Object constant = toJava.get(name);
                    if (constant == null) {
                        throw new IllegalStateException(
                                "Field '" + field + "' has the code " + name + " without a name, for which "
                                        + type.getName() + " has no constant. Use a getter of type String.");
                    }
                    return constant;
                },
                constant -> {
                    Object name = toField.get(constant);
                    if (name == null) {
                        throw new IllegalArgumentException("Invalid value '" + constant + "' for field '" + field
                                + "'. Use one of: " + toField.keySet() + ".");
                    }
                    return name;
                });
    }

    private static @Nullable Object constant(Class<?> type, String name) {
        Object found = null;
        for (Object constant : type.getEnumConstants()) {
            String candidate = ((Enum<?>) constant).name();
            if (candidate.equals(name) || name.equals(JsonNames.of((Enum<?>) constant))) {
                return constant;
            }
            if (plain(candidate).equals(plain(name))) {
                found = constant;
            }
        }
        return found;
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toLowerCase(Locale.ROOT);
    }

    /** Returns the error of a getter or setter that can't hold the values of a field. */
    public static IllegalArgumentException refusal(Method accessor, String path, Field field) {
        return new IllegalArgumentException(accessor.toGenericString()
                + " can't hold the values of '" + path + "': these are "
                + field.type().javaType().getSimpleName() + " of type "
                + field.type().describe() + (field.optional() ? ", or null where absent" : "") + ".");
    }
}
