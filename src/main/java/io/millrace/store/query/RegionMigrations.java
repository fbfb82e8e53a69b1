package io.millrace.store.query;

import java.time.Duration;

/** Migrates regions to the newest version of their schema. Thread-safe. */
public interface RegionMigrations {

    /**
     * Rewrites records of a region that were written with earlier versions of its schema, as records of the newest one.
     * Records can be read and written meanwhile. Continues where the previous call of this process has ended; if it is
     * interrupted, nothing is lost, and the next call rewrites the rest.
     *
     * @param budget time after which it ends, done or not; it ends a little later
     * @throws io.millrace.store.error.StoreException if the region is not open, or the store does not answer
     */
    Migration migrate(String region, Duration budget);
}
