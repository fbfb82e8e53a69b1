package io.millrace.store;

import java.io.Serializable;

/**
 * What a query found in one member's part of a region.
 *
 * @param records in their {@linkplain StoredForm stored form}, best first
 * @param keys of each record by which it is ordered, ascending; one record's after the other's
 * @param counts what was looked at
 */
public record QueryPart(byte[][] records, long[] keys, ScanCounts counts) implements Serializable {}
