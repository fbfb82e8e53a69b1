package io.millrace.expression;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.RandomRules.RandomRecords;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Records most of whose values are the zero of their type, its extremes, the value that stands for absent, or absent;
 * and constants of these.
 */
public final class ExtremeRecords extends RandomRecords {

    private static final List<Double> REALS =
            List.of(0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.0, -2.5);

    public ExtremeRecords(Random random) {
        super(random);
    }

    /** The values of a record by the names of the schema's fields; null is absent. */
    public Map<String, @Nullable Object> record(Schema schema) {
        return row(schema);
    }

    /** A value that the field can hold: it can't hold the one that stands for absent. */
    @Override
    Object value(Field field) {
        while (true) {
            Object value = constant(field);
            if (isHeld(field, value)) {
                return value;
            }
        }
    }

    private static boolean isHeld(Field field, Object value) {
        Schema schema = new Schema("one", field.end(), List.of(field), List.of());
        try {
            RecordCodec.of(schema).codec(field.name()).setValue(new byte[field.end()], 0, value);
            return true;
        } catch (FieldValueException e) {
            return false;
        }
    }

    @Override
    Object constant(Field field) {
        if (random.nextInt(8) == 0) {
            return super.value(field);
        }
        return switch (field.type()) {
            case FieldType.IntegerType(var storage) -> number(field, storage);
            case FieldType.DecimalType(var storage, int scale) -> BigDecimal.valueOf(number(field, storage), scale);
            case FieldType.DateType(var storage) -> LocalDate.ofEpochDay(number(field, storage));
            case FieldType.InstantType(var storage, var unit) ->
                Instant.EPOCH.plus(Math.clamp(number(field, storage), -(1L << 54), 1L << 54), unit.toChronoUnit());
            case FieldType.FloatType _ -> REALS.get(random.nextInt(REALS.size()));
            case FieldType.StringType _ -> List.of("", "a", "a", "b").get(random.nextInt(4));
            case FieldType.IpType(int bytes) ->
                (bytes == 4
                                ? List.of("0.0.0.0", "255.255.255.255", "10.0.0.9", "0.0.0.1")
                                : List.of("::", "::ffff:10.0.0.9", "::1", "2001:db8::1"))
                        .get(random.nextInt(4));
            case FieldType.BytesType(int bytes) -> {
                byte[] value = new byte[bytes];
                value[bytes - 1] = (byte) random.nextInt(2);
                yield value;
            }
            case FieldType.EnumType _, FieldType.BooleanType _ -> super.value(field);
        };
    }

    /** Of unsigned numbers of 64 bits, those that expressions can use. */
    private long number(Field field, IntStorage storage) {
        long largest = storage.unsignedLong() ? Long.MAX_VALUE : storage.max();
        long number = switch (random.nextInt(7)) {
            case 0 -> storage.min();
            case 1 -> largest;
            case 2 -> 1;
            case 3 -> -1;
            case 4 -> field.optional() ? field.nullRaw() : storage.min() + 1;
            default -> 0;
        };
        return Math.clamp(number, storage.min(), largest);
    }
}
