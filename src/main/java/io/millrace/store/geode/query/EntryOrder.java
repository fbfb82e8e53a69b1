package io.millrace.store.geode.query;

import it.unimi.dsi.fastutil.HashCommon;

/**
 * An order of entries in which a query can resume, unlike Geode's own order: by the mixed hash of the keys, a number
 * from 0 to below {@link #END}. Keys are of classes whose hash is the same in every process, because Geode determines a
 * key's bucket by it.
 */
final class EntryOrder {

    /** Behind all places. */
    static final long END = 1L << 32;

    private EntryOrder() {}

    /** Returns the place of a key, which is independent of its bucket. */
    static long place(Object key) {
        return Integer.toUnsignedLong(HashCommon.murmurHash3(key.hashCode()));
    }

    /**
     * Returns the end of a range that holds about the given number of entries.
     *
     * @param from start of the range
     * @param size of the bucket, in entries
     */
    static long end(long from, int entries, int size) {
        return size <= entries ? END : Math.min(END, from + Math.max(1, END / size * entries));
    }
}
