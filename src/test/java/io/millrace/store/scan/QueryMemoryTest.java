package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.store.Trades;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Limits;
import io.millrace.store.query.Query;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A query is refused before it allocates more than it may, wherever it is compiled: on each member too. */
class QueryMemoryTest {

    private static final Schema WIDE = new Schema(
            "wide",
            2008,
            List.of(
                    Field.of("id", new FieldType.IntegerType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN)), 0),
                    Field.of("note", new FieldType.StringType(2000, StandardCharsets.US_ASCII, (byte) ' '), 8)),
            List.of());

    private static RegionDefinition region(Schema schema) {
        return new RegionDefinition("wide", Layout.BLOCKS, 0, false, schema, List.of("id"), 16);
    }

    private static AggregateScan aggregate(List<String> by, List<String> values, int limit) {
        return AggregateScan.of(region(WIDE), new AggregateQuery(null, by, values, limit), FunctionRegistry.empty());
    }

    private static QueryScan ordered(Schema schema, int orders, long limit) {
        List<String> orderBy = Collections.nCopies(orders, "id");
        return QueryScan.of(region(schema), new Query(null, List.of(), orderBy, limit), FunctionRegistry.empty());
    }

    @Test
    void shouldRefuseGroupsThatAreTooMany() {
        List<String> values =
                IntStream.range(0, 64).mapToObj(i -> "sum(id + " + i + ")").toList();

        assertThat(aggregate(List.of("id"), values, AggregateQuery.DEFAULT_LIMIT))
                .isNotNull();
        assertThat(aggregate(List.of("id"), List.of("count()"), AggregateQuery.MAX_LIMIT))
                .isNotNull();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> aggregate(List.of("id"), values, AggregateQuery.MAX_LIMIT))
                .withMessageStartingWith("The query may need too much memory: 1,000,000 entries of ")
                .withMessageEndingWith("At most 128 MB are allowed: lower 'limit', or use fewer expressions.");
    }

    @Test
    void shouldRefuseGroupsThatAreTooWide() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> aggregate(List.of("note"), List.of("count()"), 1))
                .withMessageMatching(
                        "The expressions in 'by' are too long together: 2,0\\d\\d bytes. At most 1,024 are allowed.");
    }

    @Test
    void shouldRefuseAnOrderOfTooManyRecords() {
        assertThat(ordered(Trades.SCHEMA, 1, Query.MAX_LIMIT)).isNotNull();
        assertThat(ordered(WIDE, Query.MAX_ORDERS, 10_000)).isNotNull();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ordered(Trades.SCHEMA, Query.MAX_ORDERS, Query.MAX_LIMIT))
                .withMessageContaining("too much memory");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ordered(WIDE, 1, Query.MAX_LIMIT))
                .withMessageContaining("too much memory");
    }

    @Test
    void shouldHoldTheBoundExactly() {
        Limits.requireMemory(1, Limits.MAX_QUERY_BYTES);
        Limits.requireMemory(Limits.MAX_QUERY_BYTES, 1);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Limits.requireMemory(1, Limits.MAX_QUERY_BYTES + 1));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Limits.requireMemory(Query.MAX_LIMIT, Long.MAX_VALUE));
    }
}
