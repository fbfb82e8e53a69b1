package io.millrace.store.geode;

import java.time.Duration;

/**
 * Looks through what this member is the first to have of one region, and removes what the region is to keep no longer;
 * Geode removes the copies and what is on disk with it.
 */
interface Expiry {

    /** Least time from one look to the next. */
    Duration interval();

    /**
     * Looks once. Not to be called by several threads at a time.
     *
     * @param now in milliseconds since 1970
     * @throws io.millrace.store.StoreException where something can't be removed
     */
    void run(long now);
}
