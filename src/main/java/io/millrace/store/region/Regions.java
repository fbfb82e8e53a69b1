package io.millrace.store.region;

import java.util.List;

/** The open regions of a store. Thread-safe. */
public interface Regions {

    /** Returns the names of all open regions of records, sorted. */
    List<String> regions();

    /** Returns the definition of an open region. */
    RegionDefinition definition(String region);

    /** Returns the size of a region; reads the header of each block. */
    RegionInfo info(String region);
}
