package io.millrace.config.properties;

import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.Retention;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of a region.
 *
 * @param layout blocks (many records in each value) or entries (each record under its own key; the latest record of a
 *     key replaces earlier ones)
 * @param key field or fields of the key of an entry; for blocks, the field whose minimum and maximum are stored with
 *     each block
 * @param remove condition, for entries: a record that matches removes the entry of its key instead of replacing it
 * @param latest field, for entries: a record with an earlier value in it does not replace the entry of its key,
 *     whatever the order in which they arrive. Several partitions and pipelines may write to such a region
 * @param redundantCopies number of additional members of a cluster that store each value
 * @param persistent whether the region is stored on disk too, so that it survives a restart
 * @param schema name of the schema of a region that no pipeline or measure writes to; otherwise the schema follows from
 *     the pipeline or measure
 * @param keepAdded whether the fields that steps added are stored with each record
 * @param blockRecords number of records in a full block, which has fewer if they are long
 * @param encoding encoding of blocks: rows, or columns, which need less memory and are queried faster
 * @param retain retention of records; without it, they are retained without a limit
 * @param maxMemory maximum size of the region's values in the memory of each member; the other values are on disk. By
 *     default, all are in memory
 * @param offHeap whether values are stored outside the Java heap
 */
public record RegionProperties(
        @DefaultValue("blocks") Layout layout,
        @DefaultValue List<String> key,
        @Nullable String remove,
        @Nullable String latest,
        @DefaultValue("0") int redundantCopies,
        @DefaultValue("false") boolean persistent,
        @Nullable String schema,
        @DefaultValue("true") boolean keepAdded,
        @DefaultValue("4096") int blockRecords,
        @DefaultValue("rows") BlockEncoding encoding,
        @Nullable RetainProperties retain,
        @Nullable DataSize maxMemory,
        @DefaultValue("false") boolean offHeap) {

    public Retention retention() {
        return retain == null ? Retention.FOREVER : new Retention(retain.age(), bytes(retain.size()));
    }

    public Memory memoryOptions() {
        return new Memory(bytes(maxMemory), offHeap);
    }

    private static @Nullable Long bytes(@Nullable DataSize size) {
        return size == null ? null : size.toBytes();
    }

    /**
     * Limits of the retention of records. A limit that is not set does not apply.
     *
     * @param age time that records are retained after they were stored
     * @param size maximum size of all values of a region of blocks; the oldest blocks are removed first
     */
    public record RetainProperties(
            @Nullable Duration age, @Nullable DataSize size) {}
}
