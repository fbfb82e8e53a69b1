package io.millrace.store;

import io.millrace.aggregate.AggregateLayout;
import io.millrace.aggregate.Column;
import io.millrace.aggregate.GroupAggregate;
import io.millrace.aggregate.GroupKey;
import io.millrace.aggregate.Groups;
import io.millrace.aggregate.Slot;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.ExpressionException;
import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A query for figures, compiled. Serves one run at a time.
 *
 * @param schema of the records as the expressions read them
 * @param filter compiles the condition, or gives it where that was done; null where there is none
 * @param encoded the query as it is put to encoded records
 * @param query the query
 * @param keys what makes a group
 * @param figures what is told of it
 * @param layout of what the figures are told from
 */
record AggregatePlan(
        Schema schema,
        @Nullable Supplier<BatchFilter> filter,
        EncodedQuery encoded,
        AggregateQuery query,
        List<GroupKey> keys,
        List<GroupAggregate> figures,
        AggregateLayout layout) {

    /**
     * Compiles a query to a region.
     *
     * @throws ExpressionException where an expression is wrong
     * @throws IllegalArgumentException where a figure is none
     */
    static AggregatePlan of(RegionDefinition region, AggregateQuery query, FunctionRegistry functions) {
        Schema schema = region.schema();
        AggregatePlan whole = of(region, query, schema, functions);
        if (schema.tagged() == null) {
            return whole;
        }
        try {
            return of(region, query, schema.project(whole.encoded.reads()), functions);
        } catch (ExpressionException namesWhatItDoesNotRead) {
            // As with queries: the name must be known, though nothing is found for it.
            return whole;
        }
    }

    private static AggregatePlan of(
            RegionDefinition region, AggregateQuery query, Schema schema, FunctionRegistry functions) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema, functions);
        List<GroupKey> keys = query.by().stream()
                .map(key -> GroupKey.of(key, schema, compiler))
                .toList();
        AggregateLayout layout = new AggregateLayout();
        GroupAggregate.count(layout);
        List<GroupAggregate> figures = query.values().stream()
                .map(value -> GroupAggregate.of(value, compiler, layout))
                .toList();
        Set<String> reads = new HashSet<>();
        keys.forEach(key -> reads.addAll(key.reads()));
        layout.columns().forEach(column -> reads.addAll(column.numbers().reads()));
        QueryPlan.Condition condition = QueryPlan.condition(region, query.where(), schema, compiler, reads, reads);
        AggregatePlan plan =
                new AggregatePlan(schema, condition.filter(), condition.encoded(), query, keys, figures, layout);
        Limits.requireKeyLength(Long.BYTES * plan.keyWidth());
        // In a table that is half full, where each place has a hash and a number.
        Limits.requireMemory(
                query.limit(),
                (long) Long.BYTES * (plan.keyWidth() + layout.width()) + 2 * (Long.BYTES + Integer.BYTES));
        return plan;
    }

    /** What gives the columns of the keys that have one, then those of the figures. */
    List<QueryPlan.Order> columns() {
        List<Compiled<BatchKeys>> columns = new ArrayList<>();
        keys.stream().map(GroupKey::numbers).filter(numbers -> numbers != null).forEach(columns::add);
        layout.columns().stream().map(Column::numbers).forEach(columns::add);
        return columns.stream()
                .map(numbers -> new QueryPlan.Order(numbers::loop, false, null))
                .toList();
    }

    /** No groups yet. */
    Groups groups() {
        return new Groups(keyWidth(), layout, query.limit());
    }

    /** Longs of a group's key. */
    int keyWidth() {
        return keys.stream().mapToInt(GroupKey::longs).sum();
    }

    /**
     * Refuses more groups than are asked for.
     *
     * @throws StoreException where there are
     */
    void requireRoom(Groups groups) {
        if (count(groups.figures(), 0) > 0) {
            throw new StoreException(
                    "there are more than " + query.limit() + " groups: raise the limit, or ask for less");
        }
    }

    /** How many records a group has, of which something is kept from an index on. */
    long count(long[] kept, int from) {
        return kept[from + layout.at(Slot.Operation.COUNT)];
    }

    /** A group for people to read. */
    Map<String, @Nullable Object> decode(long[] key, int keyAt, long[] of, int from) {
        Map<String, @Nullable Object> group = new LinkedHashMap<>();
        int at = keyAt;
        for (int i = 0; i < keys.size(); i++) {
            group.put(query.by().get(i), keys.get(i).decode(key, at));
            at += keys.get(i).longs();
        }
        for (int i = 0; i < figures.size(); i++) {
            group.put(query.values().get(i), figures.get(i).value(of, from));
        }
        return group;
    }
}
