package io.millrace.store;

import java.io.Serializable;

/**
 * What a query found in a stretch of one member's part of a region.
 *
 * @param records best first
 * @param keys of each record by which it is ordered, ascending; one record's after the other's
 * @param counts what was looked at
 */
public record QueryPart(PackedRecords records, long[] keys, ScanCounts counts) implements Serializable {}
