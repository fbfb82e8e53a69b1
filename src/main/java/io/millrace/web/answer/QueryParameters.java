package io.millrace.web.answer;

import io.millrace.background.DurationText;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.OnError;
import io.millrace.store.query.Query;
import io.millrace.web.request.RequestDuration;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A query in the parameters of a request. Its methods throw {@link IllegalArgumentException} if the query is invalid.
 *
 * @param parameters of the request
 * @param format of the answer
 * @param limits of all queries
 */
record QueryParameters(MultiValueMap<String, String> parameters, AnswerFormat format, QueryLimits limits) {

    /** Returns the query for records. */
    Query query() {
        List<String> orderBy = list("orderBy");
        return new Query(text("where"), list("select"), orderBy, limit(!orderBy.isEmpty()), onError());
    }

    /** Returns the query for aggregates. */
    AggregateQuery aggregateQuery() {
        long limit = limit(number("limit"), AggregateQuery.DEFAULT_LIMIT, AggregateQuery.MAX_LIMIT);
        return new AggregateQuery(text("where"), list("by"), list("values"), Math.toIntExact(limit), onError());
    }

    private long limit(boolean ordered) {
        Long limit = number("limit");
        if (format == AnswerFormat.JSON) {
            return limit(limit, Math.min(Query.DEFAULT_LIMIT, limits.maxRecords()), limits.maxRecords());
        }
        // The query itself requires a limit if there is an order.
        return limit == null ? Query.UNLIMITED : limit(limit, limit, ordered ? limits.maxRecords() : Query.UNLIMITED);
    }

    private static long limit(@Nullable Long requested, long defaultLimit, long maxLimit) {
        long limit = requested == null ? defaultLimit : requested;
        if (limit < 1 || limit > maxLimit) {
            throw new IllegalArgumentException("Invalid limit '" + limit + "'. Use 1 to " + maxLimit + ".");
        }
        return limit;
    }

    private OnError onError() {
        String value = text("onError");
        if (value == null) {
            return OnError.FAIL;
        }
        for (OnError each : OnError.values()) {
            if (each.tag().equals(value.strip())) {
                return each;
            }
        }
        throw new IllegalArgumentException("Invalid onError '" + value + "'. Use one of: fail, skip.");
    }

    /** Returns the time limit of the query. */
    Duration timeout() {
        String value = text("timeout");
        if (value == null) {
            return limits.timeout();
        }
        Duration timeout = RequestDuration.parse("timeout", value);
        if (!timeout.isPositive() || timeout.compareTo(limits.maxTimeout()) > 0) {
            throw new IllegalArgumentException("Invalid timeout '" + value + "'. Use a duration above 0 and up to "
                    + DurationText.of(limits.maxTimeout()) + ".");
        }
        return timeout;
    }

    private List<String> list(String name) {
        return ExpressionList.of(parameters, name);
    }

    private @Nullable String text(String name) {
        String value = parameters.getFirst(name);
        return value == null || value.isBlank() ? null : value;
    }

    private @Nullable Long number(String name) {
        String value = text(name);
        try {
            return value == null ? null : Long.valueOf(value.strip());
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("Invalid " + name + " '" + value + "'. Use a whole number.");
        }
    }
}
