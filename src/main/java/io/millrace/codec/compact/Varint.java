package io.millrace.codec.compact;

import io.millrace.codec.RawBytes;

/**
 * Unsigned integers of 1 to 9 bytes. The number of leading ones in the first byte is the number of bytes that follow;
 * the remaining bits, big-endian, are the value:
 *
 * <pre>
 * 0vvvvvvv                                  7 bits
 * 10vvvvvv vvvvvvvv                        14 bits
 * ...
 * 11111110 and 7 bytes                     56 bits
 * 11111111 and 8 bytes                     64 bits
 * </pre>
 *
 * A reader knows the length from the first byte alone, and can skip the value without reading it. Stateless; no method
 * allocates.
 */
public final class Varint {

    static final int MAX_BYTES = 9;

    /** First byte of an integer of 9 bytes. */
    private static final byte LONGEST = (byte) 0xFF;

    private Varint() {}

    /** Returns the length in bytes of the integer that begins with a byte. */
    public static int length(byte first) {
        return Integer.numberOfLeadingZeros(~first << 24 | 1 << 23) + 1;
    }

    /** Returns the number of bytes that an integer takes. */
    static int bytes(long value) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
        return bits > 56 ? MAX_BYTES : (bits + 6) / 7;
    }

    /** Returns the integer at an offset. All of its bytes must lie inside the array. */
    public static long get(byte[] bytes, int at) {
        byte first = bytes[at];
        if (first >= 0) {
            return first;
        }
        int last = bytes.length - Long.BYTES;
        if (first != LONGEST && last >= 0) {
            long word = at <= last
                    ? RawBytes.getLong(bytes, at)
                    : RawBytes.getLong(bytes, last) << (Byte.SIZE * (at - last));
            int length = length(first);
            return word << length >>> (Long.SIZE - 7 * length);
        }
        return getRare(bytes, at);
    }

    /** Reads an integer of 9 bytes, or from a short array. In a method of its own, so that the other is inlined. */
    private static long getRare(byte[] bytes, int at) {
        byte first = bytes[at];
        if (first == LONGEST) {
            return RawBytes.getLong(bytes, at + 1);
        }
        int length = length(first);
        long value = first & (0xFF >>> length);
        for (int i = 1; i < length; i++) {
            value = value << 8 | (bytes[at + i] & 0xFF);
        }
        return value;
    }

    /** Writes an integer and returns the offset past it. All of its bytes must lie inside the array. */
    static int put(byte[] bytes, int at, long value) {
        int length = bytes(value);
        if (length == MAX_BYTES) {
            bytes[at] = (byte) 0xFF;
            RawBytes.putLong(bytes, at + 1, value);
            return at + MAX_BYTES;
        }
        for (int i = length - 1; i > 0; i--) {
            bytes[at + i] = (byte) (value >>> (8 * (length - 1 - i)));
        }
        // For 8 bytes, the first byte has no bit of the value.
        int head = length == Long.BYTES ? 0 : (int) (value >>> (8 * (length - 1)));
        bytes[at] = (byte) (0xFF00 >>> (length - 1) | head);
        return at + length;
    }

    /**
     * Writes an integer as {@link #put}, but faster: overwrites the next nine bytes, which must lie inside the array.
     */
    static int append(byte[] bytes, int at, long value) {
        int length = bytes(value);
        if (length == MAX_BYTES) {
            return put(bytes, at, value);
        }
        long head = (0xFF00L >>> (length - 1) & 0xFF) << (Long.SIZE - Byte.SIZE);
        RawBytes.putLong(bytes, at, value << (Long.SIZE - Byte.SIZE * length) | head);
        return at + length;
    }

    /** Returns a signed integer as an unsigned one that is small if the absolute value is. */
    public static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    /** Returns the signed integer of {@link #zigzag}. */
    public static long unzigzag(long value) {
        return value >>> 1 ^ -(value & 1);
    }
}
