package io.millrace.table.cache;

import io.millrace.hash.SeededHash;
import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a cache. Each consists of a state, an index and a circular area of entries. Writers append entries at
 * the head; when the area is full, they evict entries at the tail. A position counts the bytes written to a segment
 * since its creation, so it only grows; {@code position & (area - 1)} is the offset in the area. Variables named
 * {@code place} contain positions.
 *
 * <pre>
 *            tail                           head
 *              v                              v
 *  ... | gone  | entry | entry | ... | entry  | free, or gone
 *
 *  state: 0 changes | 8 head | 16 tail | 24 entries | 32 evictions | 40 checked changes | 48 checksum
 * </pre>
 *
 * <p>Writers of one segment exclude each other; readers need no lock. A reader that has read an entry then checks
 * whether the tail has passed it: a writer moves the tail before it overwrites anything. Writes are ordered so that a
 * process may be killed between any two of them: entry, head, slot for a new entry; slot, tail, overwriting for an
 * evicted one; tail, copy, head, slot for one that {@link Eviction#CLOCK} moves, which a reader may miss meanwhile and
 * a kill may lose. {@code changes} is odd while a writer changes the segment. Allocates nothing.
 *
 * <p>This class contains reads and shared code. {@link SegmentWriter} changes segments, {@link SegmentChecks} repairs
 * them.
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
    /**
     * A search result contains the index of the slot's word in its window above the position, in units of eight bytes.
     */
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

    /** Returns the hash of a number, which is a key or the hash of a key's bytes. */
    long hash(long key) {
        return hash.hash(key);
    }

    /** Returns the hash of a key's bytes, which represents the key. */
    long hash(byte[] key, int at, int length) {
        return hash.hash(key, at, length);
    }

    /** Returns the hash of the key of the entry at a position. */
    long hashAt(int segment, long place) {
        return hash(Entry.key(memory, at(segment, place)));
    }

    /** Returns the segment of a key. */
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

    /** Returns the offset of a hash's home bucket, at which the search begins. */
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

    /** Returns the number of bytes between tail and head. */
    long used(int segment) {
        return state(segment, HEAD_AT) - state(segment, TAIL_AT);
    }

    /** Returns the memory offset of a position. */
    long at(int segment, long place) {
        return areasAt + segment * area + (place & (area - 1));
    }

    /**
     * Returns the position of a key's entry, or -1, and marks the entry as read. Safe for readers concurrent with
     * writers: what they read at the position is valid only if {@link #isIntact} then returns true.
     *
     * @param keyBytes null if the key is a number
     */
    long find(int segment, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long keyHash = hash(key);
        long home = home(segment, keyHash);
        long matches = Index.matches(Index.get(memory, home), Index.tag(keyHash));
        if (matches != 0) {
            // The common case, short enough to be inlined into the reader's loop.
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

    /** Returns whether the entry at a slot's position has this key. */
    private boolean holds(int segment, long place, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long at = at(segment, place);
        return Entry.key(memory, at) == key && (keyBytes == null || holds(place, at, keyBytes, keyAt, keyLength));
    }

    private boolean holds(long place, long at, byte[] keyBytes, int keyAt, int keyLength) {
        return Entry.keyLength(memory, at) == keyLength
                && (place & (area - 1)) + Entry.HEADER_BYTES + keyLength <= area
                && RawMemory.equal(memory, at + Entry.HEADER_BYTES, keyBytes, keyAt, keyLength);
    }

    /** Returns whether the entry at a position was intact during all reads before this call. */
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

    /** Returns the number of bytes from an entry to the next. */
    long lengthOf(int segment, long place) {
        long left = area - (place & (area - 1));
        if (left < Entry.HEADER_BYTES) {
            return left;
        }
        long at = at(segment, place);
        int valueLength = Entry.valueLength(memory, at);
        return valueLength == Entry.LEFT_OUT ? left : Entry.size(Entry.keyLength(memory, at), valueLength);
    }

    /** Returns the slot that refers to the entry at a position, or -1 if none does any more. */
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

    /** Visits entries, oldest first. */
    interface PlaceVisitor {
        /** Visits the entry at a position. */
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
