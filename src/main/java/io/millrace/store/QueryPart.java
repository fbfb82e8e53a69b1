package io.millrace.store;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What a query found in one member's part of a region.
 *
 * @param records in their {@linkplain StoredForm stored form}, best first
 * @param keys of each record by which it is ordered, ascending; one record's after the other's
 * @param scanned records looked at
 * @param scannedBlocks blocks looked at
 * @param skippedBlocks blocks not looked at because none of their records could have met the condition
 * @param failed records for which an expression had no result
 * @param firstFailure why the first of them failed
 */
public record QueryPart(
        byte[][] records,
        long[] keys,
        long scanned,
        long scannedBlocks,
        long skippedBlocks,
        long failed,
        @Nullable String firstFailure)
        implements Serializable {}
