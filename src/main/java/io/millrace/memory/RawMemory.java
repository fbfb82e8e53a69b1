package io.millrace.memory;

import io.millrace.codec.RawBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Numbers and short runs of bytes in memory outside the heap, the most significant byte first, at any place: what
 * {@link RawBytes} is for arrays. Stateless; no method allocates; each throws {@link IndexOutOfBoundsException} where
 * what it is to read or write does not lie inside the segment.
 */
public final class RawMemory {

    private static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Longer copies are left to {@link MemorySegment#copy}, whose call costs more than a short copy. */
    private static final int MOST_BY_WORDS = 128;

    private RawMemory() {}

    public static byte getByte(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_BYTE, at);
    }

    public static short getShort(MemorySegment memory, long at) {
        return memory.get(I16, at);
    }

    public static int getInt(MemorySegment memory, long at) {
        return memory.get(I32, at);
    }

    public static long getLong(MemorySegment memory, long at) {
        return memory.get(I64, at);
    }

    public static void putShort(MemorySegment memory, long at, short value) {
        memory.set(I16, at, value);
    }

    public static void putInt(MemorySegment memory, long at, int value) {
        memory.set(I32, at, value);
    }

    public static void putLong(MemorySegment memory, long at, long value) {
        memory.set(I64, at, value);
    }

    /** Copies bytes into an array. */
    public static void copy(MemorySegment from, long at, byte[] into, int to, int length) {
        if (length < Long.BYTES || length > MOST_BY_WORDS) {
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, into, to, length);
            return;
        }
        // The last word overlaps the one before it, so that no bytes are left over.
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            RawBytes.putLong(into, to + i, getLong(from, at + i));
        }
        RawBytes.putLong(into, to + last, getLong(from, at + last));
    }

    /** Copies bytes out of an array. */
    public static void copy(byte[] from, int at, MemorySegment into, long to, int length) {
        if (length < Long.BYTES || length > MOST_BY_WORDS) {
            MemorySegment.copy(from, at, into, ValueLayout.JAVA_BYTE, to, length);
            return;
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            putLong(into, to + i, RawBytes.getLong(from, at + i));
        }
        putLong(into, to + last, RawBytes.getLong(from, at + last));
    }

    /** Copies bytes to another place outside the heap, which must not overlap. */
    public static void copy(MemorySegment from, long at, MemorySegment into, long to, int length) {
        if (length < Long.BYTES || length > MOST_BY_WORDS) {
            MemorySegment.copy(from, at, into, to, length);
            return;
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            putLong(into, to + i, getLong(from, at + i));
        }
        putLong(into, to + last, getLong(from, at + last));
    }

    /** Whether bytes there are the same as those of an array. */
    public static boolean equal(MemorySegment memory, long at, byte[] bytes, int from, int length) {
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            if (getLong(memory, at + i) != RawBytes.getLong(bytes, from + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at + i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
