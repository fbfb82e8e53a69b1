package io.millrace.store;

import io.millrace.store.region.Regions;

/** The availability of a store and its regions, and counters of this process. Thread-safe. */
public interface StoreStatus extends Regions {

    /**
     * Requires that all open regions can be read and written, and have the same definition on all members.
     *
     * @throws io.millrace.store.error.StoreException with the reason if not
     */
    void requireAvailable();

    /**
     * Requires that all values have their configured redundant copies; has no effect on a client of a cluster.
     *
     * @throws io.millrace.store.error.StoreException naming a region that lacks copies
     */
    void requireCopies();

    /**
     * Returns how many writes this process has refused since it joined its cluster, because their
     * {@linkplain io.millrace.store.write.Term term} had ended; 0 if other processes check them, or no other process
     * can write. Cheap.
     */
    long refusedWrites();

    /**
     * Returns how many records this process has removed for a region's
     * {@linkplain io.millrace.store.region.RegionDefinition#retention retention} since it opened the region; 0 if the
     * region is on servers only, or not open. Cheap.
     */
    long expired(String region);
}
