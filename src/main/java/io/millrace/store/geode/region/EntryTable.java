package io.millrace.store.geode.region;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.geode.internal.cache.RegionEntry;
import org.apache.geode.internal.util.concurrent.CustomEntryConcurrentHashMap;
import org.apache.geode.internal.util.concurrent.CustomEntryConcurrentHashMap.HashEntry;

/**
 * Geode's hash table of the entries of a bucket, read in an order in which any member can resume: by the
 * {@linkplain #place place} of an entry, which are the reversed bits of its hash. Tables select a slot by the lowest
 * bits of the hash, so a slot contains one range of places, however large the table is, and stays the same range or is
 * divided when the table grows. A scan therefore finds its next entries directly, as cursors of Redis' SCAN do. Geode's
 * own iterators always begin at the start.
 *
 * <p>The fields that it reads are not public, in Geode 1.15. They are read under the same lock as by Geode's iterators,
 * so entries that are not put or removed meanwhile are read exactly once. Thread-safe.
 */
final class EntryTable {

    /** Behind all places. */
    static final long END = 1L << Integer.SIZE;

    private static final VarHandle SEGMENTS;
    private static final VarHandle TABLE;
    private static final VarHandle LOCK;

    static {
        try {
            Class<?> segment = Class.forName(CustomEntryConcurrentHashMap.class.getName() + "$Segment");
            SEGMENTS = field(CustomEntryConcurrentHashMap.class, "segments");
            TABLE = field(segment, "table");
            LOCK = field(segment, "listUpdateLock");
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CustomEntryConcurrentHashMap<?, ?> map;

    /** @param map the entries of a bucket, by key */
    EntryTable(CustomEntryConcurrentHashMap<?, ?> map) {
        this.map = map;
    }

    private static VarHandle field(Class<?> owner, String name) throws ReflectiveOperationException {
        return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
                .unreflectVarHandle(owner.getDeclaredField(name));
    }

    /** Returns the place of an entry with this hash, which is the same on all members. */
    static long place(int hash) {
        return Integer.toUnsignedLong(Integer.reverse(hash));
    }

    /**
     * Returns the end of a range that contains about the given number of entries. It is a multiple of the range's
     * length, so that ranges of at least a slot end where a slot does.
     *
     * @param start of the range
     */
    long end(long start, int entries) {
        long ranges = Math.max(1, map.size() / entries);
        long length = END / Long.highestOneBit(2 * ranges - 1);
        return (start / length + 1) * length;
    }

    /**
     * Returns the entries of a range of places, also those that were removed from the region and are kept for a time.
     */
    List<RegionEntry> read(long start, long end) {
        List<RegionEntry> found = new ArrayList<>();
        for (Object segment : (Object[]) SEGMENTS.get(map)) {
            ReentrantReadWriteLock.ReadLock lock = ((ReentrantReadWriteLock) LOCK.get(segment)).readLock();
            lock.lock();
            try {
                HashEntry<?, ?>[] table = (HashEntry<?, ?>[]) TABLE.getVolatile(segment);
                int unused = Integer.SIZE - Integer.numberOfTrailingZeros(table.length);
                for (long slot = start >>> unused; slot <= (end - 1) >>> unused; slot++) {
                    collect(table[Integer.reverse((int) (slot << unused)) & (table.length - 1)], start, end, found);
                }
            } finally {
                lock.unlock();
            }
        }
        return found;
    }

    private static void collect(HashEntry<?, ?> first, long start, long end, List<RegionEntry> found) {
        for (HashEntry<?, ?> entry = first; entry != null; entry = entry.getNextEntry()) {
            long place = place(entry.getEntryHash());
            if (place >= start && place < end) {
                found.add((RegionEntry) entry.getMapValue());
            }
        }
    }
}
