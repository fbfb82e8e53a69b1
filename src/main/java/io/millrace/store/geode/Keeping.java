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
record Keeping(int copies, boolean persistent, Memory memory) {

    static Keeping of(RegionDefinition definition) {
        return new Keeping(definition.copies(), definition.persistent(), definition.memory());
    }

    /** Whether some may be on disk. */
    boolean usesDisk() {
        return persistent || memory.limit() != null;
    }
}
