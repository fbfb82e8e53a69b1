package io.millrace.store;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question to a region.
 *
 * @param where condition that records must meet; null is all
 * @param select names of the fields to show, virtual ones too; none is all that are stored
 * @param orderBy expressions, most important first, each ascending unless it ends in {@code desc}; none is the order in
 *     which records are found, which for blocks is the order in which they were stored
 * @param limit how many records at most
 */
public record Query(@Nullable String where, List<String> select, List<String> orderBy, int limit)
        implements Serializable {

    public static final int DEFAULT_LIMIT = 100;
    public static final int MAX_LIMIT = 10_000;

    public Query {
        select = List.copyOf(select);
        orderBy = List.copyOf(orderBy);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit=" + limit + " is not between 1 and " + MAX_LIMIT);
        }
    }

    /** The first records for which a condition holds, as far as the default limit allows. */
    public static Query where(String condition) {
        return new Query(condition, List.of(), List.of(), DEFAULT_LIMIT);
    }

    /** The first records, as far as the default limit allows. */
    public static Query all() {
        return new Query(null, List.of(), List.of(), DEFAULT_LIMIT);
    }
}
