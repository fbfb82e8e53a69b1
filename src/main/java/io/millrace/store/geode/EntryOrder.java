package io.millrace.store.geode;

import it.unimi.dsi.fastutil.HashCommon;

/**
 * An order of entries in which a query can go on where it was, which Geode's own is not: by the mixed hash of their
 * keys, a number from 0 to below {@link #END}. Keys are of classes whose hash is the same in every process, since Geode
 * finds a key's bucket by it.
 */
final class EntryOrder {

    /** Behind all places. */
    static final long END = 1L << 32;

    private EntryOrder() {}

    /** Where a key is; its bucket says nothing of it. */
    static long place(Object key) {
        return Integer.toUnsignedLong(HashCommon.murmurHash3(key.hashCode()));
    }

    /**
     * The end of a range that holds about so many entries.
     *
     * @param from its beginning
     * @param size of the bucket, in entries
     */
    static long end(long from, int entries, int size) {
        return size <= entries ? END : Math.min(END, from + Math.max(1, END / size * entries));
    }
}
