package io.millrace.store;

import java.io.Serializable;

/**
 * Figures of groups in a stretch of one member's part of a region.
 *
 * @param keys of the groups, in bytes
 * @param figures of the groups, as {@link Groups} keeps them; one group's after the other's
 * @param counts what was looked at
 */
public record AggregatePart(byte[][] keys, long[] figures, ScanCounts counts) implements Serializable {}
