package io.millrace.config;

import io.millrace.store.BlockEncoding;
import io.millrace.store.Layout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A region.
 *
 * @param layout entries (a record under a key of its own, the latest wins) or blocks (many records a value)
 * @param key field whose value is the key of an entry, or several fields; in blocks, the field whose range each block
 *     tells
 * @param remove condition; a record for which it holds removes the entry of its key instead of being put
 * @param copies how many more members of a cluster keep each value
 * @param persistent whether it is kept on disk too and survives the end of the service
 * @param keepAdded whether the fields that steps added are kept with each record
 * @param blockRecords how many records fill a block
 * @param encoding how blocks hold records: rows, or columns, which take less memory and are asked faster
 */
public record RegionProperties(
        @DefaultValue("blocks") Layout layout,
        @DefaultValue List<String> key,
        @Nullable String remove,
        @DefaultValue("0") int copies,
        @DefaultValue("false") boolean persistent,
        @DefaultValue("true") boolean keepAdded,
        @DefaultValue("4096") int blockRecords,
        @DefaultValue("rows") BlockEncoding encoding) {}
