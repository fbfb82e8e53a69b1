package io.millrace.store.query;

/**
 * Receives the records that are put into a region or removed from it, on the thread that changes the region; calls may
 * be concurrent.
 */
public interface RecordListener {

    /**
     * Called when a record was put, perhaps replacing another with the same key.
     *
     * @param stored its {@linkplain io.millrace.store.region.StoredForm stored form}, which must not be changed
     */
    void put(byte[] stored);

    /**
     * Called when a record was removed.
     *
     * @param key the value of the field that is its {@linkplain io.millrace.store.region.EntryKey key}
     */
    void removed(Object key);
}
