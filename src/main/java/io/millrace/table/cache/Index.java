package io.millrace.table.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The index of a segment: buckets of one cache line each, with seven slots.
 *
 * <pre>
 *  0      8        16                   56       64
 *  +------+--------+--------+----+--------+
 *  | head | slot 0 | slot 1 | .. | slot 6 |        slot: 0, or where an entry begins
 *  +------+--------+--------+----+--------+
 *
 *  head, a byte each from the lowest: elsewhere | tag of slot 0 | .. | tag of slot 6
 * </pre>
 *
 * A slot is one word that is read and written atomically: 0 if it is empty, else one more than the entry's position, in
 * units of eight bytes written to the segment since its creation. A reader, or a restart after a killed process,
 * therefore finds an entry either present or absent. A slot's tag is seven bits of the entry's hash with the high bit
 * set, or 0 if the slot is empty. One comparison with the head finds the slots to check, without a branch for each (as
 * in Abseil's Swiss tables). An entry that does not fit into its bucket goes to one of the seven buckets that follow;
 * {@code elsewhere} counts these entries, so that a lookup reads the other buckets only if necessary. Numbers have the
 * machine's native byte order.
 */
final class Index {

    static final int BUCKET_BYTES = 64;
    static final int SLOTS = 7;

    /** Number of buckets that may contain an entry: its home bucket and those that follow. */
    static final int WINDOW = 8;

    /** Tag of an empty slot. */
    static final long EMPTY = 0;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long BYTE = 0xFF;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS_OF_TAGS = 0x8080808080808000L;

    private Index() {}

    /** Returns the tag of an entry with this hash. Its highest bit distinguishes it from {@link #EMPTY}. */
    static long tag(long hash) {
        return ((hash >>> Integer.SIZE) & BYTE) | 0x80;
    }

    /**
     * Returns the home bucket of a hash. The last seven buckets are home to no hash, so that each window is complete.
     */
    static long bucket(long hash, int buckets) {
        return ((hash & 0xFFFFFFFFL) * (buckets - WINDOW + 1)) >>> Integer.SIZE;
    }

    /**
     * Returns the slots that may have a tag, one bit each, for {@link #offset}. Clear the lowest bit to get the next
     * slot. A match above another one may be false, so compare the keys; matches of {@link #EMPTY} are exact.
     */
    static long matches(long head, long tag) {
        long different = head ^ (tag * ONES);
        return (different - ONES) & ~different & HIGH_BITS_OF_TAGS;
    }

    /**
     * Returns the offset in bytes from the start of a bucket to the first of the {@linkplain #matches matching slots}.
     */
    static long offset(long matches) {
        return Long.numberOfTrailingZeros(matches) & -Long.BYTES;
    }

    /** Returns how many entries with this home bucket are in one of the buckets that follow. */
    static long elsewhere(long head) {
        return head & BYTE;
    }

    static void addElsewhere(MemorySegment memory, long bucketAt, int delta) {
        long head = get(memory, bucketAt);
        set(memory, bucketAt, (head & ~BYTE) | ((head + delta) & BYTE));
    }

    /** Makes a slot refer to a position. The entry there must be complete. */
    static void fill(MemorySegment memory, long slotAt, long tag, long place) {
        set(memory, slotAt, slot(place));
        setTag(memory, slotAt, tag);
    }

    static void clear(MemorySegment memory, long slotAt) {
        set(memory, slotAt, 0);
        setTag(memory, slotAt, EMPTY);
    }

    static void setTag(MemorySegment memory, long slotAt, long tag) {
        long bucketAt = slotAt & -BUCKET_BYTES;
        long shift = slotAt - bucketAt; // slot 0 begins at byte 8, and its tag at bit 8
        set(memory, bucketAt, (get(memory, bucketAt) & ~(BYTE << shift)) | (tag << shift));
    }

    static long slot(long place) {
        return (place >>> 3) + 1;
    }

    static long placeOf(long slot) {
        return (slot - 1) << 3;
    }

    /** Reads a word with acquire semantics: everything written before the word is visible too. */
    static long get(MemorySegment memory, long at) {
        return (long) WORD.getAcquire(memory, at);
    }

    /** Writes a word with release semantics: everything written before is visible to those who read it. */
    static void set(MemorySegment memory, long at, long value) {
        WORD.setRelease(memory, at, value);
    }
}
