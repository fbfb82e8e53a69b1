package io.millrace.table.cache;

import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;

/**
 * An entry of a segment. It is complete before an index slot refers to it, and it is overwritten only after the
 * segment's tail has passed it.
 *
 * <pre>
 *  0             8              12             16
 *  +-------------+--------------+--------------+-----------+-------+----------------------+
 *  | key or hash | value length | key length   | key bytes | value | up to 7 bytes unused |
 *  +-------------+--------------+--------------+-----------+-------+----------------------+
 * </pre>
 *
 * A number as key has no key bytes. A value length of -1 means that the rest of the lap is unused.
 */
final class Entry {

    static final int HEADER_BYTES = 16;
    static final int LEFT_OUT = -1;

    private static final int VALUE_LENGTH_AT = 8;
    private static final int KEY_LENGTH_AT = 12;

    private Entry() {}

    /** Returns the size of an entry in bytes. */
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

    /** Marks the space from here to the end of the lap as unused. */
    static void leaveOut(MemorySegment memory, long at) {
        RawMemory.putInt(memory, at + VALUE_LENGTH_AT, LEFT_OUT);
    }
}
