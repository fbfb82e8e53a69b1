package io.millrace.store;

/**
 * Told of each record of a region that comes or goes, in the thread that brings or takes it; several may do so at once.
 */
public interface RecordListener {

    /**
     * A record was put, perhaps in the place of another with the same key.
     *
     * @param stored its {@linkplain StoredForm stored form}, which must not be changed
     */
    void put(byte[] stored);

    /**
     * A record was removed.
     *
     * @param key the value of the field that is its {@linkplain EntryKey key}
     */
    void removed(Object key);
}
