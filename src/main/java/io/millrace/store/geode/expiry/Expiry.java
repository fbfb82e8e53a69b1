package io.millrace.store.geode.expiry;

import java.time.Duration;

/**
 * Removes expired values of one region on their primary member; Geode removes the redundant copies and the values on
 * disk.
 */
public interface Expiry {

    /** Returns the minimum time between two runs. */
    Duration interval();

    /**
     * Runs once. Must not be called by several threads at a time.
     *
     * @param now in milliseconds since 1970
     * @throws io.millrace.store.error.StoreException if something can't be removed
     */
    void run(long now);
}
