package io.millrace.bench;

import io.millrace.codec.RawBytes;
import java.util.stream.LongStream;

/**
 * Reads values of the compact layout, as code does that is written by hand for one schema: it trusts the bytes, and no
 * varint has nine. Stateless.
 */
final class HandWrittenCompact {

    private static final int DOUBLE = 0x20;
    private static final int FLOAT = 0x21;
    private static final long[] POWERS =
            LongStream.iterate(1, power -> 10 * power).limit(16).toArray();
    private static final double[] REAL_POWERS = LongStream.iterate(1, power -> 10 * power)
            .limit(16)
            .asDoubleStream()
            .toArray();

    private HandWrittenCompact() {}

    /** Returns the length of the varint that begins with a byte. */
    static int length(byte first) {
        return Integer.numberOfLeadingZeros(~first << 24 | 1 << 23) + 1;
    }

    /** Returns the offset past a varint. */
    static int varintEnd(byte[] bytes, int at) {
        return at + length(bytes[at]);
    }

    /** Returns the offset past a part, which begins with its length. */
    static int partEnd(byte[] bytes, int at) {
        return varintEnd(bytes, at) + (int) varint(bytes, at);
    }

    /** Returns a varint of at most 8 bytes. */
    static long varint(byte[] bytes, int at) {
        byte first = bytes[at];
        if (first >= 0) {
            return first;
        }
        int length = length(first);
        if (at + Long.BYTES <= bytes.length) {
            return RawBytes.getLong(bytes, at) << length >>> (Long.SIZE - 7 * length);
        }
        long value = first & (0xFF >>> length);
        for (int i = 1; i < length; i++) {
            value = value << 8 | (bytes[at + i] & 0xFF);
        }
        return value;
    }

    static long signed(long value) {
        return value >>> 1 ^ -(value & 1);
    }

    static long decimal(long value) {
        return (value & 1) == 0 ? signed(value >>> 1) : signed(value >>> 5) * POWERS[(int) (value >>> 1) & 15];
    }

    /** Returns the offset past a floating-point number. */
    static int realEnd(byte[] bytes, int at) {
        return switch (bytes[at]) {
            case DOUBLE -> at + 1 + Double.BYTES;
            case FLOAT -> at + 1 + Float.BYTES;
            default -> varintEnd(bytes, at + 1);
        };
    }

    static double real(byte[] bytes, int at) {
        return switch (bytes[at]) {
            case DOUBLE -> Double.longBitsToDouble(RawBytes.getLong(bytes, at + 1));
            case FLOAT -> Float.intBitsToFloat(RawBytes.getInt(bytes, at + 1));
            default -> signed(varint(bytes, at + 1)) / REAL_POWERS[bytes[at]];
        };
    }
}
