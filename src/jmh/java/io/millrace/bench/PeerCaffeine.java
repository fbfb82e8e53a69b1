package io.millrace.bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Caffeine on the heap, values by reference. */
final class PeerCaffeine implements Peer {

    private final Cache<Long, byte[]> cache;

    PeerCaffeine(long entries) {
        cache = Caffeine.newBuilder()
                .maximumSize(entries + entries / 10)
                .initialCapacity((int) entries)
                .build();
    }

    @Override
    public void put(long key, byte[] value) {
        cache.put(key, value);
    }

    @Override
    public int get(long key) {
        byte[] value = cache.getIfPresent(key);
        return value == null ? -1 : value.length;
    }

    @Override
    public void close() {
        cache.invalidateAll();
    }
}
