package io.millrace.store.query;

import io.millrace.store.error.StoreException;
import org.apiguardian.api.API;

/**
 * Thrown when an answer would lack records, because an expression has no result for them or a field no value of its
 * type. A query with {@link OnError#SKIP} leaves such records out instead.
 */
@API(status = API.Status.STABLE)
public final class IncompleteAnswerException extends StoreException {

    private static final long serialVersionUID = 1;

    private final ScanCounts counts;

    /** @param complete whether all records were scanned, so that no more can fail */
    IncompleteAnswerException(String region, ScanCounts counts, boolean complete) {
        super("The query of region '" + region + "' has no result for " + counts.failed()
                + (complete ? "" : " or more") + (counts.failed() == 1 && complete ? " record" : " records")
                + ". The first failure: " + counts.firstFailure()
                + " Exclude such records by 'where'.");
        this.counts = counts;
    }

    /** Returns the counts of records scanned until then. */
    public ScanCounts counts() {
        return counts;
    }
}
