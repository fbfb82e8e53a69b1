package io.millrace.table.cache;

import io.millrace.memory.Checksums;
import io.millrace.memory.KeyHash;
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
 * new entry; slot, tail, overwriting for an old one. {@code changes} is odd while a writer is at it. Allocates nothing.
 */
final class Segments {

    static final int STATE_BYTES = 64;

    private static final long CHANGES_AT = 0;
    private static final long HEAD_AT = 8;
    private static final long TAIL_AT = 16;
    private static final long ENTRIES_AT = 24;
    private static final long EVICTIONS_AT = 32;
    private static final long CHECKED_AT = 40;
    private static final long CHECKSUM_AT = 48;

    private static final int WINDOW_WORDS = Index.WINDOW * (Index.SLOTS + 1);
    /** A look-up's result is the number of the slot's word in its window, and behind that the place. */
    private static final int PLACE_BITS = 40;

    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

    private final MemorySegment memory;
    private final Eviction eviction;
    private final int buckets;
    private final long area;
    private final long statesAt;
    private final long stateStride;
    private final long readOffset;
    private final long areasAt;

    Segments(MemorySegment memory, CacheLayout layout) {
        this.memory = memory;
        this.eviction = layout.eviction();
        this.buckets = layout.buckets();
        this.area = layout.areaBytes();
        this.statesAt = CacheLayout.STATES_AT;
        this.stateStride = layout.stateStride();
        this.readOffset = layout.readOffset();
        this.areasAt = layout.areasAt();
    }

    private long stateAt(int segment) {
        return statesAt + segment * stateStride;
    }

    private long state(int segment, long at) {
        return Index.get(memory, stateAt(segment) + at);
    }

    private void state(int segment, long at, long value) {
        Index.set(memory, stateAt(segment) + at, value);
    }

    /** Where the search for a hash begins. */
    private long home(int segment, long hash) {
        return indexAt(segment) + Index.bucket(hash, buckets) * Index.BUCKET_BYTES;
    }

    private long indexAt(int segment) {
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
        long hash = KeyHash.of(key);
        long found = search(segment, hash, key, keyBytes, keyAt, keyLength);
        if (found < 0) {
            return -1;
        }
        if (eviction == Eviction.CLOCK) {
            mark(segment, slotAt(segment, hash, found), (byte) 1);
        }
        return (found & PLACE_MASK) << 3;
    }

    private long search(int segment, long hash, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long tag = Index.tag(hash);
        long home = home(segment, hash);
        int end = Index.SLOTS + 1;
        for (int bucket = 0; bucket < end; bucket += Index.SLOTS + 1) {
            int slots = Index.slotsOf(memory, home + (long) bucket * Long.BYTES, tag);
            for (; slots != 0; slots &= slots - 1) {
                int i = bucket + 1 + Integer.numberOfTrailingZeros(slots);
                long slot = Index.get(memory, home + (long) i * Long.BYTES);
                long place = Index.placeOf(slot);
                if (slot != 0 && holds(segment, place, key, keyBytes, keyAt, keyLength)) {
                    return ((long) i << PLACE_BITS) | (place >>> 3);
                }
            }
            if (bucket == 0 && Index.get(memory, home) != 0) {
                end = WINDOW_WORDS;
            }
        }
        return -1;
    }

    private long slotAt(int segment, long hash, long found) {
        return home(segment, hash) + (found >>> PLACE_BITS) * Long.BYTES;
    }

    /** Whether a place that a slot tells is one of an entry with this key. */
    private boolean holds(int segment, long place, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long at = at(segment, place);
        return Entry.key(memory, at) == key
                && (keyBytes == null || holds(place, at, keyBytes, keyAt, keyLength))
                && isIntact(segment, place);
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

    private void mark(int segment, long slotAt, byte value) {
        long at = markAt(segment, slotAt);
        if (memory.get(ValueLayout.JAVA_BYTE, at) != value) {
            memory.set(ValueLayout.JAVA_BYTE, at, value);
        }
    }

    private boolean wasRead(int segment, long slotAt) {
        return memory.get(ValueLayout.JAVA_BYTE, markAt(segment, slotAt)) != 0;
    }

    /**
     * Puts an entry; false where it is too large, or there is no room and nothing may be overwritten.
     *
     * @param key a number, or the hash of the key's bytes
     * @param keyBytes null where the key is a number
     */
    boolean put(
            int segment,
            long key,
            byte @Nullable [] keyBytes,
            int keyAt,
            int keyLength,
            byte[] value,
            int valueAt,
            int valueLength) {
        long hash = KeyHash.of(key);
        long size = Entry.size(keyLength, valueLength);
        if (size > area || (eviction == Eviction.NONE && !hasRoom(segment, hash, size))) {
            return false;
        }
        begin(segment);
        long place = makeRoom(segment, size);
        long at = at(segment, place);
        Entry.writeHeader(memory, at, key, keyLength, valueLength);
        if (keyBytes != null) {
            RawMemory.copy(keyBytes, keyAt, memory, at + Entry.HEADER_BYTES, keyLength);
        }
        RawMemory.copy(value, valueAt, memory, at + Entry.HEADER_BYTES + keyLength, valueLength);
        state(segment, HEAD_AT, place + size);
        long found = search(segment, hash, key, keyBytes, keyAt, keyLength);
        long slotAt;
        if (found < 0) {
            slotAt = freeSlot(segment, hash);
            state(segment, ENTRIES_AT, state(segment, ENTRIES_AT) + 1);
        } else {
            slotAt = slotAt(segment, hash, found);
        }
        if (eviction == Eviction.CLOCK) {
            mark(segment, slotAt, (byte) 0);
        }
        Index.set(memory, slotAt, Index.slot(Index.tag(hash), place));
        end(segment);
        return true;
    }

    /** Takes an entry out; tells whether it was there. */
    boolean remove(int segment, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long hash = KeyHash.of(key);
        long found = search(segment, hash, key, keyBytes, keyAt, keyLength);
        if (found < 0) {
            return false;
        }
        begin(segment);
        clear(segment, hash, slotAt(segment, hash, found));
        end(segment);
        return true;
    }

    private void begin(int segment) {
        state(segment, CHANGES_AT, state(segment, CHANGES_AT) + 1);
        VarHandle.storeStoreFence();
    }

    private void end(int segment) {
        state(segment, CHANGES_AT, state(segment, CHANGES_AT) + 1);
    }

    private boolean hasRoom(int segment, long hash, long size) {
        long head = state(segment, HEAD_AT);
        return start(head, size) + size - state(segment, TAIL_AT) <= area && emptySlot(segment, hash) >= 0;
    }

    /** Where an entry of a size begins: here, or, where the lap has no room for it, with the next one. */
    private long start(long head, long size) {
        long left = area - (head & (area - 1));
        return size <= left ? head : head + left;
    }

    /** Drops the oldest entries until there is room; the place of the new one. */
    private long makeRoom(int segment, long size) {
        long start = start(state(segment, HEAD_AT), size);
        long spared = area;
        while (state(segment, TAIL_AT) < start + size - area) {
            long place = state(segment, TAIL_AT);
            long length = lengthOf(segment, place);
            long slotAt = slotOf(segment, place);
            if (slotAt >= 0 && eviction == Eviction.CLOCK && wasRead(segment, slotAt) && spared >= length) {
                spared -= length;
                state(segment, TAIL_AT, place + length);
                VarHandle.storeStoreFence();
                moveToHead(segment, place, length, slotAt);
                start = start(state(segment, HEAD_AT), size);
            } else {
                if (slotAt >= 0) {
                    clear(segment, KeyHash.of(Entry.key(memory, at(segment, place))), slotAt);
                    state(segment, EVICTIONS_AT, state(segment, EVICTIONS_AT) + 1);
                }
                state(segment, TAIL_AT, place + length);
            }
        }
        VarHandle.storeStoreFence();
        long head = state(segment, HEAD_AT);
        if (start > head && start - head >= Entry.HEADER_BYTES) {
            Entry.leaveOut(memory, at(segment, head));
        }
        return start;
    }

    /** Bytes from an entry to the next. */
    private long lengthOf(int segment, long place) {
        long left = area - (place & (area - 1));
        if (left < Entry.HEADER_BYTES) {
            return left;
        }
        long at = at(segment, place);
        int valueLength = Entry.valueLength(memory, at);
        return valueLength == Entry.LEFT_OUT ? left : Entry.size(Entry.keyLength(memory, at), valueLength);
    }

    /** The slot that refers to the entry at a place, or -1 where none does any more. */
    private long slotOf(int segment, long place) {
        if (area - (place & (area - 1)) < Entry.HEADER_BYTES
                || Entry.valueLength(memory, at(segment, place)) == Entry.LEFT_OUT) {
            return -1;
        }
        long hash = KeyHash.of(Entry.key(memory, at(segment, place)));
        long wanted = Index.slot(Index.tag(hash), place);
        long home = home(segment, hash);
        for (int i = 0; i < WINDOW_WORDS; i++) {
            if ((i & Index.SLOTS) != 0 && Index.get(memory, home + (long) i * Long.BYTES) == wanted) {
                return home + (long) i * Long.BYTES;
            }
        }
        return -1;
    }

    /** Copies an entry that the tail has passed to the head, so that it counts as new. */
    private void moveToHead(int segment, long place, long length, long slotAt) {
        long head = state(segment, HEAD_AT);
        long start = start(head, length);
        if (start + length - state(segment, TAIL_AT) > area) {
            // At the end of a lap there may be less room than the entry left behind: then it goes.
            clear(segment, KeyHash.of(Entry.key(memory, at(segment, place))), slotAt);
            state(segment, EVICTIONS_AT, state(segment, EVICTIONS_AT) + 1);
            return;
        }
        long hash = KeyHash.of(Entry.key(memory, at(segment, place)));
        MemorySegment.copy(memory, at(segment, place), memory, at(segment, start), length);
        if (start > head && start - head >= Entry.HEADER_BYTES) {
            Entry.leaveOut(memory, at(segment, head));
        }
        state(segment, HEAD_AT, start + length);
        mark(segment, slotAt, (byte) 0);
        Index.set(memory, slotAt, Index.slot(Index.tag(hash), start));
    }

    private void clear(int segment, long hash, long slotAt) {
        Index.set(memory, slotAt, 0);
        long home = home(segment, hash);
        if (slotAt >= home + Index.BUCKET_BYTES) {
            Index.set(memory, home, Index.get(memory, home) - 1);
        }
        state(segment, ENTRIES_AT, state(segment, ENTRIES_AT) - 1);
    }

    /** An empty slot for a hash, or -1. */
    private long emptySlot(int segment, long hash) {
        long home = home(segment, hash);
        for (int i = 0; i < WINDOW_WORDS; i++) {
            long slotAt = home + (long) i * Long.BYTES;
            if ((i & Index.SLOTS) != 0 && Index.get(memory, slotAt) == 0) {
                return slotAt;
            }
        }
        return -1;
    }

    /** An empty slot for a hash; where there is none, that of the oldest entry near, which is dropped. */
    private long freeSlot(int segment, long hash) {
        long slotAt = emptySlot(segment, hash);
        long home = home(segment, hash);
        if (slotAt < 0) {
            for (int i = 0; i < WINDOW_WORDS; i++) {
                long candidate = home + (long) i * Long.BYTES;
                if ((i & Index.SLOTS) != 0 && (slotAt < 0 || placeIn(candidate) < placeIn(slotAt))) {
                    slotAt = candidate;
                }
            }
            clear(segment, KeyHash.of(Entry.key(memory, at(segment, placeIn(slotAt)))), slotAt);
            state(segment, EVICTIONS_AT, state(segment, EVICTIONS_AT) + 1);
        }
        if (slotAt >= home + Index.BUCKET_BYTES) {
            Index.set(memory, home, Index.get(memory, home) + 1);
        }
        return slotAt;
    }

    private long placeIn(long slotAt) {
        return Index.placeOf(Index.get(memory, slotAt));
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

    /** Notes the checksum of all that the segment holds. */
    void check(int segment) {
        long changes = state(segment, CHANGES_AT);
        if (state(segment, CHECKED_AT) != changes) {
            RawMemory.putLong(memory, stateAt(segment) + CHECKSUM_AT, checksum(segment));
            state(segment, CHECKED_AT, changes);
        }
    }

    private long checksum(int segment) {
        long sum = Integer.toUnsignedLong(Checksums.crc32c(memory, stateAt(segment) + HEAD_AT, CHECKED_AT - HEAD_AT));
        sum = sum * 31 + Checksums.crc32c(memory, indexAt(segment), (long) buckets * Index.BUCKET_BYTES);
        return sum * 31 + Checksums.crc32c(memory, areasAt + segment * area, area);
    }

    /** Whether the segment holds what its checksum was computed of. Reads all of it. */
    boolean isUnchanged(int segment) {
        return state(segment, CHANGES_AT) == state(segment, CHECKED_AT)
                && (state(segment, CHANGES_AT) == 0
                        || RawMemory.getLong(memory, stateAt(segment) + CHECKSUM_AT) == checksum(segment));
    }

    /** Whether a writer was killed while it was at this segment. */
    boolean isTorn(int segment) {
        return (state(segment, CHANGES_AT) & 1) != 0;
    }

    /** Copies the segment to other memory of the same layout. */
    void copy(int segment, MemorySegment into) {
        long at = stateAt(segment);
        MemorySegment.copy(memory, at, into, at, stateStride);
        long areaAt = areasAt + segment * area;
        MemorySegment.copy(memory, areaAt, into, areaAt, area);
    }

    /** Forgets all entries; returns how many there were. */
    long drop(int segment) {
        long lost = state(segment, ENTRIES_AT);
        memory.asSlice(stateAt(segment), stateStride).fill((byte) 0);
        return lost;
    }

    /**
     * Makes a segment whole at which a writer was killed: only what it was putting in or taking out is lost. Slots that
     * refer to nothing are cleared, and all counts are counted again.
     */
    void repair(int segment) {
        long head = state(segment, HEAD_AT);
        long tail = state(segment, TAIL_AT);
        long entries = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            Index.set(memory, indexAt(segment) + (long) bucket * Index.BUCKET_BYTES, 0);
        }
        for (int bucket = 0; bucket < buckets; bucket++) {
            for (int i = 1; i <= Index.SLOTS; i++) {
                long slotAt = indexAt(segment) + (long) bucket * Index.BUCKET_BYTES + (long) i * Long.BYTES;
                long slot = Index.get(memory, slotAt);
                long place = Index.placeOf(slot);
                if (slot != 0 && (place < tail || place >= head)) {
                    Index.set(memory, slotAt, 0);
                } else if (slot != 0) {
                    entries++;
                    long home = Index.bucket(KeyHash.of(Entry.key(memory, at(segment, place))), buckets);
                    if (home < bucket) {
                        long elsewhere = indexAt(segment) + home * Index.BUCKET_BYTES;
                        Index.set(memory, elsewhere, Index.get(memory, elsewhere) + 1);
                    }
                }
            }
        }
        state(segment, ENTRIES_AT, entries);
        end(segment);
    }
}
