package io.millrace.store.scan;

import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.Compiled;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.OrderKeys;
import io.millrace.expression.SplitCondition;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.store.block.ColumnLayout;
import io.millrace.store.block.StoredCondition;
import io.millrace.store.query.Limits;
import io.millrace.store.query.Query;
import io.millrace.store.query.StoredRecords;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/**
 * A compiled query. Serves one run at a time.
 *
 * @param schema of the records as the expressions read them: that of the stored ones, if they vary in length with only
 *     the fields that are read
 * @param filter compiles the condition, or returns it if it is already compiled; null if there is none
 * @param shown decodes the records found
 * @param orders keys to order by, most important first
 * @param encoded the query as it is evaluated on encoded records
 */
record QueryPlan(
        Schema schema,
        @Nullable Supplier<BatchFilter> filter,
        StoredRecords shown,
        List<Order> orders,
        EncodedQuery encoded) {

    private static final Pattern DIRECTED = Pattern.compile("(?is)(.*\\S)\\s+(asc|desc)\\s*");

    /**
     * A compiled condition.
     *
     * @param filter compiles it, or returns it if it is already compiled; null if there is none
     * @param encoded as it is evaluated on encoded records
     */
    record Condition(@Nullable Supplier<BatchFilter> filter, EncodedQuery encoded) {}

    /**
     * Keys to order by; inverted if the order is descending.
     *
     * @param keys compiles them, or returns them if they are already compiled
     * @param field whose numbers are the keys, which columns provide without compilation; null for other keys
     */
    record Order(
            Supplier<BatchKeys> keys,
            boolean descending,
            @Nullable String field) {}

    /** An expression to order by, and the direction. */
    private record Ordering(String expression, boolean descending) {

        static Ordering of(String orderBy) {
            Matcher directed = DIRECTED.matcher(orderBy);
            return directed.matches()
                    ? new Ordering(directed.group(1), directed.group(2).equalsIgnoreCase("desc"))
                    : new Ordering(orderBy, false);
        }
    }

    /** Compiles a query to a region. */
    static QueryPlan of(RegionDefinition region, Query query, FunctionRegistry functions) {
        List<Ordering> orderings = orderings(region, query);
        Schema schema = region.schema();
        if (!schema.layout().variesInLength()) {
            return of(region, query, orderings, schema, functions);
        }
        Schema projected = schema.project(reads(schema, query, orderings, functions));
        try {
            return of(region, query, orderings, projected, functions);
        } catch (ExpressionException nameNotRead) {
            // Such as b in `a ?: b` where a is never absent: the name must be known, though no record contains it.
            return of(region, query, orderings, schema, functions);
        }
    }

    private static QueryPlan of(
            RegionDefinition region, Query query, List<Ordering> orderings, Schema schema, FunctionRegistry functions) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema, functions);
        List<Order> orders = new ArrayList<>();
        Set<String> reads = new HashSet<>();
        Set<String> restReads = new HashSet<>();
        for (Ordering ordering : orderings) {
            Field field = region.encoding() == BlockEncoding.COLUMNS ? schema.field(ordering.expression()) : null;
            if (field != null && isOrderedByColumn(schema, field)) {
                reads.add(field.name());
                orders.add(new Order(
                        SingletonSupplier.of(
                                () -> compiler.orderKeys(field.name()).loop()),
                        ordering.descending(),
                        field.name()));
            } else {
                for (Compiled<BatchKeys> keys : compiler.order(ordering.expression())) {
                    reads.addAll(keys.reads());
                    restReads.addAll(keys.reads());
                    orders.add(new Order(keys::loop, ordering.descending(), null));
                }
            }
        }
        if (!orders.isEmpty()) {
            Limits.requireMemory(
                    query.limit(),
                    TopRecords.bytesOfEach(orders.size()) + region.schema().recordLength());
        }
        Condition condition = condition(region, query.where(), schema, compiler, reads, restReads);
        return new QueryPlan(
                schema,
                condition.filter(),
                StoredRecords.of(region.schema(), query.select(), functions),
                orders,
                condition.encoded());
    }

    /**
     * Compiles a condition.
     *
     * @param where the condition, or null if there is none
     * @param reads fields that are read in addition
     * @param restReads those of them that must be read from records
     */
    static Condition condition(
            RegionDefinition region,
            @Nullable String where,
            Schema schema,
            ExpressionCompiler compiler,
            Set<String> reads,
            Set<String> restReads) {
        boolean inColumns =
                region.encoding() == BlockEncoding.COLUMNS || !schema.layout().variesInLength();
        ColumnLayout layout = inColumns ? ColumnLayout.of(schema) : null;
        SplitCondition condition =
                where == null ? null : compiler.split(where, field -> layout != null && layout.testable(field));
        return new Condition(
                condition == null ? null : filter(region, condition), encoded(condition, reads, restReads));
    }

    /**
     * Compiles the condition immediately for blocks of rows, which need it in any case, so that its errors are reported
     * early.
     */
    private static Supplier<BatchFilter> filter(RegionDefinition region, SplitCondition condition) {
        if (region.encoding() == BlockEncoding.COLUMNS) {
            return () -> condition.whole().get().loop();
        }
        BatchFilter whole = condition.whole().get().loop();
        return () -> whole;
    }

    private static EncodedQuery encoded(
            @Nullable SplitCondition condition, Set<String> orderReads, Set<String> orderRestReads) {
        if (condition == null) {
            return new EncodedQuery(List.of(), null, orderReads, orderRestReads);
        }
        Compiled<BatchFilter> rest = condition.rest();
        Set<String> reads = new HashSet<>(orderReads);
        Set<String> restReads = new HashSet<>(orderRestReads);
        reads.addAll(condition.reads());
        if (rest != null) {
            restReads.addAll(rest.reads());
        }
        return new EncodedQuery(
                condition.tests().stream().map(StoredCondition::of).toList(),
                rest == null ? null : rest.loop(),
                reads,
                restReads);
    }

    /** Returns whether the order of a field's values is that of the numbers in a column of its own. */
    private static boolean isOrderedByColumn(Schema schema, Field field) {
        String part = field.name().substring(0, Math.max(0, field.name().lastIndexOf('.')));
        // In a part that is not there, a required field has no value, but the number 0.
        boolean always = schema.layout().presences().getOrDefault(part, "").isEmpty();
        return always && isOrderedByNumber(field) && ColumnLayout.of(schema).testable(field);
    }

    /**
     * Returns whether the order of a field's values is that of its numbers; names, for example, have an order of their
     * own.
     */
    private static boolean isOrderedByNumber(Field field) {
        // An absent value has the number 0 in the column of a field with a null flag.
        return FieldCondition.able(field)
                && !field.nullFlag()
                && !OrderKeys.needTwo(field)
                && switch (field.type()) {
                    case FieldType.EnumType _,
                            FieldType.BooleanType _,
                            FieldType.StringType _,
                            FieldType.BytesType _,
                            FieldType.IpType _ -> false;
                    case FieldType.IntegerType _,
                            FieldType.DecimalType _,
                            FieldType.DateType _,
                            FieldType.InstantType _,
                            FieldType.FloatType _ -> true;
                };
    }

    private static List<Ordering> orderings(RegionDefinition region, Query query) {
        List<Ordering> orderings = new ArrayList<>();
        query.orderBy().forEach(orderBy -> orderings.add(Ordering.of(orderBy)));
        if (!orderings.isEmpty() && region.layout() == Layout.ENTRIES && keyIsNumber(region)) {
            // Geode does not order entries: the key decides between equal ones, so that a repeated query returns the
            // same result.
            orderings.add(new Ordering(region.keyFields().getFirst(), false));
        }
        return orderings;
    }

    private static boolean keyIsNumber(RegionDefinition region) {
        List<String> key = region.keyFields();
        return key.size() == 1
                && switch (Objects.requireNonNull(region.schema().field(key.getFirst()))
                        .type()) {
                    // A record whose key no expression can read must not fail.
                    case FieldType.DateType(var storage) -> !storage.unsignedLong();
                    case FieldType.InstantType(var storage, var _) -> !storage.unsignedLong();
                    case FieldType type -> type instanceof FieldType.Numbered;
                };
    }

    /** Returns the fields that a query's expressions read: only these must be located in each record. */
    private static Set<String> reads(Schema schema, Query query, List<Ordering> orderings, FunctionRegistry functions) {
        ExpressionCompiler compiler = new ExpressionCompiler(schema, functions);
        Set<String> reads = new HashSet<>();
        String where = query.where();
        if (where != null) {
            reads.addAll(compiler.filter(where).reads());
        }
        for (Ordering ordering : orderings) {
            compiler.order(ordering.expression()).forEach(keys -> reads.addAll(keys.reads()));
        }
        return reads;
    }
}
