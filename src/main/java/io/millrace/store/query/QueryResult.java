package io.millrace.store.query;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a query.
 *
 * @param records by field name, values of each field's Java type
 * @param counts of the records scanned
 * @param nanos duration in nanoseconds
 */
public record QueryResult(List<Map<String, @Nullable Object>> records, ScanCounts counts, long nanos) {}
