package io.millrace.store.geode;

/**
 * What is known of a block without its bytes.
 *
 * @param storedAt when it was put, in milliseconds since 1970
 * @param bytes length of the value
 * @param records how many it holds; 0 where the value is damaged
 */
record StoredBlock(long key, long storedAt, int bytes, int records) {

    /** The same, put at some time at the earliest. */
    StoredBlock notBefore(long time) {
        return storedAt >= time ? this : new StoredBlock(key, time, bytes, records);
    }
}
