package io.millrace.table;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a table is and how it fares.
 *
 * @param name of the table
 * @param form how rows are found: {@code direct}, {@code hashed} or {@code live}
 * @param rows how many it holds
 * @param bytes memory that it takes
 * @param schema of the rows
 * @param key the field that rows are found by
 * @param source where the rows come from
 * @param since when what is served now was loaded
 * @param loads how often rows have been taken from the source
 * @param failures how often that failed; what was served before goes on being served then
 * @param error why the last try failed; null where it did not
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
        @Nullable String error) {}
