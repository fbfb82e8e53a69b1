package io.millrace.store.query;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates of groups of records.
 *
 * @param groups each by the texts of the query: its keys, then its aggregates
 * @param counts of the records scanned
 * @param nanos duration in nanoseconds
 */
public record AggregateResult(List<Map<String, @Nullable Object>> groups, ScanCounts counts, long nanos) {}
