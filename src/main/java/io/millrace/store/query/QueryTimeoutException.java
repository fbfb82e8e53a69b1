package io.millrace.store.query;

import io.millrace.background.DurationText;
import io.millrace.store.error.StoreException;
import java.time.Duration;
import org.apiguardian.api.API;

/** Thrown when a query exceeds its timeout and has ended. */
@API(status = API.Status.STABLE)
public final class QueryTimeoutException extends StoreException {

    private static final long serialVersionUID = 1;

    private final Duration timeout;
    private final ScanCounts counts;

    QueryTimeoutException(String region, Duration timeout, ScanCounts counts) {
        super("The query of region '" + region + "' took longer than its timeout of " + DurationText.of(timeout)
                + " and was stopped after " + counts.scanned() + " records.");
        this.timeout = timeout;
        this.counts = counts;
    }

    /** Returns the timeout of the query. */
    public Duration timeout() {
        return timeout;
    }

    /** Returns the counts of records scanned until then. */
    public ScanCounts counts() {
        return counts;
    }
}
