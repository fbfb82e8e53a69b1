package io.millrace.table.cache;

import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The size and location of a cache.
 *
 * @param bytes capacity for entries in bytes, rounded up to whole segments. Each entry takes its key, its value and up
 *     to 23 bytes more. The index takes additional memory: 14 bytes for each entry of the average length
 * @param averageBytes expected length in bytes of a value, with its key unless the key is a number; determines the size
 *     of the index
 * @param eviction what happens to old entries when a segment is full
 * @param file mapped file that stores the cache; null to store it in memory
 * @param stamp identifies what the values are, such as a schema fingerprint. A file with another stamp is refused
 */
@API(status = API.Status.STABLE)
public record CacheOptions(
        long bytes,
        int averageBytes,
        Eviction eviction,
        @Nullable Path file,
        long stamp) {

    /** Maximum number of bytes that an entry takes in addition to its key and value. */
    public static final int ENTRY_OVERHEAD_MAX = Entry.HEADER_BYTES + 7;

    /** Size in bytes of the largest entry that any cache can store. */
    public static final int ENTRY_BYTES_MAX = 1 << 20;

    private static final long SEGMENT_BYTES = ENTRY_BYTES_MAX;
    private static final long MIN_SEGMENT_BYTES = 1 << 16;
    private static final int MIN_SEGMENTS = 16;
    private static final double ENTRIES_PER_BUCKET = 4.5;

    public CacheOptions {
        if (bytes < 1 || averageBytes < 1) {
            throw new IllegalArgumentException("Invalid size of the cache: " + bytes + " bytes for entries of "
                    + averageBytes + " bytes. Use 1 or more for both.");
        }
    }

    /** Returns options for a cache in memory. */
    public static CacheOptions inMemory(long bytes, int averageBytes, Eviction eviction) {
        return new CacheOptions(bytes, averageBytes, eviction, null, 0);
    }

    /** Returns the size of each segment's entry area in bytes, a power of two. No entry can be larger. */
    long segmentBytes() {
        long share = Long.highestOneBit(Math.max(1, bytes / MIN_SEGMENTS));
        return Math.max(MIN_SEGMENT_BYTES, Math.min(SEGMENT_BYTES, share));
    }

    int segments() {
        return Math.toIntExact((bytes + segmentBytes() - 1) / segmentBytes());
    }

    /** Returns the number of index buckets in each segment. */
    int buckets() {
        double entries = segmentBytes() / (double) Entry.size(0, averageBytes);
        return (int) Math.ceil(entries / ENTRIES_PER_BUCKET) + Index.WINDOW;
    }
}
