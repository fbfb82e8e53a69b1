package io.millrace.table.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The index of a segment: buckets of one cache line, of which each has room for seven entries.
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
 * A slot is one word, read and written as a whole: it is 0, or says where an entry begins, in units of eight bytes
 * written to the segment since its beginning, and one more. So a reader sees an entry that is there or one that is not,
 * and a process that is killed leaves one or the other. Its tag is seven bits of the hash and one that is set, or 0
 * where it is empty: one comparison of the head tells which slots are worth a look, without a branch for each. (As in
 * Abseil's Swiss tables.) Entries that find no place in their bucket go to one of the seven behind it;
 * {@code elsewhere} counts them, so that a look-up goes there only where it must. Numbers have the byte order of the
 * machine.
 */
final class Index {

    static final int BUCKET_BYTES = 64;
    static final int SLOTS = 7;

    /** Buckets that an entry may stand in: its own and those behind it. */
    static final int WINDOW = 8;

    /** The tag of a slot that is empty. */
    static final long EMPTY = 0;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long BYTE = 0xFF;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS_OF_TAGS = 0x8080808080808000L;

    private Index() {}

    /** What stands in a bucket's head for an entry of this hash. Its highest bit tells it from {@link #EMPTY}. */
    static long tag(long hash) {
        return ((hash >>> Integer.SIZE) & BYTE) | 0x80;
    }

    /** The bucket of a hash, of so many that entries may begin their search at. */
    static long bucket(long hash, int buckets) {
        return ((hash & 0xFFFFFFFFL) * (buckets - WINDOW + 1)) >>> Integer.SIZE;
    }

    /**
     * The slots that have a tag, as one bit each, for {@link #offset}; take the lowest away for the next. Behind one
     * that has it there may be some that have not; but those that are empty are told exactly.
     */
    static long matches(long head, long tag) {
        long different = head ^ (tag * ONES);
        return (different - ONES) & ~different & HIGH_BITS_OF_TAGS;
    }

    /** From the beginning of a bucket to the first of {@linkplain #matches these slots}, in bytes. */
    static long offset(long matches) {
        return Long.numberOfTrailingZeros(matches) & -Long.BYTES;
    }

    /** How many entries of a bucket stand in one behind it. */
    static long elsewhere(long head) {
        return head & BYTE;
    }

    static void addElsewhere(MemorySegment memory, long bucketAt, int howMany) {
        long head = get(memory, bucketAt);
        set(memory, bucketAt, (head & ~BYTE) | ((head + howMany) & BYTE));
    }

    /** Has a slot refer to a place; what is there must be complete. */
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

    /** A word, and with it all that was written before it. */
    static long get(MemorySegment memory, long at) {
        return (long) WORD.getAcquire(memory, at);
    }

    /** Writes a word after all that was written before. */
    static void set(MemorySegment memory, long at, long value) {
        WORD.setRelease(memory, at, value);
    }
}
