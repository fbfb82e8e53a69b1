package io.millrace.store.query;

import java.io.Serializable;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a scan, on one member or on all.
 *
 * @param scanned records scanned: all of the blocks scanned; fewer than the region contains if blocks were skipped, or
 *     enough records were found without an order
 * @param scannedBlocks blocks scanned
 * @param skippedBlocks blocks not scanned because their field ranges exclude the condition
 * @param failed records scanned for which an expression had no result, or a selected field no value of its type: they
 *     are not part of the answer
 * @param firstFailure reason why the first of them failed
 */
@API(status = API.Status.STABLE)
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

    /** Returns these counts with additional failed records. */
    ScanCounts plusFailed(long records, @Nullable String why) {
        return plus(new ScanCounts(0, 0, 0, records, why));
    }
}
