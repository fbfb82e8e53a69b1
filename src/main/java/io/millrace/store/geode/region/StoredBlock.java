package io.millrace.store.geode.region;

/**
 * The metadata of a block.
 *
 * @param storedAt when it was put, in milliseconds since 1970
 * @param bytes length of the value
 * @param records number of records; 0 if the value is corrupt
 */
public record StoredBlock(long key, long storedAt, int bytes, int records) {

    /** Returns this block with a put time that is not before the given one. */
    public StoredBlock notBefore(long time) {
        return storedAt >= time ? this : new StoredBlock(key, time, bytes, records);
    }
}
