package io.millrace.store.query;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query to a region for aggregates of groups of records.
 *
 * @param where condition that records must meet; null for all records
 * @param by keys of a group, up to {@link #MAX_KEYS}: names of stored fields, or expressions with a number, date,
 *     instant, name or truth value; empty for a single group of all records
 * @param values aggregates, up to {@link #MAX_VALUES}: {@code count()}, and {@code count}, {@code sum}, {@code min},
 *     {@code max} and {@code avg} of an expression; each ignores records for which its expression is absent
 * @param limit maximum number of groups; if there are more, the query fails
 * @param onError what to do if an expression has no result for a record
 */
public record AggregateQuery(@Nullable String where, List<String> by, List<String> values, int limit, OnError onError)
        implements Serializable {

    public static final int DEFAULT_LIMIT = 10_000;
    public static final int MAX_LIMIT = 1_000_000;

    /** Maximum number of keys of a group. */
    public static final int MAX_KEYS = 16;

    /** Maximum number of aggregates of a group. */
    public static final int MAX_VALUES = 64;

    public AggregateQuery {
        by = List.copyOf(by);
        values = List.copyOf(values);
        Limits.requireAtMost(MAX_KEYS, "by", by);
        Limits.requireAtMost(MAX_VALUES, "values", values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("Missing values. Add at least one, such as count() or sum(amount).");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("Invalid limit '" + limit + "'. Use 1 to " + MAX_LIMIT + ".");
        }
    }

    /** Creates a query that fails if an expression has no result for a record. */
    public AggregateQuery(@Nullable String where, List<String> by, List<String> values, int limit) {
        this(where, by, values, limit, OnError.FAIL);
    }

    /** Returns this query with another way to treat records without a result. */
    public AggregateQuery withOnError(OnError reaction) {
        return new AggregateQuery(where, by, values, limit, reaction);
    }
}
