package io.millrace.table.cache;

import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;

/**
 * An entry of a segment. It is written once, before anything refers to it, and overwritten only after the segment's
 * tail has passed it.
 *
 * <pre>
 *  0             8              12             16
 *  +-------------+--------------+--------------+-----------+-------+----------------------+
 *  | key or hash | value length | key length   | key bytes | value | up to 7 bytes unused |
 *  +-------------+--------------+--------------+-----------+-------+----------------------+
 * </pre>
 *
 * Where the key is a number, it has no bytes. A value length of -1 says that the rest of the lap is left out.
 */
final class Entry {

    static final int HEADER_BYTES = 16;
    static final int LEFT_OUT = -1;

    private static final int VALUE_LENGTH_AT = 8;
    private static final int KEY_LENGTH_AT = 12;

    private Entry() {}

    /** Bytes that an entry takes. */
    static long size(int keyLength, int valueLength) {
        return (HEADER_BYTES + (long) keyLength + valueLength + 7) & -8;
    }

    static long key(MemorySegment memory, long at) {
        return RawMemory.getLong(memory, at);
    }

    static int valueLength(MemorySegment memory, long at) {
        return RawMemory.getInt(memory, at + VALUE_LENGTH_AT);
    }

    static int keyLength(MemorySegment memory, long at) {
        return RawMemory.getInt(memory, at + KEY_LENGTH_AT);
    }

    static void writeHeader(MemorySegment memory, long at, long key, int keyLength, int valueLength) {
        RawMemory.putLong(memory, at, key);
        RawMemory.putInt(memory, at + VALUE_LENGTH_AT, valueLength);
        RawMemory.putInt(memory, at + KEY_LENGTH_AT, keyLength);
    }

    /** Says that there is no entry from here to the end of the lap. */
    static void leaveOut(MemorySegment memory, long at) {
        RawMemory.putInt(memory, at + VALUE_LENGTH_AT, LEFT_OUT);
    }
}
