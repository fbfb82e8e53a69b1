package io.millrace.store;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Figures of groups of records.
 *
 * @param groups each by the texts of the query: what makes it a group, then its figures
 * @param counts what was looked at
 * @param nanos time it took, in nanoseconds
 */
public record AggregateResult(List<Map<String, @Nullable Object>> groups, ScanCounts counts, long nanos) {}
