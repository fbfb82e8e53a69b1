package io.millrace.table.cache;

import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Puts entries into segments and removes them; see {@link Segments} for the order of its writes. Callers prevent
 * concurrent writes to the segment. Allocates nothing.
 */
final class SegmentWriter {

    private final Segments segments;
    private final MemorySegment memory;
    private final Eviction eviction;
    private final long area;

    SegmentWriter(Segments segments, MemorySegment memory, CacheLayout layout) {
        this.segments = segments;
        this.memory = memory;
        this.eviction = layout.eviction();
        this.area = layout.areaBytes();
    }

    /**
     * Puts an entry; returns false if it is too large, or if there is no space and nothing may be evicted.
     *
     * @param key a number, or the hash of the key's bytes
     * @param keyBytes null if the key is a number
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
        long hash = segments.hash(key);
        long size = Entry.size(keyLength, valueLength);
        if (size > area || (eviction == Eviction.NONE && !hasSpace(segment, hash, size))) {
            return false;
        }
        segments.begin(segment);
        long place = makeSpace(segment, size);
        long at = segments.at(segment, place);
        Entry.writeHeader(memory, at, key, keyLength, valueLength);
        if (keyBytes != null) {
            RawMemory.copy(keyBytes, keyAt, memory, at + Entry.HEADER_BYTES, keyLength);
        }
        RawMemory.copy(value, valueAt, memory, at + Entry.HEADER_BYTES + keyLength, valueLength);
        segments.state(segment, Segments.HEAD_AT, place + size);
        long found = segments.search(segment, hash, key, keyBytes, keyAt, keyLength);
        long slotAt;
        if (found < 0) {
            slotAt = freeSlot(segment, hash);
            segments.state(segment, Segments.ENTRIES_AT, segments.state(segment, Segments.ENTRIES_AT) + 1);
        } else {
            slotAt = segments.slotAt(segment, hash, found);
        }
        if (eviction == Eviction.CLOCK) {
            segments.mark(segment, slotAt, (byte) 0);
        }
        Index.fill(memory, slotAt, Index.tag(hash), place);
        segments.end(segment);
        return true;
    }

    /** Removes an entry; returns whether it was present. */
    boolean remove(int segment, long key, byte @Nullable [] keyBytes, int keyAt, int keyLength) {
        long hash = segments.hash(key);
        long found = segments.search(segment, hash, key, keyBytes, keyAt, keyLength);
        if (found < 0) {
            return false;
        }
        segments.begin(segment);
        clear(segment, hash, segments.slotAt(segment, hash, found));
        segments.end(segment);
        return true;
    }

    private boolean hasSpace(int segment, long hash, long size) {
        long head = segments.state(segment, Segments.HEAD_AT);
        return start(head, size) + size - segments.state(segment, Segments.TAIL_AT) <= area
                && emptySlot(segment, hash) >= 0;
    }

    /** Returns the position at which an entry of a size begins: the head, or the next lap if this one is too short. */
    private long start(long head, long size) {
        long left = area - (head & (area - 1));
        return size <= left ? head : head + left;
    }

    /** Evicts the oldest entries until there is space; returns the position of the new entry. */
    private long makeSpace(int segment, long size) {
        long start = start(segments.state(segment, Segments.HEAD_AT), size);
        long spared = area;
        while (segments.state(segment, Segments.TAIL_AT) < start + size - area) {
            long place = segments.state(segment, Segments.TAIL_AT);
            if (place == segments.state(segment, Segments.HEAD_AT)) {
                return beginLap(segment, place, start);
            }
            long length = segments.lengthOf(segment, place);
            long slotAt = segments.slotOf(segment, place);
            if (slotAt >= 0 && eviction == Eviction.CLOCK && segments.wasRead(segment, slotAt) && spared >= length) {
                spared -= length;
                segments.state(segment, Segments.TAIL_AT, place + length);
                VarHandle.storeStoreFence();
                moveToHead(segment, place, length, slotAt);
                start = start(segments.state(segment, Segments.HEAD_AT), size);
            } else {
                if (slotAt >= 0) {
                    clear(segment, segments.hashAt(segment, place), slotAt);
                    segments.state(segment, Segments.EVICTIONS_AT, segments.state(segment, Segments.EVICTIONS_AT) + 1);
                }
                segments.state(segment, Segments.TAIL_AT, place + length);
            }
        }
        VarHandle.storeStoreFence();
        leaveOut(segment, segments.state(segment, Segments.HEAD_AT), start);
        return start;
    }

    /** Moves an empty segment to the start of a lap, which an entry of more than half the area needs. */
    private long beginLap(int segment, long head, long start) {
        VarHandle.storeStoreFence();
        leaveOut(segment, head, start);
        segments.state(segment, Segments.HEAD_AT, start);
        segments.state(segment, Segments.TAIL_AT, start);
        VarHandle.storeStoreFence();
        return start;
    }

    private void leaveOut(int segment, long head, long start) {
        if (start - head >= Entry.HEADER_BYTES) {
            Entry.leaveOut(memory, segments.at(segment, head));
        }
    }

    /** Copies an entry that the tail has passed to the head, so that it counts as new. */
    private void moveToHead(int segment, long place, long length, long slotAt) {
        long head = segments.state(segment, Segments.HEAD_AT);
        long start = start(head, length);
        if (start + length - segments.state(segment, Segments.TAIL_AT) > area) {
            // At the end of a lap there may be less space than the entry has freed: then it is evicted.
            clear(segment, segments.hashAt(segment, place), slotAt);
            segments.state(segment, Segments.EVICTIONS_AT, segments.state(segment, Segments.EVICTIONS_AT) + 1);
            return;
        }
        MemorySegment.copy(memory, segments.at(segment, place), memory, segments.at(segment, start), length);
        leaveOut(segment, head, start);
        segments.state(segment, Segments.HEAD_AT, start + length);
        segments.mark(segment, slotAt, (byte) 0);
        Index.set(memory, slotAt, Index.slot(start));
    }

    private void clear(int segment, long hash, long slotAt) {
        Index.clear(memory, slotAt);
        long home = segments.home(segment, hash);
        if (slotAt >= home + Index.BUCKET_BYTES) {
            Index.addElsewhere(memory, home, -1);
        }
        segments.state(segment, Segments.ENTRIES_AT, segments.state(segment, Segments.ENTRIES_AT) - 1);
    }

    /** Returns an empty slot for a hash, or -1. */
    private long emptySlot(int segment, long hash) {
        long home = segments.home(segment, hash);
        for (long bucketAt = home; bucketAt < home + Segments.WINDOW_BYTES; bucketAt += Index.BUCKET_BYTES) {
            long empty = Index.matches(Index.get(memory, bucketAt), Index.EMPTY);
            if (empty != 0) {
                return bucketAt + Index.offset(empty);
            }
        }
        return -1;
    }

    /**
     * Returns an empty slot for a hash. If there is none, evicts the oldest entry in the hash's buckets and returns its
     * slot.
     */
    private long freeSlot(int segment, long hash) {
        long slotAt = emptySlot(segment, hash);
        long home = segments.home(segment, hash);
        if (slotAt < 0) {
            for (long at = 0; at < Segments.WINDOW_BYTES; at += Long.BYTES) {
                long candidate = home + at;
                if (at % Index.BUCKET_BYTES != 0 && (slotAt < 0 || placeIn(candidate) < placeIn(slotAt))) {
                    slotAt = candidate;
                }
            }
            clear(segment, segments.hashAt(segment, placeIn(slotAt)), slotAt);
            segments.state(segment, Segments.EVICTIONS_AT, segments.state(segment, Segments.EVICTIONS_AT) + 1);
        }
        if (slotAt >= home + Index.BUCKET_BYTES) {
            Index.addElsewhere(memory, home, 1);
        }
        return slotAt;
    }

    private long placeIn(long slotAt) {
        return Index.placeOf(Index.get(memory, slotAt));
    }
}
