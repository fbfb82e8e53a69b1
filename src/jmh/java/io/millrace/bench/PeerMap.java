package io.millrace.bench;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A map of the JDK, values by reference. */
final class PeerMap implements Peer {

    private final Map<Long, byte[]> map;

    PeerMap(long entries) {
        map = new ConcurrentHashMap<>((int) entries);
    }

    @Override
    public void put(long key, byte[] value) {
        map.put(key, value);
    }

    @Override
    public int get(long key) {
        byte[] value = map.get(key);
        return value == null ? -1 : value.length;
    }

    @Override
    public void close() {
        map.clear();
    }
}
