package io.millrace.schema;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * The meaning of a field's bytes. Each type defines the Java type of decoded values. Code that decodes, compares or
 * compiles switches over the types.
 */
@API(status = API.Status.STABLE)
public sealed interface FieldType extends Serializable {

    /** Returns the width in bytes. */
    int bytes();

    /** Returns the Java type of a decoded value. */
    Class<?> javaType();

    /** Returns the kind of type in a word, such as {@code decimal}, for messages. */
    default String describe() {
        return getClass().getSimpleName().replace("Type", "").toLowerCase(Locale.ROOT);
    }

    /** Types whose value is a whole number in the bytes, given a meaning. */
    sealed interface Numbered extends FieldType {
        /** Returns how the integer is stored. */
        IntStorage storage();

        @Override
        default int bytes() {
            return storage().bytes();
        }
    }

    /**
     * An integer, decoded as {@link Long}; values of unsigned 64-bit fields from 2^63 are decoded as
     * {@link java.math.BigInteger}.
     */
    record IntegerType(IntStorage storage) implements Numbered {
        @Override
        public Class<?> javaType() {
            return storage.unsignedLong() ? Number.class : Long.class;
        }
    }

    /** An exact decimal: the stored number times ten to the power of {@code -scale}; decoded as {@link BigDecimal}. */
    record DecimalType(IntStorage storage, int scale) implements Numbered {
        /** Every number of up to 18 digits fits a long. */
        public static final int MAX_SCALE = 18;

        @Override
        public Class<?> javaType() {
            return BigDecimal.class;
        }
    }

    /** A date, stored as the number of days since 1970-01-01; decoded as {@link LocalDate}. */
    record DateType(IntStorage storage) implements Numbered {
        @Override
        public Class<?> javaType() {
            return LocalDate.class;
        }
    }

    /** An instant, stored as the number of units since 1970-01-01T00:00Z; decoded as {@link Instant}. */
    record InstantType(IntStorage storage, TimeUnit unit) implements Numbered {
        @Override
        public Class<?> javaType() {
            return Instant.class;
        }
    }

    /** A name of a dictionary, stored as its code; decoded as {@link String}. */
    record EnumType(IntStorage storage, Dictionary dictionary) implements Numbered {
        @Override
        public Class<?> javaType() {
            return String.class;
        }
    }

    /** A boolean, stored as 0 or 1; decoded as {@link Boolean}. */
    record BooleanType(IntStorage storage) implements Numbered {
        @Override
        public Class<?> javaType() {
            return Boolean.class;
        }
    }

    /** IEEE 754 binary floating point of 4 or 8 bytes; decoded as {@link Double}. */
    record FloatType(int bytes, ByteOrder order) implements FieldType {

        private Object writeReplace() {
            return new WrittenFloat(bytes, order == ByteOrder.LITTLE_ENDIAN);
        }

        /** Serialized form, because {@link ByteOrder} is not serializable. */
        private record WrittenFloat(int bytes, boolean little) implements Serializable {
            private Object readResolve() {
                return new FloatType(bytes, little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            }
        }

        @Override
        public Class<?> javaType() {
            return bytes == Float.BYTES ? Float.class : Double.class;
        }
    }

    /** Text of a fixed width, padded at its end; decoded as {@link String} without the padding. */
    record StringType(int bytes, Charset charset, byte pad) implements FieldType {

        private Object writeReplace() {
            return new WrittenString(bytes, charset.name(), pad);
        }

        /** Serialized form, because {@link Charset} is not serializable. */
        private record WrittenString(int bytes, String charset, byte pad) implements Serializable {
            private Object readResolve() {
                return new StringType(bytes, Charset.forName(charset), pad);
            }
        }

        @Override
        public Class<?> javaType() {
            return String.class;
        }
    }

    /** A byte string of a fixed width, decoded as {@code byte[]}. */
    record BytesType(int bytes) implements FieldType {
        @Override
        public Class<?> javaType() {
            return byte[].class;
        }
    }

    /** An IP address of 4 or 16 bytes in network byte order, decoded as its {@link String} form (RFC 5952 for IPv6). */
    record IpType(int bytes) implements FieldType {
        @Override
        public Class<?> javaType() {
            return String.class;
        }
    }
}
