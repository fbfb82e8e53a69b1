package io.millrace.config;

import org.jspecify.annotations.Nullable;

/**
 * A reference table.
 *
 * @param file CSV file with a header line; classpath: before the name for one inside the jar
 * @param key column whose whole numbers, or dictionary values, the rows are found by
 * @param schema name of the rows' schema; without one the columns' types follow from what they hold
 */
public record TableProperties(
        @Nullable String file,
        @Nullable String key,
        @Nullable String schema) {}
