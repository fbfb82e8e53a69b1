package io.millrace.store;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a query found.
 *
 * @param records by field name, values of each field's Java type
 * @param counts what was looked at
 * @param nanos time it took, in nanoseconds
 */
public record QueryResult(List<Map<String, @Nullable Object>> records, ScanCounts counts, long nanos) {}
