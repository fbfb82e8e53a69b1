package io.millrace.store;

import java.io.Serializable;

/**
 * Figures of groups in a stretch of one member's part of a region.
 *
 * @param size how many groups
 * @param keys of the groups in longs, one group's after the other's
 * @param figures of the groups, as {@link io.millrace.aggregate.Groups} keeps them
 * @param counts what was looked at
 */
public record AggregatePart(int size, long[] keys, long[] figures, ScanCounts counts) implements Serializable {}
