package io.millrace.store.geode;

import io.millrace.store.Memory;
import io.millrace.store.RegionDefinition;

/**
 * How the values of a region are kept.
 *
 * @param copies how many more members keep each value
 * @param persistent whether they are on disk, to survive the end of the process
 * @param memory where they are while the region is open
 */
record StoragePolicy(int copies, boolean persistent, Memory memory) {

    static StoragePolicy of(RegionDefinition definition) {
        return new StoragePolicy(definition.copies(), definition.persistent(), definition.memory());
    }

    /** Whether some may be on disk. */
    boolean usesDisk() {
        return persistent || memory.limit() != null;
    }
}
