package io.millrace.store;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchKeys;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.FunctionRegistry;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query, compiled. Immutable.
 *
 * @param schema of the stored records
 * @param filter the condition, null where there is none
 * @param fields what to show
 * @param orders what to order by, most important first
 * @param limit how many records at most
 */
record QueryPlan(Schema schema, @Nullable BatchFilter filter, List<FieldCodec> fields, List<Order> orders, int limit) {

    private static final Pattern DIRECTED = Pattern.compile("(?is)(.*\\S)\\s+(asc|desc)\\s*");

    /** Keys to order by; their order is turned round where it is descending. */
    record Order(BatchKeys keys, boolean descending) {}

    /** Compiles a query to a region. */
    static QueryPlan of(RegionDefinition region, Query query, FunctionRegistry functions) {
        ExpressionCompiler compiler = new ExpressionCompiler(region.schema(), functions);
        String where = query.where();
        List<Order> orders = new ArrayList<>();
        for (String orderBy : query.orderBy()) {
            Matcher directed = DIRECTED.matcher(orderBy);
            boolean given = directed.matches();
            boolean descending = given && directed.group(2).equalsIgnoreCase("desc");
            orders.add(new Order(
                    compiler.orderKeys(given ? directed.group(1) : orderBy).loop(), descending));
        }
        if (!orders.isEmpty() && region.layout() == Layout.ENTRIES && keyIsNumber(region)) {
            // Geode has entries in no order: the key decides between equal ones, so that asking twice gives the same.
            orders.add(new Order(
                    compiler.orderKeys(Objects.requireNonNull(region.keyField()))
                            .loop(),
                    false));
        }
        return new QueryPlan(
                region.schema(),
                where == null ? null : compiler.filter(where).loop(),
                select(region.schema(), query.select()),
                orders,
                query.limit());
    }

    private static boolean keyIsNumber(RegionDefinition region) {
        return Objects.requireNonNull(region.key()).type() instanceof FieldType.Numbered;
    }

    /** All fields where a selection names none. */
    static List<FieldCodec> select(Schema schema, List<String> names) {
        RecordCodec codec = RecordCodec.of(schema);
        return names.isEmpty()
                ? codec.codecs()
                : names.stream().map(codec::codec).toList();
    }
}
