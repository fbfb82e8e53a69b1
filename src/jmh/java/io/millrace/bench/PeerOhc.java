package io.millrace.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;

/** OHC, whose memory is capped: uncapped, a million values of 8 KB have been killed for it. */
final class PeerOhc implements Peer {

    private static final long MOST_BYTES = 6L << 30;

    private final OHCache<Long, byte[]> cache;

    PeerOhc(long entries, int averageBytes) {
        cache = OHCacheBuilder.<Long, byte[]>newBuilder()
                .keySerializer(new Key())
                .valueSerializer(new Value())
                .capacity(Math.min(MOST_BYTES, entries * (averageBytes + 100) * 12 / 10 + (64 << 20)))
                .hashTableSize((int) Math.min(1 << 20, Long.highestOneBit(entries / 16 + 16)))
                .build();
    }

    private static final class Key implements CacheSerializer<Long> {
        @Override
        public void serialize(Long value, ByteBuffer into) {
            into.putLong(value);
        }

        @Override
        public Long deserialize(ByteBuffer from) {
            return from.getLong();
        }

        @Override
        public int serializedSize(Long value) {
            return Long.BYTES;
        }
    }

    private static final class Value implements CacheSerializer<byte[]> {
        @Override
        public void serialize(byte[] value, ByteBuffer into) {
            into.put(value);
        }

        @Override
        public byte[] deserialize(ByteBuffer from) {
            byte[] value = new byte[from.remaining()];
            from.get(value);
            return value;
        }

        @Override
        public int serializedSize(byte[] value) {
            return value.length;
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
        try {
            cache.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
