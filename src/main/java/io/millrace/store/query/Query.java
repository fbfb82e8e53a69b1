package io.millrace.store.query;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query to a region.
 *
 * @param where condition that records must meet; null for all records
 * @param select names of the fields to show, including virtual ones, up to {@link #MAX_FIELDS}; empty for all stored
 *     fields
 * @param orderBy up to {@link #MAX_ORDERS} expressions, most important first, each ascending unless it ends in
 *     {@code desc}; empty for the order in which records are found, which for the blocks of one member is the order in
 *     which they were stored
 * @param limit maximum number of records; with an order, all of these are in memory until the last record was scanned
 * @param onError what to do if an expression has no result for a record
 */
public record Query(@Nullable String where, List<String> select, List<String> orderBy, long limit, OnError onError)
        implements Serializable {

    public static final int DEFAULT_LIMIT = 100;

    /** Maximum number of records of an answer with an order. */
    public static final int MAX_LIMIT = 1_000_000;

    /** Maximum number of fields that a query may name. */
    public static final int MAX_FIELDS = 1_000;

    /** Maximum number of expressions of an order: each record in memory takes space for each of them. */
    public static final int MAX_ORDERS = 16;

    /** The limit for all records of an answer without an order. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    public Query {
        select = List.copyOf(select);
        orderBy = List.copyOf(orderBy);
        Limits.requireAtMost(MAX_FIELDS, "select", select);
        Limits.requireAtMost(MAX_ORDERS, "orderBy", orderBy);
        if (!orderBy.isEmpty() && limit == UNLIMITED) {
            throw new IllegalArgumentException(
                    "Missing limit. With orderBy, records are sorted in memory: use 1 to " + MAX_LIMIT + ".");
        }
        long maxLimit = orderBy.isEmpty() ? UNLIMITED : MAX_LIMIT;
        if (limit < 1 || limit > maxLimit) {
            throw new IllegalArgumentException("Invalid limit '" + limit + "'. Use 1 to " + maxLimit + ".");
        }
    }

    /** Creates a query that fails if an expression has no result for a record. */
    public Query(@Nullable String where, List<String> select, List<String> orderBy, long limit) {
        this(where, select, orderBy, limit, OnError.FAIL);
    }

    /** Returns a query for the first records that meet a condition, up to the default limit. */
    public static Query where(String condition) {
        return new Query(condition, List.of(), List.of(), DEFAULT_LIMIT);
    }

    /** Returns a query for the first records, up to the default limit. */
    public static Query all() {
        return new Query(null, List.of(), List.of(), DEFAULT_LIMIT);
    }

    /** Returns this query with another limit. */
    public Query withLimit(long records) {
        return new Query(where, select, orderBy, records, onError);
    }

    /** Returns this query with another way to treat records without a result. */
    public Query withOnError(OnError reaction) {
        return new Query(where, select, orderBy, limit, reaction);
    }
}
