package io.millrace.view.access;

import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.view.value.Conversion;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Creates the values that getters return from the numbers that are stored, without the codec of the field. Stateless.
 */
final class NumberValues {

    private static final long MILLIS_PER_DAY = TimeUnit.DAYS.toMillis(1);

    private NumberValues() {}

    /**
     * Returns a function from the stored number, or null if only the codec can create the value. The function returns
     * null for a number that is not valid for the field.
     *
     * @param javaType boxed type of the getter
     */
    static @Nullable LongFunction<@Nullable Object> of(Field field, Conversion conversion, Class<?> javaType) {
        Function<Object, @Nullable Object> toJava = conversion.toJava();
        return switch (field.type()) {
            case FieldType.IntegerType(IntStorage storage) -> storage.unsignedLong() ? null : toJava::apply;
            case FieldType.DecimalType(IntStorage storage, int scale) ->
                storage.unsignedLong() ? null : raw -> toJava.apply(BigDecimal.valueOf(raw, scale));
            case FieldType.DateType(IntStorage storage) ->
                storage.bits() > Integer.SIZE ? null : days(toJava, javaType);
            case FieldType.InstantType(IntStorage storage, TimeUnit unit) ->
                storage.unsignedLong() || unit != TimeUnit.MILLISECONDS ? null : millis(toJava, javaType);
            case FieldType.EnumType(IntStorage _, Dictionary names) -> names(toJava, names);
            case FieldType.BooleanType _ -> raw -> raw == 0 ? Boolean.FALSE : raw == 1 ? Boolean.TRUE : null;
            case FieldType.FloatType _, FieldType.StringType _, FieldType.BytesType _, FieldType.IpType _ -> null;
        };
    }

    @SuppressWarnings("JavaUtilDate") // a type of getters
    private static LongFunction<@Nullable Object> days(Function<Object, @Nullable Object> toJava, Class<?> javaType) {
        return javaType == Date.class
                ? days -> new Date(days * MILLIS_PER_DAY)
                : days -> toJava.apply(LocalDate.ofEpochDay(days));
    }

    private static LongFunction<@Nullable Object> millis(Function<Object, @Nullable Object> toJava, Class<?> javaType) {
        return javaType == Date.class ? Date::new : millis -> toJava.apply(Instant.ofEpochMilli(millis));
    }

    private static LongFunction<@Nullable Object> names(Function<Object, @Nullable Object> toJava, Dictionary names) {
        @Nullable Object[] byCode = new @Nullable Object[names.namesByCode().lastKey() + 1];
        names.namesByCode().forEach((code, name) -> byCode[code] = toJava.apply(name));
        return code -> {
            Object known = code >= 0 && code < byCode.length ? byCode[(int) code] : null;
            String kept = known == null ? names.name(code) : null;
            return kept == null ? known : toJava.apply(kept);
        };
    }
}
