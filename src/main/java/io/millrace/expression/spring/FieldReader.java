package io.millrace.expression.spring;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one field of records that fill their array. Public for the code that Spring's compiler generates; immutable.
 * Whole numbers, doubles, truth values and names are read without allocation.
 *
 * @param field which one
 * @param length of a record
 */
public record FieldReader(Field field, int length) {

    /** Whether a value is a record as long as expected. */
    boolean reads(@Nullable Object target) {
        return target instanceof byte[] bytes && bytes.length == length;
    }

    private byte[] record(Object target) {
        if (target instanceof byte[] bytes && bytes.length == length) {
            return bytes;
        }
        throw new IllegalArgumentException("field=" + field.name() + " is read from records of " + length + " bytes");
    }

    /** The value of a required whole number. */
    public long readLong(Object target) {
        IntStorage storage = ((FieldType.Numbered) field.type()).storage();
        long raw = RawBytes.get(record(target), field.offset(), storage);
        if (raw < 0 && storage.unsignedLong()) {
            throw new IllegalArgumentException(field.name() + "=" + Long.toUnsignedString(raw) + " is past 2^63 - 1");
        }
        return raw;
    }

    /** The value of a required float. */
    public double readDouble(Object target) {
        FieldType.FloatType type = (FieldType.FloatType) field.type();
        long bits = RawBytes.get(record(target), field.offset(), IntStorage.of(type.bytes(), true, type.order()));
        return type.bytes() == 4 ? Float.intBitsToFloat((int) bits) : Double.longBitsToDouble(bits);
    }

    /** The value of a required truth value. */
    public boolean readBoolean(Object target) {
        return readLong(target) != 0;
    }

    /** The value as an object, null where it is absent. */
    public @Nullable Object read(Object target) {
        byte[] bytes = record(target);
        return switch (field.type()) {
            case FieldType.Numbered type -> {
                long raw = RawBytes.get(bytes, field.offset(), type.storage());
                yield field.optional() && raw == field.nullRaw() ? null : number(type, target);
            }
            case FieldType.FloatType type -> {
                long bits = RawBytes.get(bytes, field.offset(), IntStorage.of(type.bytes(), false, type.order()));
                long absent = type.bytes() == 4 ? field.nullRaw() & 0xFFFF_FFFFL : field.nullRaw();
                yield field.optional() && bits == absent ? null : (Double) readDouble(target);
            }
            case FieldType.StringType(int width, var charset, byte pad) -> {
                int size = width;
                while (size > 0 && bytes[field.offset() + size - 1] == pad) {
                    size--;
                }
                yield field.optional() && size == 0 ? null : new String(bytes, field.offset(), size, charset);
            }
            case FieldType.BytesType _ -> absentIfZero(bytes) ? null : cut(bytes);
            case FieldType.IpType _ -> absentIfZero(bytes) ? null : address(cut(bytes));
        };
    }

    private @Nullable Object number(FieldType.Numbered type, Object target) {
        long raw = readLong(target);
        return switch (type) {
            case FieldType.IntegerType _ -> raw;
            case FieldType.DecimalType(var ignoredStorage, int scale) -> BigDecimal.valueOf(raw, scale);
            case FieldType.DateType _ -> LocalDate.ofEpochDay(raw);
            case FieldType.InstantType(var ignoredStorage2, var unit) -> Instant.EPOCH.plus(raw, unit.toChronoUnit());
            case FieldType.BooleanType _ -> raw != 0;
            case FieldType.EnumType(var ignoredStorage, var dictionary) -> {
                String name = dictionary.name(raw);
                if (name == null) {
                    throw new IllegalArgumentException(field.name() + "=" + raw + " stands for no name");
                }
                yield name;
            }
        };
    }

    private byte[] cut(byte[] bytes) {
        return Arrays.copyOfRange(bytes, field.offset(), field.end());
    }

    private boolean absentIfZero(byte[] bytes) {
        if (!field.optional()) {
            return false;
        }
        for (int i = field.offset(); i < field.end(); i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static String address(byte[] address) {
        try {
            return IpText.of(InetAddress.getByAddress(address));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("addresses have 4 or 16 bytes", e);
        }
    }
}
