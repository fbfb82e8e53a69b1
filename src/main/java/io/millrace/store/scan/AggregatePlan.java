package io.millrace.store.scan;

import io.millrace.aggregate.AggregateLayout;
import io.millrace.aggregate.GroupAggregate;
import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.GroupKeys;
import io.millrace.aggregate.GroupSlot;
import io.millrace.aggregate.Groups;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Limits;
import io.millrace.store.region.RegionDefinition;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A compiled aggregate query. Serves one run at a time.
 *
 * @param schema of the records as the expressions read them
 * @param filter compiles the condition, or returns it if it is already compiled; null if there is none
 * @param encoded the query as it is evaluated on encoded records
 * @param query the query
 * @param keys that form a group
 * @param aggregates of each group
 * @param layout of the columns that the aggregates are computed from
 */
record AggregatePlan(
        Schema schema,
        @Nullable Supplier<BatchFilter> filter,
        EncodedQuery encoded,
        AggregateQuery query,
        List<GroupKey> keys,
        List<GroupAggregate> aggregates,
        AggregateLayout layout) {

    /**
     * Compiles a query to a region.
     *
     * @throws ExpressionException if an expression is invalid
     * @throws IllegalArgumentException if an aggregate is invalid
     */
    static AggregatePlan of(RegionDefinition region, AggregateQuery query, FunctionRegistry functions) {
        Schema schema = region.schema();
        AggregatePlan whole = of(region, query, schema, functions);
        Schema projected = schema.project(whole.encoded.reads());
        if (projected == schema) {
            return whole;
        }
        try {
            return of(region, query, projected, functions);
        } catch (ExpressionException nameNotRead) {
            // As with queries: the name must be known, though no record contains it.
            return whole;
        }
    }

    private static AggregatePlan of(
            RegionDefinition region, AggregateQuery query, Schema schema, FunctionRegistry functions) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema, functions);
        List<GroupKey> keys = query.by().stream()
                .map(key -> GroupKeys.of(key, schema, compiler))
                .toList();
        AggregateLayout layout = new AggregateLayout();
        GroupAggregate.count(layout);
        List<GroupAggregate> aggregates = query.values().stream()
                .map(value -> GroupAggregate.of(value, schema, compiler, layout))
                .toList();
        Set<String> reads = new HashSet<>();
        keys.forEach(key -> reads.addAll(key.reads()));
        layout.columns().forEach(column -> reads.addAll(column.reads()));
        QueryPlan.Condition condition = QueryPlan.condition(region, query.where(), schema, compiler, reads, reads);
        AggregatePlan plan =
                new AggregatePlan(schema, condition.filter(), condition.encoded(), query, keys, aggregates, layout);
        Limits.requireKeyLength(Long.BYTES * plan.keyWidth());
        // In a hash table that is half full, where each slot has a hash and a number.
        Limits.requireMemory(
                query.limit(),
                (long) Long.BYTES * (plan.keyWidth() + layout.width()) + 2 * (Long.BYTES + Integer.BYTES));
        return plan;
    }

    /** Returns the computed columns of the keys. */
    List<QueryPlan.Order> keyColumns() {
        return keys.stream()
                .flatMap(key -> key.numbers().stream())
                .map(numbers -> new QueryPlan.Order(numbers::loop, false, null))
                .toList();
    }

    /** Returns an empty set of groups. */
    Groups groups() {
        return new Groups(keyWidth(), layout, query.limit());
    }

    /** Returns the length of a group's key in longs. */
    int keyWidth() {
        return keys.stream().mapToInt(GroupKey::longs).sum();
    }

    /**
     * Throws an exception if there are more groups than the limit.
     *
     * @throws StoreException if there are
     */
    void requireRoom(Groups groups) {
        if (count(groups.accumulators(), 0) > 0) {
            throw new StoreException(
                    "Too many groups: more than " + query.limit() + ". Raise 'limit', or use fewer keys.");
        }
    }

    /** Returns the number of records of a group whose aggregates begin at an index. */
    long count(long[] accumulators, int accumulatorsAt) {
        return accumulators[accumulatorsAt + layout.at(GroupSlot.Operation.COUNT)];
    }

    /** Returns the decoded keys and aggregates of a group. */
    Map<String, @Nullable Object> decode(long[] key, int keyAt, long[] accumulators, int accumulatorsAt) {
        Map<String, @Nullable Object> group = new LinkedHashMap<>();
        int nextKeyAt = keyAt;
        for (int i = 0; i < keys.size(); i++) {
            group.put(query.by().get(i), keys.get(i).decode(key, nextKeyAt));
            nextKeyAt += keys.get(i).longs();
        }
        for (int i = 0; i < aggregates.size(); i++) {
            group.put(query.values().get(i), aggregates.get(i).value(accumulators, accumulatorsAt));
        }
        return group;
    }
}
