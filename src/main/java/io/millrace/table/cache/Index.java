package io.millrace.table.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The index of a segment: buckets of one cache line, of which each has room for seven entries.
 *
 * <pre>
 *  0            8        16                   56       64
 *  +------------+--------+--------+----+--------+
 *  | elsewhere  | slot 0 | slot 1 | .. | slot 6 |        slot: 24 bits of the hash, 40 bits of place
 *  +------------+--------+--------+----+--------+
 * </pre>
 *
 * A slot is one word, read and written as a whole: it is 0, or says where an entry begins, in units of eight bytes
 * written to the segment since its beginning, and one more. So a reader sees an entry that is there or one that is not,
 * and a process that is killed leaves one or the other. Entries that find no place in their bucket go to one of the
 * seven behind it; {@code elsewhere} counts them, so that a look-up goes there only where it must. Numbers have the
 * byte order of the machine.
 */
final class Index {

    static final int BUCKET_BYTES = 64;
    static final int SLOTS = 7;

    /** Buckets that an entry may stand in: its own and those behind it. */
    static final int WINDOW = 8;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final int PLACE_BITS = 40;
    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;
    private static final int TAG_MASK = (1 << 24) - 1;

    private Index() {}

    /** The part of a hash that stands in a slot. */
    static long tag(long hash) {
        return hash & TAG_MASK;
    }

    /** The bucket of a hash, of so many that entries may begin their search at. */
    static long bucket(long hash, int buckets) {
        return ((hash & 0xFFFFFFFFL) * (buckets - WINDOW + 1)) >>> 32;
    }

    static long slot(long tag, long place) {
        return (tag << PLACE_BITS) | ((place >>> 3) + 1);
    }

    static long tagOf(long slot) {
        return slot >>> PLACE_BITS;
    }

    static long placeOf(long slot) {
        return ((slot & PLACE_MASK) - 1) << 3;
    }

    /**
     * Which slots of a bucket have a tag: bit n for slot n. By arithmetic instead of branches, which a processor would
     * guess wrong, and then wait for the bucket before it begins anything else. What it tells may have changed since,
     * and an empty slot looks like one of tag 0.
     */
    static int slotsOf(MemorySegment memory, long bucketAt, long tag) {
        int slots = 0;
        for (int i = 0; i < SLOTS; i++) {
            long slot = memory.get(ValueLayout.JAVA_LONG, bucketAt + Long.BYTES + (long) i * Long.BYTES);
            long different = tagOf(slot) ^ tag;
            slots |= (int) ((different - 1) >>> (Long.SIZE - 1)) << i;
        }
        return slots;
    }

    /** A word, and with it all that was written before it. */
    static long get(MemorySegment memory, long at) {
        return (long) WORD.getAcquire(memory, at);
    }

    /** Writes a word after all that was written before. */
    static void set(MemorySegment memory, long at, long value) {
        WORD.setRelease(memory, at, value);
    }
}
