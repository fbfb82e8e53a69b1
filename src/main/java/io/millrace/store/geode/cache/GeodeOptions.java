package io.millrace.store.geode.cache;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The setup of Geode in this process.
 *
 * @param folder for the files of persistent regions, created if necessary; null if no region is persistent
 * @param buckets number of buckets of a region. A bucket is the unit that Geode places on a member, and costs a map, a
 *     lock and a few entries in files from the start: Geode's default of 113 is meant for many members. A persistent
 *     region must be opened with the number of buckets that it was created with
 * @param cluster the cluster that this process is part of, null if it runs alone
 * @param client whether it is a client of that cluster, which stores no data
 * @param memory that Geode may use
 * @param diskReserve bytes that must be free on the folder's disk for a write, if this process runs alone; 0 for none
 */
public record GeodeOptions(
        @Nullable Path folder,
        int buckets,
        @Nullable ClusterOptions cluster,
        boolean client,
        GeodeMemory memory,
        long diskReserve) {

    /** Enough for four members of an ingest cluster and for the writers of one; created in milliseconds. */
    public static final int DEFAULT_BUCKETS = 16;

    /** Returns options of a process that runs alone, without a folder: regions are in memory only. */
    public static GeodeOptions inMemory() {
        return new GeodeOptions(null, DEFAULT_BUCKETS, null, false, GeodeMemory.HEAP, 0);
    }

    /** Returns options of a process that runs alone, with persistent regions in this folder. */
    public static GeodeOptions inFolder(Path folder) {
        return new GeodeOptions(folder, DEFAULT_BUCKETS, null, false, GeodeMemory.HEAP, 0);
    }

    /** Returns options of a member of a cluster, with persistent regions in this folder. */
    public static GeodeOptions member(Path folder, ClusterOptions cluster) {
        return new GeodeOptions(folder, DEFAULT_BUCKETS, cluster, false, GeodeMemory.HEAP, 0);
    }

    /** Returns options of a client of a cluster. */
    public static GeodeOptions client(ClusterOptions cluster) {
        return new GeodeOptions(null, DEFAULT_BUCKETS, cluster, true, GeodeMemory.HEAP, 0);
    }

    /** Returns the same options with the given memory. */
    public GeodeOptions with(GeodeMemory other) {
        return new GeodeOptions(folder, buckets, cluster, client, other, diskReserve);
    }

    /** Returns the same options with the given disk reserve. */
    public GeodeOptions withDiskReserve(long bytes) {
        return new GeodeOptions(folder, buckets, cluster, client, memory, bytes);
    }
}
