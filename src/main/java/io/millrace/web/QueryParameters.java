package io.millrace.web;

import io.millrace.store.AggregateQuery;
import io.millrace.store.Query;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.MultiValueMap;

/**
 * A query as a request asks it. What is wrong with it is an {@link IllegalArgumentException}.
 *
 * @param parameters of the request
 * @param format that the answer is to have
 * @param limits for all queries
 */
record QueryParameters(MultiValueMap<String, String> parameters, AnswerFormat format, QueryLimits limits) {

    private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?\\d+");

    /** It as one for records. */
    Query query() {
        List<String> orderBy = list("orderBy");
        return new Query(text("where"), list("select"), orderBy, limit(!orderBy.isEmpty()));
    }

    /** It as one for figures. */
    AggregateQuery aggregateQuery() {
        long limit = limit(number("limit"), AggregateQuery.DEFAULT_LIMIT, AggregateQuery.MAX_LIMIT);
        return new AggregateQuery(text("where"), list("by"), list("values"), Math.toIntExact(limit));
    }

    private long limit(boolean ordered) {
        Long limit = number("limit");
        if (format == AnswerFormat.JSON) {
            return limit(limit, Math.min(Query.DEFAULT_LIMIT, limits.maxRecords()), limits.maxRecords());
        }
        // In an order it must not be missing: the query says so.
        return limit == null ? Query.UNLIMITED : limit(limit, limit, ordered ? limits.maxRecords() : Query.UNLIMITED);
    }

    private static long limit(@Nullable Long said, long otherwise, long most) {
        long limit = said == null ? otherwise : said;
        if (limit < 1 || limit > most) {
            throw new IllegalArgumentException("limit=" + limit + " is not between 1 and " + most);
        }
        return limit;
    }

    /** Whether a record that failed is an error: CSV has no place to count it. */
    boolean complete() {
        return format == AnswerFormat.CSV;
    }

    /** For how long its answer may be looked for. */
    Duration timeout() {
        String said = text("timeout");
        if (said == null) {
            return limits.timeout();
        }
        Duration timeout;
        try {
            timeout = DurationStyle.detectAndParse(said);
        } catch (IllegalArgumentException | ArithmeticException _) {
            throw invalidTimeout(said);
        }
        if (WITHOUT_UNIT.matcher(said.strip()).matches() && !timeout.isZero()) {
            throw invalidTimeout(said);
        }
        if (!timeout.isPositive() || timeout.compareTo(limits.maxTimeout()) > 0) {
            throw new IllegalArgumentException("timeout=" + said + " is not above 0 and up to " + limits.maxTimeout());
        }
        return timeout;
    }

    private static IllegalArgumentException invalidTimeout(String value) {
        return new IllegalArgumentException(
                "Invalid duration '" + value + "' for 'timeout'. Use a number and a unit, such as 10s.");
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
            throw new IllegalArgumentException(name + "=" + value + " is no whole number");
        }
    }
}
