package io.millrace.memory;

import io.millrace.codec.RawBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads and writes numbers and short byte sequences in off-heap memory, big-endian and unaligned, as {@link RawBytes}
 * does in arrays. Stateless; no method allocates. Each throws {@link IndexOutOfBoundsException} if the bytes do not lie
 * inside the segment.
 */
public final class RawMemory {

    private static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt I32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong I64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Longer copies use {@link MemorySegment#copy}, whose call costs more than a short copy. */
    private static final int MAX_WORD_COPY_BYTES = 128;

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

    /** Copies bytes to an array. */
    public static void copy(MemorySegment source, long sourceAt, byte[] target, int targetAt, int length) {
        if (length < Long.BYTES || length > MAX_WORD_COPY_BYTES) {
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, sourceAt, target, targetAt, length);
            return;
        }
        // The last word overlaps the previous one, so that no bytes remain.
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            RawBytes.putLong(target, targetAt + i, getLong(source, sourceAt + i));
        }
        RawBytes.putLong(target, targetAt + last, getLong(source, sourceAt + last));
    }

    /** Copies bytes from an array. */
    public static void copy(byte[] source, int sourceAt, MemorySegment target, long targetAt, int length) {
        if (length < Long.BYTES || length > MAX_WORD_COPY_BYTES) {
            MemorySegment.copy(source, sourceAt, target, ValueLayout.JAVA_BYTE, targetAt, length);
            return;
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            putLong(target, targetAt + i, RawBytes.getLong(source, sourceAt + i));
        }
        putLong(target, targetAt + last, RawBytes.getLong(source, sourceAt + last));
    }

    /** Copies bytes between ranges of off-heap memory, which must not overlap. */
    public static void copy(MemorySegment source, long sourceAt, MemorySegment target, long targetAt, int length) {
        if (length < Long.BYTES || length > MAX_WORD_COPY_BYTES) {
            MemorySegment.copy(source, sourceAt, target, targetAt, length);
            return;
        }
        int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            putLong(target, targetAt + i, getLong(source, sourceAt + i));
        }
        putLong(target, targetAt + last, getLong(source, sourceAt + last));
    }

    /** Returns whether bytes in memory equal those of an array. */
    public static boolean equal(MemorySegment memory, long at, byte[] bytes, int bytesAt, int length) {
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            if (getLong(memory, at + i) != RawBytes.getLong(bytes, bytesAt + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at + i) != bytes[bytesAt + i]) {
                return false;
            }
        }
        return true;
    }
}
