package io.millrace.bench;

import net.openhft.chronicle.map.ChronicleMap;

/** Chronicle Map in memory. */
final class PeerChronicle implements Peer {

    private final ChronicleMap<Long, byte[]> map;

    PeerChronicle(long entries, int averageBytes) {
        map = ChronicleMap.of(Long.class, byte[].class)
                .name("bench")
                .entries(entries + entries / 10)
                .averageValueSize(averageBytes)
                .create();
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
        map.close();
    }
}
