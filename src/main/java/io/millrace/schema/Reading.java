package io.millrace.schema;

import java.io.Serializable;
import java.nio.ByteOrder;

/** How the bytes of an element are converted to the value in a row. */
public sealed interface Reading extends Serializable {

    /** Returns the number of bytes, or 0 if it varies. */
    int bytes();

    /** An integer, whose meaning the field's type determines. */
    record WholeNumber(IntStorage storage) implements Reading {
        @Override
        public int bytes() {
            return storage.bytes();
        }
    }

    /** An IEEE 754 binary floating point number. */
    record Real(int bytes, ByteOrder order) implements Reading {

        private Object writeReplace() {
            return new Written(bytes, order == ByteOrder.LITTLE_ENDIAN);
        }

        /** Serialized form, because {@link ByteOrder} is not serializable. */
        private record Written(int bytes, boolean little) implements Serializable {
            private Object readResolve() {
                return new Real(bytes, little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            }
        }
    }

    /** Text or bytes of varying length. */
    record Varying() implements Reading {
        @Override
        public int bytes() {
            return 0;
        }
    }

    /** Bytes of a fixed length, such as an address. */
    record Exact(int bytes) implements Reading {}

    /**
     * A mobile network: the digits of its country code and network code, the latter of two or three digits, from three
     * bytes of nibbles (3GPP TS 24.008, 10.5.1.3).
     */
    record Plmn() implements Reading {
        /** Width in bytes of the decoded digits. */
        public static final int DIGITS = 6;

        @Override
        public int bytes() {
            return 3;
        }
    }

    /**
     * A time zone in minutes: swapped BCD quarter hours, bit 3 of the first byte is the sign (3GPP TS 23.040,
     * 9.2.3.11).
     */
    record QuarterHours() implements Reading {
        @Override
        public int bytes() {
            return 1;
        }
    }

    /** The number of elements with this tag. */
    record Count() implements Reading {
        @Override
        public int bytes() {
            return 0;
        }
    }
}
