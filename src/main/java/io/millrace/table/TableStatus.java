package io.millrace.table;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Description and metrics of a table.
 *
 * @param name of the table
 * @param form how rows are found: {@code direct}, {@code hashed} or {@code live}
 * @param rows number of rows
 * @param bytes memory that the table takes
 * @param schema of the rows
 * @param key the field by which rows are found
 * @param source where the rows come from
 * @param since when the rows that are served were loaded or last changed
 * @param loads how often rows have been loaded from the source
 * @param failures how often loading failed; the old rows are then still served
 * @param error why the last attempt failed; null if it succeeded
 * @param version hash of the rows that were loaded last; null if rows change one by one
 */
public record TableStatus(
        String name,
        String form,
        long rows,
        long bytes,
        String schema,
        String key,
        String source,
        Instant since,
        long loads,
        long failures,
        @Nullable String error,
        @Nullable String version) {}
