package io.millrace.store.scan;

import io.millrace.store.query.ScanCounts;
import java.io.Serializable;

/**
 * The records that a query found in one partial scan of a member.
 *
 * @param records in the query's order, first ones first
 * @param keys of each record by which it is ordered, ascending; one record's after the other's
 * @param counts of the records scanned
 */
public record QueryPart(PackedRecords records, long[] keys, ScanCounts counts) implements Serializable {}
