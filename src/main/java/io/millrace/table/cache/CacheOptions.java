package io.millrace.table.cache;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How large a cache is, and where it lies.
 *
 * @param bytes room for entries, each with its key and up to 23 bytes more; rounded up to whole segments. The index
 *     comes on top: 14 bytes for each entry of the average length
 * @param averageBytes expected length of a value with its key, where that is not a number; sizes the index
 * @param eviction what becomes of old entries
 * @param file where it is kept, mapped; null to have it in memory
 * @param stamp what the values are, such as a schema's fingerprint: a file with another one is refused
 */
public record CacheOptions(
        long bytes,
        int averageBytes,
        Eviction eviction,
        @Nullable Path file,
        long stamp) {

    /** What an entry takes in addition to its key and value at most, in bytes. */
    public static final int ENTRY_OVERHEAD_MAX = Entry.HEADER_BYTES + 7;

    /** Bytes of the largest entry that a cache of any size holds. */
    public static final int ENTRY_BYTES_MAX = 1 << 20;

    private static final long SEGMENT_BYTES = ENTRY_BYTES_MAX;
    private static final long SMALLEST_SEGMENT_BYTES = 1 << 16;
    private static final int LEAST_SEGMENTS = 16;
    private static final double ENTRIES_PER_BUCKET = 4.5;

    public CacheOptions {
        if (bytes < 1 || averageBytes < 1) {
            throw new IllegalArgumentException("bytes=" + bytes + " averageBytes=" + averageBytes + " must be above 0");
        }
    }

    /** A cache in memory. */
    public static CacheOptions inMemory(long bytes, int averageBytes, Eviction eviction) {
        return new CacheOptions(bytes, averageBytes, eviction, null, 0);
    }

    /** Bytes for entries in each segment, a power of two; also the largest entry. */
    long segmentBytes() {
        long share = Long.highestOneBit(Math.max(1, bytes / LEAST_SEGMENTS));
        return Math.max(SMALLEST_SEGMENT_BYTES, Math.min(SEGMENT_BYTES, share));
    }

    /** How many segments there are. */
    int segments() {
        return Math.toIntExact((bytes + segmentBytes() - 1) / segmentBytes());
    }

    /** Buckets of the index of each segment. */
    int buckets() {
        double entries = segmentBytes() / (double) Entry.size(0, averageBytes);
        return (int) Math.ceil(entries / ENTRIES_PER_BUCKET) + Index.WINDOW;
    }
}
