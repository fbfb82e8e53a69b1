package io.millrace.store;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query to a region.
 *
 * @param where condition that records must meet; null is all
 * @param select names of the fields to show, virtual ones too, up to {@link #MAX_FIELDS}; none is all that are stored
 * @param orderBy up to {@link #MAX_ORDERS} expressions, most important first, each ascending unless it ends in
 *     {@code desc}; none is the order in which records are found, which for the blocks of one member is the order in
 *     which they were stored
 * @param limit how many records at most; with an order, all of these are held in memory until the last was looked at
 */
public record Query(@Nullable String where, List<String> select, List<String> orderBy, long limit)
        implements Serializable {

    public static final int DEFAULT_LIMIT = 100;

    /** The most records of an answer that has an order. */
    public static final int MAX_LIMIT = 1_000_000;

    /** The most fields that a query may name. */
    public static final int MAX_FIELDS = 1_000;

    /** The most expressions that an order may have: each record that is held takes memory for each of them. */
    public static final int MAX_ORDERS = 16;

    /** Of an answer without an order: all records. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    public Query {
        select = List.copyOf(select);
        orderBy = List.copyOf(orderBy);
        Limits.requireAtMost(MAX_FIELDS, "select", select);
        Limits.requireAtMost(MAX_ORDERS, "orderBy", orderBy);
        if (!orderBy.isEmpty() && limit == UNLIMITED) {
            throw new IllegalArgumentException("limit is missing: records in an order are all held in memory, so that"
                    + " it has to be said how many, at most " + MAX_LIMIT);
        }
        long most = orderBy.isEmpty() ? UNLIMITED : MAX_LIMIT;
        if (limit < 1 || limit > most) {
            throw new IllegalArgumentException("limit=" + limit + " is not between 1 and " + most);
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

    /** This query for another number of records. */
    public Query withLimit(long records) {
        return new Query(where, select, orderBy, records);
    }
}
