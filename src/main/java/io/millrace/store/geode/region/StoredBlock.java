package io.millrace.store.geode.region;

/**
 * The metadata of a block.
 *
 * @param storedAt when it was put, in milliseconds since 1970
 * @param bytes length of the value
 * @param records number of records; 0 if the value is corrupt
 */
public record StoredBlock(long key, long storedAt, int bytes, int records) {

    /**
     * About how many bytes of memory Geode needs for a value in addition to its bytes: entry, key, array and version,
     * and the member's own data for each block.
     */
    public static final int OVERHEAD_BYTES = 400;

    /** Returns the bytes that count for the size of a region: of the value, and the overhead of each value. */
    public long size() {
        return size(bytes);
    }

    /** Returns the bytes that a value of this length counts for the size of a region. */
    public static int size(int length) {
        return length + OVERHEAD_BYTES;
    }

    /** Returns this block with a put time that is not before the given one. */
    public StoredBlock notBefore(long time) {
        return storedAt >= time ? this : new StoredBlock(key, time, bytes, records);
    }
}
