package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.error.StoreException;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AggregateScanTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final FunctionRegistry FUNCTIONS = FunctionRegistry.empty();

    private static RegionDefinition region(BlockEncoding encoding) {
        return new RegionDefinition("r", Layout.BLOCKS, 0, false, TRADE, List.of(), null, 512, encoding);
    }

    /** Asks blocks in as many parts as there are. */
    private static AggregateResult query(RegionDefinition region, AggregateQuery query, List<List<byte[]>> parts) {
        AggregateScan scan = AggregateScan.of(region, query, FUNCTIONS);
        List<AggregatePart> found = parts.stream()
                .map(blocks -> {
                    scan.reset();
                    BlockChecks checks = new BlockChecks();
                    blocks.forEach(block -> scan.block(blocks.indexOf(block), block, checks));
                    return scan.part();
                })
                .toList();
        return Answers.of(scan, found);
    }

    private static List<byte[]> blocks(RegionDefinition region, byte[] rows, int from, int count) {
        List<byte[]> blocks = new ArrayList<>();
        BlockWriter writer = BlockWriter.of(region, region.schema());
        int length = region.schema().recordLength();
        RecordBatch batch = new RecordBatch(region.schema()).fill(rows, from * length, count, 0, (long) count * length);
        int index = 0;
        while (index < batch.selected()) {
            index = writer.append(batch, index);
            blocks.add(writer.seal(0, index));
            writer.clear();
        }
        return blocks;
    }

    private static byte[] trades(long seed, int count) {
        byte[] trades = new byte[TRADE.recordLength() * count];
        RecordGenerator.of(TRADE, seed).fill(trades, 0, count);
        return trades;
    }

    @Property(tries = 30)
    void shouldReportWhatAPlainLoopReports(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3000) int count) {
        byte[] trades = trades(seed, count);
        int cut = new Random(seed).nextInt(count);
        AggregateQuery query = new AggregateQuery(
                "buySell == 'Buy'",
                List.of("currency1", "tradeDate.monthValue"),
                List.of("count()", "sum(amount1)", "min(id)", "max(tradeDate)", "avg(amount1)", "min(exchangeRate)"),
                1000);
        Map<List<Object>, Plain> expected = plain(trades, count);
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition region = region(encoding);
            AggregateResult result = query(
                    region, query, List.of(blocks(region, trades, 0, cut), blocks(region, trades, cut, count - cut)));

            assertThat(result.groups()).hasSameSizeAs(expected.keySet());
            assertThat(result.counts().failed()).isZero();
            for (Map<String, @Nullable Object> group : result.groups()) {
                Plain plain = Objects.requireNonNull(expected.get(List.of(
                        Objects.requireNonNull(group.get("currency1")),
                        Objects.requireNonNull(group.get("tradeDate.monthValue")))));
                assertThat(group)
                        .containsEntry("count()", plain.ids.getCount())
                        .containsEntry("sum(amount1)", plain.sum)
                        .containsEntry("min(id)", plain.ids.getMin())
                        .containsEntry("max(tradeDate)", plain.last)
                        .containsEntry("min(exchangeRate)", plain.lowest);
                assertThat((BigDecimal) group.get("avg(amount1)"))
                        .isEqualByComparingTo(plain.sum.divide(
                                BigDecimal.valueOf(plain.ids.getCount()), java.math.MathContext.DECIMAL64));
            }
        }
    }

    private static final class Plain {
        private final LongSummaryStatistics ids = new LongSummaryStatistics();
        private BigDecimal sum = new BigDecimal("0.00");
        private LocalDate last = LocalDate.MIN;
        private double lowest = Double.POSITIVE_INFINITY;
    }

    private static Map<List<Object>, Plain> plain(byte[] trades, int count) {
        Map<List<Object>, Plain> groups = new HashMap<>();
        RecordCodec codec = RecordCodec.of(TRADE);
        for (int i = 0; i < count; i++) {
            Map<String, @Nullable Object> trade = codec.decode(trades, i * TRADE.recordLength());
            if (!"Buy".equals(trade.get("buySell"))) {
                continue;
            }
            LocalDate date = (LocalDate) Objects.requireNonNull(trade.get("tradeDate"));
            Plain plain = groups.computeIfAbsent(
                    List.of(Objects.requireNonNull(trade.get("currency1")), (long) date.getMonthValue()),
                    _ -> new Plain());
            plain.ids.accept((Long) Objects.requireNonNull(trade.get("id")));
            plain.sum = plain.sum.add((BigDecimal) Objects.requireNonNull(trade.get("amount1")));
            plain.last = date.isAfter(plain.last) ? date : plain.last;
            plain.lowest = Math.min(plain.lowest, (Double) Objects.requireNonNull(trade.get("exchangeRate")));
        }
        return groups;
    }

    @Test
    void shouldKeepManyGroupsApartAndRefuseTooMany() {
        RegionDefinition region = region(BlockEncoding.ROWS);
        List<List<byte[]>> parts = List.of(blocks(region, trades(1, 5000), 0, 5000));

        AggregateResult each = query(region, new AggregateQuery(null, List.of("id"), List.of("count()"), 5000), parts);
        assertThat(each.groups())
                .hasSize(5000)
                .allSatisfy(group -> assertThat(group).containsEntry("count()", 1L));
        assertThat(each.groups().getFirst()).containsEntry("id", 1L);

        AggregateQuery tooMany = new AggregateQuery(null, List.of("id"), List.of("count()"), 4999);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> query(region, tooMany, parts))
                .withMessageContaining("more than 4999. Raise");
    }

    @Test
    void shouldIgnoreAnAbsentValueInItsOwnAggregatesOnly() {
        FieldType real = new FieldType.FloatType(8, ByteOrder.BIG_ENDIAN);
        long absent = Field.defaultNullRaw(real);
        Schema schema = new Schema("reals", 8, List.of(Field.of("x", real, 0).asOptional(absent)), List.of());
        byte[] rows = new byte[3 * 8];
        RawBytes.putLong(rows, 0, Double.doubleToRawLongBits(2.5));
        RawBytes.putLong(rows, 8, absent);
        RawBytes.putLong(rows, 16, Double.doubleToRawLongBits(-1));
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition region =
                    new RegionDefinition("r", Layout.BLOCKS, 0, false, schema, List.of(), null, 3, encoding);
            AggregateResult result = query(
                    region,
                    new AggregateQuery(
                            null, List.of(), List.of("count()", "count(x)", "sum(x)", "min(x)", "max(x)"), 1),
                    List.of(blocks(region, rows, 0, 3)));

            assertThat(result.groups())
                    .containsExactly(
                            Map.of("count()", 3L, "count(x)", 2L, "sum(x)", 1.5, "min(x)", -1.0, "max(x)", 2.5));
            assertThat(result.counts().failed()).isZero();
        }
    }

    @Test
    void shouldBeOneGroupWhereNothingMakesGroups() {
        RegionDefinition region = region(BlockEncoding.COLUMNS);
        AggregateResult result = query(
                region,
                new AggregateQuery(null, List.of(), List.of("count()", "sum(id)"), 1),
                List.of(blocks(region, trades(1, 1000), 0, 1000)));

        assertThat(result.groups()).containsExactly(Map.of("count()", 1000L, "sum(id)", BigInteger.valueOf(500_500)));
        assertThat(result.counts().scanned()).isEqualTo(1000);
    }

    @Test
    void shouldBeOneRowOfNothingWithoutRecordsAndKeys() {
        List<String> values = List.of(
                "count()",
                "count(id)",
                "count(id > 3)",
                "count(currency1)",
                "sum(amount1)",
                "min(tradeDate)",
                "max(exchangeRate)",
                "avg(id)");
        Map<String, @Nullable Object> nothing = new HashMap<>();
        values.forEach(value -> nothing.put(value, value.startsWith("count") ? 0L : null));
        for (BlockEncoding encoding : BlockEncoding.values()) {
            RegionDefinition region = region(encoding);
            List<List<byte[]>> none = List.of();
            List<List<byte[]>> some =
                    List.of(blocks(region, trades(1, 1000), 0, 500), blocks(region, trades(1, 1000), 500, 500));
            for (String where : List.of("id < 0", "amount1 - amount1 > 0", "id + 0 < 0")) {
                AggregateQuery query = new AggregateQuery(where, List.of(), values, 1);

                assertThat(query(region, query, none).groups()).containsExactly(nothing);
                assertThat(query(region, query, some).groups()).containsExactly(nothing);
            }
            AggregateQuery byKey = new AggregateQuery("id < 0", List.of("currency1"), values, 1);
            assertThat(query(region, byKey, some).groups()).isEmpty();
        }
    }

    @Test
    void shouldReportWhatIsNoAggregate() {
        RegionDefinition region = region(BlockEncoding.ROWS);
        for (String wrong : List.of("total(id)", "sum(buySell)", "avg(tradeDate)", "sum")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> query(region, new AggregateQuery(null, List.of(), List.of(wrong), 1), List.of()))
                    .withMessageContaining(wrong);
        }
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(
                        () -> query(region, new AggregateQuery(null, List.of(), List.of("sum(amuont1)"), 1), List.of()))
                .withMessageContaining("amuont1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AggregateQuery(null, List.of(), List.of(), 1))
                .withMessageContaining("count()");
    }
}
