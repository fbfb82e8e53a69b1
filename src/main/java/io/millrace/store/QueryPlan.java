package io.millrace.store;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchKeys;
import io.millrace.schema.Schema;
import java.util.List;
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

    /** Keys to order by; their order is turned round where it is descending. */
    record Order(BatchKeys keys, boolean descending) {}

    /** All fields where a selection names none. */
    static List<FieldCodec> select(Schema schema, List<String> names) {
        RecordCodec codec = RecordCodec.of(schema);
        return names.isEmpty()
                ? codec.codecs()
                : names.stream().map(codec::codec).toList();
    }
}
