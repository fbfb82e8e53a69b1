package io.millrace.bench;

import io.millrace.table.cache.CacheOptions;
import io.millrace.table.cache.CacheReader;
import io.millrace.table.cache.Eviction;
import io.millrace.table.cache.OffHeapCache;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Millrace's cache: by copying values to an array that is used again, or by reading one field where it lies. */
final class PeerMillrace implements Peer {

    private static final int LONGEST = 1 << 14;

    private final OffHeapCache cache;
    private final boolean copying;
    private final ThreadLocal<CacheReader> readers;
    private final ThreadLocal<byte[]> copies = ThreadLocal.withInitial(() -> new byte[LONGEST]);

    PeerMillrace(long entries, int averageBytes, boolean copying) {
        this.copying = copying;
        try {
            long room = entries * (averageBytes + 24) * 11 / 10;
            cache = OffHeapCache.open(CacheOptions.inMemory(room, averageBytes, Eviction.FIFO));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        readers = ThreadLocal.withInitial(cache::reader);
    }

    @Override
    public void put(long key, byte[] value) {
        cache.put(key, value, 0, value.length);
    }

    @Override
    public int get(long key) {
        CacheReader reader = readers.get();
        if (copying) {
            return reader.get(key, copies.get());
        }
        int result;
        do {
            if (!reader.find(key)) {
                return -1;
            }
            result = reader.length() < Long.BYTES ? 0 : (int) reader.getLong(0) | 1;
        } while (!reader.isIntact());
        return result & Integer.MAX_VALUE;
    }

    @Override
    public void close() {
        System.out.println("\n" + cache.statistics() + " bytes=" + cache.bytes());
        cache.close();
    }
}
