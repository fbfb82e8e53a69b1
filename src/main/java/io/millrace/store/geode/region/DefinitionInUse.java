package io.millrace.store.geode.region;

import io.millrace.store.region.RegionDefinition;

/**
 * The definition that a region is used with, of which other processes may use another version than this one is
 * configured with. Thread-safe.
 */
public interface DefinitionInUse {

    /**
     * Returns the definition to read with, the same object while it does not change.
     *
     * @throws io.millrace.store.error.StoreException if the region is not available, or has a definition that is not a
     *     version of the configured one
     */
    RegionDefinition toRead();

    /**
     * Returns the definition to write with, before anything is written: the configured one, with the earlier versions
     * of its schema.
     *
     * @throws io.millrace.store.error.StoreException if the region is not available with this definition
     */
    RegionDefinition toWrite();

    /** Discards what is known, because the region could not be read with it. */
    default void discard() {}

    /**
     * Returns a definition that no other process changes.
     *
     * @param beforeWrite called each time before it is used to write
     */
    static DefinitionInUse of(RegionDefinition definition, Runnable beforeWrite) {
        return new DefinitionInUse() {
            @Override
            public RegionDefinition toRead() {
                return definition;
            }

            @Override
            public RegionDefinition toWrite() {
                beforeWrite.run();
                return definition;
            }
        };
    }
}
