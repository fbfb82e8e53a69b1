package io.millrace.schema;

import java.io.Serializable;
import java.nio.ByteOrder;

/** How the bytes of an element become the value that a row holds. */
public sealed interface Reading extends Serializable {

    /** Bytes that it takes, or 0 where it takes as many as there are. */
    int bytes();

    /** A whole number, given a meaning by the field's type. */
    record WholeNumber(IntStorage storage) implements Reading {
        @Override
        public int bytes() {
            return storage.bytes();
        }
    }

    /** IEEE 754 binary floating point. */
    record Real(int bytes, ByteOrder order) implements Reading {

        private Object writeReplace() {
            return new Written(bytes, order == ByteOrder.LITTLE_ENDIAN);
        }

        /** Byte orders can't be written. */
        private record Written(int bytes, boolean little) implements Serializable {
            private Object readResolve() {
                return new Real(bytes, little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            }
        }
    }

    /** Text, or bytes, of a varying length. */
    record Varying() implements Reading {
        @Override
        public int bytes() {
            return 0;
        }
    }

    /** Bytes of one length, such as an address. */
    record Exact(int bytes) implements Reading {}

    /**
     * A mobile network: country code and network code as digits, two or three of the latter, from three bytes of
     * nibbles (3GPP TS 24.008, 10.5.1.3).
     */
    record Plmn() implements Reading {
        /** Bytes of the digits. */
        public static final int DIGITS = 6;

        @Override
        public int bytes() {
            return 3;
        }
    }

    /**
     * A time zone: swapped BCD quarters of an hour, bit 3 of the first byte the sign (3GPP TS 23.040, 9.2.3.11), as
     * minutes.
     */
    record QuarterHours() implements Reading {
        @Override
        public int bytes() {
            return 1;
        }
    }

    /** How many such elements there are. */
    record Count() implements Reading {
        @Override
        public int bytes() {
            return 0;
        }
    }
}
