package io.millrace.store;

import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.RegionDefinition;
import java.util.Arrays;

/** Entries of regions, as they are stored. */
public final class Entries {

    private Entries() {}

    /** The entry of a record, which is not of an earlier version of the schema. */
    public static byte[] of(RegionDefinition region, Object key, byte[] record) {
        EntryVersions versions = EntryVersions.of(region);
        return versions.complete(key, Arrays.copyOf(record, record.length + versions.trailerLength()));
    }

    /** The record of an entry. */
    public static byte[] record(byte[] entry) {
        return Arrays.copyOf(entry, entry.length - EntryVersions.CHECKSUM_LENGTH);
    }
}
