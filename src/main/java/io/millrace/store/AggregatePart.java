package io.millrace.store;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Figures of groups in one member's part of a region.
 *
 * @param keys of the groups, in bytes
 * @param figures of the groups, as {@link Groups} keeps them; one group's after the other's
 * @param scanned records looked at
 * @param scannedBlocks blocks looked at
 * @param skippedBlocks blocks not looked at because none of their records could have met the condition
 * @param failed records for which an expression had no result
 * @param firstFailure why the first of them failed
 */
public record AggregatePart(
        byte[][] keys,
        long[] figures,
        long scanned,
        long scannedBlocks,
        long skippedBlocks,
        long failed,
        @Nullable String firstFailure)
        implements Serializable {}
