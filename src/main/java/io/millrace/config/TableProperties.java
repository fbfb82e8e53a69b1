package io.millrace.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A reference table.
 *
 * @param file CSV with a header line, JSON lines (.jsonl), records (.bin) or a built table (.table); classpath: before
 *     the name for one inside the jar
 * @param key column whose whole numbers, texts or dictionary values the rows are found by
 * @param schema name of the rows' schema; without one the columns' types follow from what they hold
 * @param region region of entries that the rows are taken from, and kept up to date with, instead of a file
 * @param refresh how often the file is looked at for a change; without it, it is loaded again on request only
 * @param mapped file that the table is kept in, so that a restart need not load it; without one it is kept in memory
 */
public record TableProperties(
        @Nullable String file,
        @Nullable String key,
        @Nullable String schema,
        @Nullable String region,
        @Nullable Duration refresh,
        @Nullable Path mapped) {}
