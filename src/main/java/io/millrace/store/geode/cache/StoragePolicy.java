package io.millrace.store.geode.cache;

import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;

/**
 * The policy by which the values of a region are stored.
 *
 * @param copies number of redundant copies of each value on other members
 * @param persistent whether values are on disk, to survive the end of the process
 * @param memory that holds them while the region is open
 */
public record StoragePolicy(int copies, boolean persistent, Memory memory) {

    /** Returns the policy of a region. */
    public static StoragePolicy of(RegionDefinition definition) {
        return new StoragePolicy(definition.copies(), definition.persistent(), definition.memory());
    }

    /** Returns whether values may be on disk. */
    boolean usesDisk() {
        return persistent || memory.limit() != null;
    }
}
