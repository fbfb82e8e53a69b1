package io.millrace.store.geode;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How Geode is set up in this process.
 *
 * @param folder where persistent regions keep their files, created if need be; null where none is persistent
 * @param buckets into how many parts a region is split. A bucket is what Geode places on a member, and costs a map, a
 *     lock and a few files' entries from the start: Geode's own default of 113 is meant for many members. A region that
 *     was kept on disk must be opened with the number it was made with
 * @param cluster the cluster that this process is part of, null where it is alone
 * @param client whether it is a client of that cluster, which keeps no data itself
 * @param memory how much it may use
 * @param diskReserve bytes that have to be free on the folder's disk for anything to be written there, where this
 *     process is alone; 0 for none
 */
public record GeodeOptions(
        @Nullable Path folder,
        int buckets,
        @Nullable ClusterOptions cluster,
        boolean client,
        GeodeMemory memory,
        long diskReserve) {

    /** Enough for four members of an ingest cluster and for the writers of one, and made in milliseconds. */
    public static final int DEFAULT_BUCKETS = 16;

    /** Alone, and no folder: regions in memory only. */
    public static GeodeOptions inMemory() {
        return new GeodeOptions(null, DEFAULT_BUCKETS, null, false, GeodeMemory.HEAP, 0);
    }

    /** Alone; persistent regions keep their files in this folder. */
    public static GeodeOptions inFolder(Path folder) {
        return new GeodeOptions(folder, DEFAULT_BUCKETS, null, false, GeodeMemory.HEAP, 0);
    }

    /** A member of a cluster; persistent regions keep their files in this folder. */
    public static GeodeOptions member(Path folder, ClusterOptions cluster) {
        return new GeodeOptions(folder, DEFAULT_BUCKETS, cluster, false, GeodeMemory.HEAP, 0);
    }

    /** A client of a cluster. */
    public static GeodeOptions client(ClusterOptions cluster) {
        return new GeodeOptions(null, DEFAULT_BUCKETS, cluster, true, GeodeMemory.HEAP, 0);
    }

    /** The same with so much memory. */
    public GeodeOptions with(GeodeMemory other) {
        return new GeodeOptions(folder, buckets, cluster, client, other, diskReserve);
    }

    /** The same with so many bytes of its disk reserved. */
    public GeodeOptions withDiskReserve(long bytes) {
        return new GeodeOptions(folder, buckets, cluster, client, memory, bytes);
    }
}
