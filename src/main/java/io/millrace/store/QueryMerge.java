package io.millrace.store;

import io.millrace.codec.FieldValueException;
import io.millrace.expression.FunctionRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes one result of what a query found in each part of a region. Not thread-safe. */
public final class QueryMerge {

    private final QueryPlan plan;
    private ScanCounts counts = ScanCounts.NONE;

    QueryMerge(QueryPlan plan) {
        this.plan = plan;
    }

    /**
     * For one run of a query.
     *
     * @param functions that the query's expressions may call
     * @throws io.millrace.expression.ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where a field selected is not stored
     */
    public static QueryMerge of(RegionDefinition region, Query query, FunctionRegistry functions) {
        return new QueryMerge(QueryPlan.of(region, query, functions));
    }

    /**
     * The best records of all parts, decoded. Where the query has no order they come part by part.
     *
     * @param nanos that asking took
     */
    public QueryResult result(List<QueryPart> parts, long nanos) {
        int width = plan.orders().size();
        TopRecords top = new TopRecords(plan.limit(), width);
        for (QueryPart part : parts) {
            long[][] columns = columns(part, width);
            for (int i = 0; i < part.records().length && !top.complete(); i++) {
                top.offer(columns, i, part.records()[i], 0);
            }
            counts = counts.plus(part.counts());
        }
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        top.drain((record, at, keys, keysAt) -> decode(record, records));
        return new QueryResult(records, counts, nanos);
    }

    private static long[][] columns(QueryPart part, int width) {
        long[][] columns = new long[width][part.records().length];
        for (int i = 0; i < part.records().length; i++) {
            for (int k = 0; k < width; k++) {
                columns[k][i] = part.keys()[i * width + k];
            }
        }
        return columns;
    }

    private void decode(byte[] record, List<Map<String, @Nullable Object>> into) {
        try {
            into.add(plan.shown().decode(record, 0));
        } catch (FieldValueException | NoResultException e) {
            counts = counts.plusFailed(1, e.getMessage());
        }
    }
}
