package io.millrace.config.properties;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a reference table, which has either a file or a region.
 *
 * @param file CSV with a header line, JSON lines (.jsonl), records (.bin) or a built table (.table); classpath: in
 *     front of the name reads a file in the jar
 * @param key field by which rows are found: a whole number, a text or a dictionary value
 * @param schema name of the schema of the rows; without it, the types of the columns follow from their values
 * @param region region of entries that the table follows, instead of a file
 * @param refresh interval at which the file is checked for a change; without it, the table is reloaded on request only
 * @param mapped memory-mapped file for the table, so that a restart need not load it; without it, the table is in
 *     memory. With a file only
 */
public record TableProperties(
        @Nullable String file,
        @Nullable String key,
        @Nullable String schema,
        @Nullable String region,
        @Nullable Duration refresh,
        @Nullable Path mapped) {}
