package io.millrace.table.cache;

import io.millrace.hash.SeededHash;
import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a cache: each a state, an index and a circular area of entries. New entries are written behind each
 * other; where the area is full, the oldest make room. Places count bytes written since the beginning, so that they
 * grow for ever; {@code place & (area - 1)} is where that is in the area.
 *
 * <pre>
 *            tail                           head
 *              v                              v
 *  ... | gone  | entry | entry | ... | entry  | free, or gone
 *
 *  state: 0 changes | 8 head | 16 tail | 24 entries | 32 evictions | 40 checked changes | 48 checksum
 * </pre>
 *
 * <p>Writers of one segment exclude each other; readers need no lock. A reader that found an entry and has read what it
 * wanted asks whether the tail has passed it meanwhile: a writer moves the tail first, and only then overwrites. In
 * each step the order of writes is such that a process may be killed between any two of them: entry, head, slot for a
 * new entry; slot, tail, overwriting for an old one; tail, copy, head, slot for one that {@link Eviction#CLOCK} spares,
 * which a reader may miss meanwhile and a kill may lose. {@code changes} is odd while a writer is at it. Allocates
 * nothing.
 *
 * <p>Here is what readers do, and what all who handle segments share; {@link SegmentWriter} changes them,
 * {@link SegmentChecks} mends them.
 */
final class Segments {

    static final int STATE_BYTES = 64;

    static final long CHANGES_AT = 0;
    static final long HEAD_AT = 8;
    static final long TAIL_AT = 16;
    static final long ENTRIES_AT = 24;
    static final long EVICTIONS_AT = 32;
    static final long CHECKED_AT = 40;
    static final long CHECKSUM_AT = 48;

    static final int WINDOW_BYTES = Index.WINDOW * Index.BUCKET_BYTES;
    /** A look-up's result is the number of the slot's word in its window, and behind that the place. */
    private static final int PLACE_BITS = 56;

    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

    private final MemorySegment memory;
    private final SeededHash hash;
    private final int count;
    private final Eviction eviction;
    private final int buckets;
    private final long area;
    private final long statesAt;
    private final long stateStride;
    private final long readOffset;
    private final long areasAt;

    Segments(MemorySegment memory, CacheLayout layout) {
        this.memory = memory;
        this.hash = SeededHash.of(layout.seed());
        this.count = layout.segments();
        this.eviction = layout.eviction();
        this.buckets = layout.buckets();
        this.area = layout.areaBytes();
        this.statesAt = CacheLayout.STATES_AT;
        this.stateStride = layout.stateStride();
        this.readOffset = layout.readOffset();
        this.areasAt = layout.areasAt();
    }

    /** The hash of a key, or of the hash of one that is some bytes. */
    long hash(long key) {
        return hash.hash(key);
    }

    /** What stands for a key that is some bytes. */
    long hash(byte[] key, int at, int length) {
        return hash.hash(key, at, length);
    }

    /** The hash of the key of the entry at a place. */
    long hashAt(int segment, long place) {
        return hash(Entry.key(memory, at(segment, place)));
    }

    /** The segment of a key. */
    int segment(long key) {
        return (int) Math.unsignedMultiplyHigh(hash(key), count);
    }

    long stateAt(int segment) {
        return statesAt + segment * stateStride;
    }

    long state(int segment, long at) {
        return Index.get(memory, stateAt(segment) + at);
    }

    void state(int segment, long at, long value) {
        Index.set(memory, stateAt(segment) + at, value);
    }

    /** Where the search for a hash begins. */
    long home(int segment, long keyHash) {
        return indexAt(segment) + Index.bucket(keyHash, buckets) * Index.BUCKET_BYTES;
    }

    long indexAt(int segment) {
        return stateAt(segment) + STATE_BYTES;
    }

    long entries(int segment) {
        return state(segment, ENTRIES_AT);
    }

    long evictions(int segment) {
        return state(segment, EVICTIONS_AT);
    }

    /** Bytes between tail and head. */
    long used(int segment) {
        return state(segment, HEAD_AT) - state(segment, TAIL_AT);
    }

    /** Where in memory a place is. */
    long at(int segment, long place) {
        return areasAt + segment * area + (place & (area - 1));
    }

    /**
     * The place of the entry of a key, or -1; notes that it was read. For readers, beside writers: what they read there
     * counts only if {@link #isIntact} says so afterwards.
     *
     * @param keyBytes null where the key is a number
     */
    long find(int segment, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long keyHash = hash(key);
        long home = home(segment, keyHash);
        long matches = Index.matches(Index.get(memory, home), Index.tag(keyHash));
        if (matches != 0) {
            // Nearly always it is here: short enough to become part of the reader's own loop.
            long slotAt = home + Index.offset(matches);
            long slot = Index.get(memory, slotAt);
            long place = Index.placeOf(slot);
            if (slot != 0 && holds(segment, place, key, keyBytes, keyAt, keyLength)) {
                noteRead(segment, slotAt);
                return place;
            }
        }
        long found = search(segment, keyHash, key, keyBytes, keyAt, keyLength);
        if (found < 0) {
            return -1;
        }
        noteRead(segment, slotAt(segment, keyHash, found));
        return (found & PLACE_MASK) << 3;
    }

    private void noteRead(int segment, long slotAt) {
        if (eviction == Eviction.CLOCK) {
            mark(segment, slotAt, (byte) 1);
        }
    }

    long search(int segment, long keyHash, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long tag = Index.tag(keyHash);
        long home = home(segment, keyHash);
        long end = home + Index.BUCKET_BYTES;
        for (long bucketAt = home; bucketAt < end; bucketAt += Index.BUCKET_BYTES) {
            long head = Index.get(memory, bucketAt);
            for (long matches = Index.matches(head, tag); matches != 0; matches &= matches - 1) {
                long slotAt = bucketAt + Index.offset(matches);
                long slot = Index.get(memory, slotAt);
                long place = Index.placeOf(slot);
                if (slot != 0 && holds(segment, place, key, keyBytes, keyAt, keyLength)) {
                    return ((slotAt - home) >>> 3 << PLACE_BITS) | (place >>> 3);
                }
            }
            if (bucketAt == home && Index.elsewhere(head) != 0) {
                end = home + WINDOW_BYTES;
            }
        }
        return -1;
    }

    long slotAt(int segment, long keyHash, long found) {
        return home(segment, keyHash) + (found >>> PLACE_BITS) * Long.BYTES;
    }

    /** Whether a place that a slot tells is one of an entry with this key. */
    private boolean holds(int segment, long place, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long at = at(segment, place);
        return Entry.key(memory, at) == key && (keyBytes == null || holds(place, at, keyBytes, keyAt, keyLength));
    }

    private boolean holds(long place, long at, byte[] keyBytes, int keyAt, int keyLength) {
        return Entry.keyLength(memory, at) == keyLength
                && (place & (area - 1)) + Entry.HEADER_BYTES + keyLength <= area
                && RawMemory.equal(memory, at + Entry.HEADER_BYTES, keyBytes, keyAt, keyLength);
    }

    /** Whether the entry that begins at a place was whole when all that was read before this call was read. */
    boolean isIntact(int segment, long place) {
        VarHandle.loadLoadFence();
        return place >= state(segment, TAIL_AT);
    }

    private long markAt(int segment, long slotAt) {
        return stateAt(segment) + readOffset + (slotAt - indexAt(segment)) / Long.BYTES;
    }

    void mark(int segment, long slotAt, byte value) {
        long at = markAt(segment, slotAt);
        if (memory.get(ValueLayout.JAVA_BYTE, at) != value) {
            memory.set(ValueLayout.JAVA_BYTE, at, value);
        }
    }

    boolean wasRead(int segment, long slotAt) {
        return memory.get(ValueLayout.JAVA_BYTE, markAt(segment, slotAt)) != 0;
    }

    void begin(int segment) {
        state(segment, CHANGES_AT, state(segment, CHANGES_AT) + 1);
        VarHandle.storeStoreFence();
    }

    void end(int segment) {
        state(segment, CHANGES_AT, state(segment, CHANGES_AT) + 1);
    }

    /** Bytes from an entry to the next. */
    long lengthOf(int segment, long place) {
        long left = area - (place & (area - 1));
        if (left < Entry.HEADER_BYTES) {
            return left;
        }
        long at = at(segment, place);
        int valueLength = Entry.valueLength(memory, at);
        return valueLength == Entry.LEFT_OUT ? left : Entry.size(Entry.keyLength(memory, at), valueLength);
    }

    /** The slot that refers to the entry at a place, or -1 where none does any more. */
    long slotOf(int segment, long place) {
        if (area - (place & (area - 1)) < Entry.HEADER_BYTES
                || Entry.valueLength(memory, at(segment, place)) == Entry.LEFT_OUT) {
            return -1;
        }
        long keyHash = hashAt(segment, place);
        long home = home(segment, keyHash);
        long end = home + Index.BUCKET_BYTES;
        for (long bucketAt = home; bucketAt < end; bucketAt += Index.BUCKET_BYTES) {
            long head = Index.get(memory, bucketAt);
            for (long matches = Index.matches(head, Index.tag(keyHash)); matches != 0; matches &= matches - 1) {
                long slotAt = bucketAt + Index.offset(matches);
                if (Index.get(memory, slotAt) == Index.slot(place)) {
                    return slotAt;
                }
            }
            if (bucketAt == home && Index.elsewhere(head) != 0) {
                end = home + WINDOW_BYTES;
            }
        }
        return -1;
    }

    /** Told of each entry, oldest first. */
    interface PlaceVisitor {
        /** Shows an entry by its place. */
        void entry(long place);
    }

    void forEach(int segment, PlaceVisitor visitor) {
        long head = state(segment, HEAD_AT);
        for (long place = state(segment, TAIL_AT); place < head; place += lengthOf(segment, place)) {
            if (slotOf(segment, place) >= 0) {
                visitor.entry(place);
            }
        }
    }
}
