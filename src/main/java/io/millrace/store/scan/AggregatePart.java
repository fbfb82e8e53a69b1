package io.millrace.store.scan;

import io.millrace.store.query.ScanCounts;
import java.io.Serializable;

/**
 * Aggregates of groups from one partial scan of a member.
 *
 * @param size number of groups
 * @param keys of the groups in longs, one group's after the other's
 * @param accumulators aggregates of the groups, in the layout of {@link io.millrace.aggregate.Groups}
 * @param counts of the records scanned
 */
public record AggregatePart(int size, long[] keys, long[] accumulators, ScanCounts counts) implements Serializable {}
