package io.millrace.store;

import java.time.Duration;

/** A query that took longer than it was given; nothing looks for its answer any more. */
public final class QueryTimeoutException extends StoreException {

    private static final long serialVersionUID = 1;

    private final Duration timeout;
    private final ScanCounts counts;

    QueryTimeoutException(String region, Duration timeout, ScanCounts counts) {
        super("region=" + region + " the query took longer than timeout=" + timeout + ": it was given up after "
                + counts.scanned() + " records were looked at");
        this.timeout = timeout;
        this.counts = counts;
    }

    /** The longest that it was to take. */
    public Duration timeout() {
        return timeout;
    }

    /** What was looked at until then. */
    public ScanCounts counts() {
        return counts;
    }
}
