package io.millrace.store;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * What a query looked at, in one member's part of a region or in all of it.
 *
 * @param scanned records looked at: all of the blocks looked at; fewer than the region holds where blocks were skipped,
 *     or enough were found without an order
 * @param scannedBlocks blocks looked at
 * @param skippedBlocks blocks not looked at because the ranges that they tell of their fields leave no record that
 *     could have met the condition
 * @param failed records looked at for which an expression had no result, or a selected field no value of its type: they
 *     are not part of the answer
 * @param firstFailure why the first of them failed
 */
public record ScanCounts(
        long scanned,
        long scannedBlocks,
        long skippedBlocks,
        long failed,
        @Nullable String firstFailure) implements Serializable {

    static final ScanCounts NONE = new ScanCounts(0, 0, 0, 0, null);

    ScanCounts plus(ScanCounts more) {
        return new ScanCounts(
                scanned + more.scanned,
                scannedBlocks + more.scannedBlocks,
                skippedBlocks + more.skippedBlocks,
                failed + more.failed,
                firstFailure == null ? more.firstFailure : firstFailure);
    }

    /** With so many more records that failed. */
    ScanCounts plusFailed(long records, @Nullable String why) {
        return plus(new ScanCounts(0, 0, 0, records, why));
    }
}
