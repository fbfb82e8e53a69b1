package io.millrace.store.geode;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the embedded Geode is set up.
 *
 * @param folder where persistent regions keep their files, created if need be; null where none is persistent
 * @param buckets into how many parts a region is split. A bucket is what Geode places on a member, and costs a map, a
 *     lock and a few files' entries from the start: Geode's own default of 113 is meant for many members. A region that
 *     was kept on disk must be opened with the number it was made with
 */
public record GeodeOptions(@Nullable Path folder, int buckets) {

    /** Enough for four members of an ingest cluster and for the writers of one, and made in milliseconds. */
    public static final int DEFAULT_BUCKETS = 16;

    /** No folder: regions in memory only. */
    public static GeodeOptions inMemory() {
        return new GeodeOptions(null, DEFAULT_BUCKETS);
    }

    /** Persistent regions keep their files in this folder. */
    public static GeodeOptions inFolder(Path folder) {
        return new GeodeOptions(folder, DEFAULT_BUCKETS);
    }
}
