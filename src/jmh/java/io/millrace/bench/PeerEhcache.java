package io.millrace.bench;

import java.nio.ByteBuffer;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;
import org.ehcache.spi.serialization.Serializer;

/** Ehcache 3 off heap, with a serializer that hands bytes through. */
final class PeerEhcache implements Peer {

    private final CacheManager manager;
    private final Cache<Long, byte[]> cache;

    PeerEhcache(long entries, int averageBytes) {
        long megabytes = entries * (averageBytes + 120) * 13 / 10 / (1 << 20) + 64;
        manager = CacheManagerBuilder.newCacheManagerBuilder()
                .withCache(
                        "bench",
                        CacheConfigurationBuilder.newCacheConfigurationBuilder(
                                        Long.class,
                                        byte[].class,
                                        ResourcePoolsBuilder.newResourcePoolsBuilder()
                                                .offheap(megabytes, MemoryUnit.MB))
                                .withValueSerializer(new Bytes()))
                .build(true);
        cache = manager.getCache("bench", Long.class, byte[].class);
    }

    /** Bytes as they are. */
    private static final class Bytes implements Serializer<byte[]> {
        @Override
        public ByteBuffer serialize(byte[] value) {
            return ByteBuffer.wrap(value);
        }

        @Override
        public byte[] read(ByteBuffer binary) {
            byte[] value = new byte[binary.remaining()];
            binary.get(value);
            return value;
        }

        @Override
        public boolean equals(byte[] value, ByteBuffer binary) {
            return ByteBuffer.wrap(value).equals(binary);
        }
    }

    @Override
    public void put(long key, byte[] value) {
        cache.put(key, value);
    }

    @Override
    public int get(long key) {
        byte[] value = cache.get(key);
        return value == null ? -1 : value.length;
    }

    @Override
    public void close() {
        manager.close();
    }
}
