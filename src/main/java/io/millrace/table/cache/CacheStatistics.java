package io.millrace.table.cache;

import org.apiguardian.api.API;

/**
 * Metrics of a cache.
 *
 * @param entries number of entries
 * @param capacity capacity for entries in bytes
 * @param used bytes in use, by entries and by replaced entries that are not yet overwritten
 * @param hits lookups that found their key
 * @param misses lookups that did not find their key
 * @param puts entries that were put
 * @param refused entries that were refused because they were too large, or because the cache was full and evicts
 *     nothing
 * @param evictions entries that were evicted since the cache was created
 * @param repaired segments that were repaired on opening because a writer had been killed while it changed them; at
 *     most one entry of each is lost
 * @param dropped segments that were emptied on opening because they did not match their checksum
 * @param lost entries in the dropped segments
 */
@API(status = API.Status.STABLE)
public record CacheStatistics(
        long entries,
        long capacity,
        long used,
        long hits,
        long misses,
        long puts,
        long refused,
        long evictions,
        int repaired,
        int dropped,
        long lost) {

    /** Returns the share of the capacity that is in use, 0 to 1. */
    public double fill() {
        return (double) used / capacity;
    }
}
