package io.millrace.store.query;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * What a query does if an expression has no result for a record, such as a division by zero, or a field no value of its
 * type.
 */
@API(status = API.Status.STABLE)
public enum OnError {
    /** The query fails with an {@link IncompleteAnswerException}. */
    FAIL,
    /** The query leaves such records out of its whole answer, and counts them in {@link ScanCounts#failed}. */
    SKIP;

    /** Returns the name in parameters of requests. */
    @API(status = API.Status.INTERNAL)
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
