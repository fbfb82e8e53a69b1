package io.millrace.config;

import io.millrace.store.BlockEncoding;
import io.millrace.store.Layout;
import io.millrace.store.Memory;
import io.millrace.store.Retention;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * A region.
 *
 * @param layout entries (a record under a key of its own, the latest wins) or blocks (many records a value)
 * @param key field whose value is the key of an entry, or several fields; in blocks, the field whose range each block
 *     tells
 * @param remove condition; a record for which it holds removes the entry of its key instead of being put
 * @param redundantCopies how many more members of a cluster keep each value
 * @param persistent whether it is kept on disk too and survives the end of the service
 * @param schema name of the schema of its records; only needed where no pipeline or measure writes to it
 * @param keepAdded whether the fields that steps added are kept with each record
 * @param blockRecords how many records fill a block
 * @param encoding how blocks hold records: rows, or columns, which take less memory and are asked faster
 * @param retain how long it keeps records; by default for ever
 * @param maxMemory how many bytes of its values are in memory, the others on disk; by default all
 * @param offHeap whether its values are outside of the Java heap
 */
public record RegionProperties(
        @DefaultValue("blocks") Layout layout,
        @DefaultValue List<String> key,
        @Nullable String remove,
        @DefaultValue("0") int redundantCopies,
        @DefaultValue("false") boolean persistent,
        @Nullable String schema,
        @DefaultValue("true") boolean keepAdded,
        @DefaultValue("4096") int blockRecords,
        @DefaultValue("rows") BlockEncoding encoding,
        @Nullable RetainProperties retain,
        @Nullable DataSize maxMemory,
        @DefaultValue("false") boolean offHeap) {

    Retention retention() {
        return retain == null ? Retention.FOREVER : new Retention(retain.age(), bytes(retain.size()));
    }

    Memory memoryOptions() {
        return new Memory(bytes(maxMemory), offHeap);
    }

    private static @Nullable Long bytes(@Nullable DataSize size) {
        return size == null ? null : size.toBytes();
    }

    /**
     * How long records are kept.
     *
     * @param age for how long they stay after they were stored
     * @param size in blocks: how many bytes their values have together; the oldest blocks go
     */
    public record RetainProperties(
            @Nullable Duration age, @Nullable DataSize size) {}
}
