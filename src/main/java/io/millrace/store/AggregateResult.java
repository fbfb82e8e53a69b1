package io.millrace.store;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Figures of groups of records.
 *
 * @param groups each by the texts of the question: what makes it a group, then its figures
 * @param scanned records looked at
 * @param scannedBlocks blocks looked at
 * @param skippedBlocks blocks not looked at because none of their records could have met the condition
 * @param failed records for which an expression had no result: they are in no figure
 * @param firstFailure why the first of them failed
 * @param nanos time it took, in nanoseconds
 */
public record AggregateResult(
        List<Map<String, @Nullable Object>> groups,
        long scanned,
        long scannedBlocks,
        long skippedBlocks,
        long failed,
        @Nullable String firstFailure,
        long nanos) {}
