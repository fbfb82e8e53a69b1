package io.millrace.bench;

/** A cache from numbers to bytes, such as its users would write it: what each peer is measured through. */
interface Peer extends AutoCloseable {

    void put(long key, byte[] value);

    /** A value's length, or -1, after all its bytes were copied or handed out. */
    int get(long key);

    @Override
    void close();

    /** Makes the peer of a name, with room for so many entries of this average length. */
    static Peer of(String name, long entries, int averageBytes) {
        return switch (name) {
            case "millrace" -> new PeerMillrace(entries, averageBytes, true);
            case "millraceInPlace" -> new PeerMillrace(entries, averageBytes, false);
            case "ehcache" -> new PeerEhcache(entries, averageBytes);
            case "ohc" -> new PeerOhc(entries, averageBytes);
            case "chronicle" -> new PeerChronicle(entries, averageBytes);
            case "oneNio" -> new PeerOneNio(entries, averageBytes);
            case "jcs" -> new PeerJcs(entries);
            case "caffeine" -> new PeerCaffeine(entries);
            case "map" -> new PeerMap(entries);
            default -> throw new IllegalArgumentException("peer=" + name);
        };
    }
}
