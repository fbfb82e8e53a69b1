package io.millrace.web.answer;

import io.millrace.store.query.IncompleteAnswerException;
import io.millrace.web.request.ApiErrorCode;
import io.millrace.web.request.ApiException;
import java.util.Map;
import java.util.Objects;

/** Creates the problem details of queries that have no result for some records. */
public final class IncompleteAnswers {

    private IncompleteAnswers() {}

    /**
     * Returns the exception of a request that can't leave such records out.
     *
     * @return an exception with the number of failed records and the first reason as details
     */
    public static ApiException problem(IncompleteAnswerException e) {
        return problem(e, "");
    }

    /** Returns the exception of a request that has the parameter {@code onError}. */
    static ApiException skippable(IncompleteAnswerException e) {
        return problem(e, " Or leave them out with 'onError=skip', which counts them.");
    }

    private static ApiException problem(IncompleteAnswerException e, String advice) {
        return new ApiException(
                ApiErrorCode.INCOMPLETE,
                e.getMessage() + advice,
                Map.of(
                        "failed",
                        e.counts().failed(),
                        "firstFailure",
                        Objects.requireNonNullElse(e.counts().firstFailure(), "")));
    }
}
