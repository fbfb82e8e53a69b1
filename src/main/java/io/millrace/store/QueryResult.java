package io.millrace.store;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a query found.
 *
 * @param records by field name, values of each field's Java type
 * @param scanned records looked at: all of the blocks looked at; fewer than the region holds where blocks were skipped,
 *     or enough were found without an order
 * @param scannedBlocks blocks looked at
 * @param skippedBlocks blocks not looked at because the ranges that they tell of their fields leave no record that
 *     could have met the condition
 * @param failed records looked at for which the condition or an order had no result, or a selected field no value of
 *     its type: they are not among the records
 * @param firstFailure why the first of them failed
 * @param nanos time it took, in nanoseconds
 */
public record QueryResult(
        List<Map<String, @Nullable Object>> records,
        long scanned,
        long scannedBlocks,
        long skippedBlocks,
        long failed,
        @Nullable String firstFailure,
        long nanos) {}
