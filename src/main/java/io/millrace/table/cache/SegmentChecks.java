package io.millrace.table.cache;

import io.millrace.memory.Checksums;
import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;

/**
 * Finds and repairs segments that a killed process or a crashed machine left incomplete, and copies intact ones.
 * Callers prevent concurrent writes to the segment.
 */
final class SegmentChecks {

    private final Segments segments;
    private final MemorySegment memory;
    private final CacheLayout layout;

    SegmentChecks(Segments segments, MemorySegment memory, CacheLayout layout) {
        this.segments = segments;
        this.memory = memory;
        this.layout = layout;
    }

    /** Stores the checksum of the segment's contents. */
    void check(int segment) {
        long changes = segments.state(segment, Segments.CHANGES_AT);
        if (segments.state(segment, Segments.CHECKED_AT) != changes) {
            RawMemory.putLong(memory, segments.stateAt(segment) + Segments.CHECKSUM_AT, checksum(segment));
            segments.state(segment, Segments.CHECKED_AT, changes);
        }
    }

    private long checksum(int segment) {
        long sum = Integer.toUnsignedLong(Checksums.crc32c(
                memory, segments.stateAt(segment) + Segments.HEAD_AT, Segments.CHECKED_AT - Segments.HEAD_AT));
        sum = sum * 31
                + Checksums.crc32c(memory, segments.indexAt(segment), (long) layout.buckets() * Index.BUCKET_BYTES);
        return sum * 31 + Checksums.crc32c(memory, layout.areaAt(segment), layout.areaBytes());
    }

    /** Returns whether the segment matches its checksum, or never contained anything. Reads all of it. */
    boolean isUnchanged(int segment) {
        long changes = segments.state(segment, Segments.CHANGES_AT);
        if (changes == 0) {
            return isBlank(segment);
        }
        return changes == segments.state(segment, Segments.CHECKED_AT)
                && RawMemory.getLong(memory, segments.stateAt(segment) + Segments.CHECKSUM_AT) == checksum(segment);
    }

    /**
     * Returns whether the whole state is zero. The index may have been written to disk although the segment's state was
     * not.
     */
    private boolean isBlank(int segment) {
        long end = segments.stateAt(segment) + layout.stateStride();
        for (long at = segments.stateAt(segment); at < end; at += Long.BYTES) {
            if (RawMemory.getLong(memory, at) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a writer was killed while it changed this segment. */
    boolean isTorn(int segment) {
        return (segments.state(segment, Segments.CHANGES_AT) & 1) != 0;
    }

    /** Copies the segment to other memory of the same layout. */
    void copy(int segment, MemorySegment into) {
        long at = segments.stateAt(segment);
        MemorySegment.copy(memory, at, into, at, layout.stateStride());
        long areaAt = layout.areaAt(segment);
        MemorySegment.copy(memory, areaAt, into, areaAt, layout.areaBytes());
    }

    /** Removes all entries; returns how many there were. */
    long drop(int segment) {
        long lost = segments.state(segment, Segments.ENTRIES_AT);
        memory.asSlice(segments.stateAt(segment), layout.stateStride()).fill((byte) 0);
        return lost;
    }

    /**
     * Repairs a segment whose writer was killed. Only the entry that was being put, removed or, by
     * {@link Eviction#CLOCK}, moved is lost. Clears slots that refer to no entry, and rebuilds the heads of all
     * buckets.
     */
    void repair(int segment) {
        long head = segments.state(segment, Segments.HEAD_AT);
        long tail = segments.state(segment, Segments.TAIL_AT);
        int buckets = layout.buckets();
        long entries = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            Index.set(memory, segments.indexAt(segment) + (long) bucket * Index.BUCKET_BYTES, 0);
        }
        for (int bucket = 0; bucket < buckets; bucket++) {
            for (int i = 1; i <= Index.SLOTS; i++) {
                long slotAt = segments.indexAt(segment) + (long) bucket * Index.BUCKET_BYTES + (long) i * Long.BYTES;
                long slot = Index.get(memory, slotAt);
                long place = Index.placeOf(slot);
                if (slot != 0 && (place < tail || place >= head)) {
                    Index.clear(memory, slotAt);
                } else if (slot != 0) {
                    entries++;
                    long hash = segments.hashAt(segment, place);
                    Index.setTag(memory, slotAt, Index.tag(hash));
                    long home = Index.bucket(hash, buckets);
                    if (home < bucket) {
                        Index.addElsewhere(memory, segments.indexAt(segment) + home * Index.BUCKET_BYTES, 1);
                    }
                }
            }
        }
        segments.state(segment, Segments.ENTRIES_AT, entries);
        segments.end(segment);
    }
}
