package io.millrace.table.cache;

/**
 * How a cache fares.
 *
 * @param entries how many it holds
 * @param capacity bytes that it has for entries
 * @param used bytes of them that are taken, by entries and by such as were replaced and wait to be overwritten
 * @param hits how often a reader found a key
 * @param misses how often it did not
 * @param puts how many entries were put
 * @param refused how many were not, because they were too large or nothing may be overwritten
 * @param evictions how many entries made room for others, since the file was made
 * @param repaired segments at which a writer had been killed when the file was opened: of each, no more than one entry
 *     is lost
 * @param dropped segments that did not hold what their checksum tells, and were emptied when the file was opened
 * @param lost entries that these had held
 */
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

    /** The part of its room that is taken, 0 to 1. */
    public double fill() {
        return (double) used / capacity;
    }
}
