package io.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import desk.CheapestPounds;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.error.ExpressionException;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Packets;
import io.millrace.store.Writers;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Answer;
import io.millrace.store.query.QueryTimeoutException;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries from Java to a store in this process; {@code ClusterIT} asks a cluster the same. */
class MillraceClientTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final Schema RADIUS = Schemas.builtIn().get("radius-accounting");
    private static final int TRADES = 150_000;
    private static final List<Map<String, @Nullable Object>> ALL = new ArrayList<>();

    private static GeodeStore store;
    private static MillraceClient client;

    /** A field of each end of the record. */
    interface Ends {
        long id();

        @Nullable
        Object getSettlementDate();
    }

    /** A call, with what is computed. */
    interface Call {
        String getSessionId();

        long getInputTotal();

        @Nullable
        String getUserName();

        @Nullable
        Long cell();
    }

    @BeforeAll
    static void fill() {
        store = new GeodeStore(GeodeOptions.inMemory());
        store.open(new RegionDefinition("trades", Layout.BLOCKS, 0, false, TRADE, List.of("id"), 4096));
        store.open(new RegionDefinition("latest", Layout.ENTRIES, 0, false, TRADE, List.of("id"), 1));
        byte[] trades = new byte[TRADES * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 5).fill(trades, 0, TRADES);
        for (int i = 0; i < TRADES; i++) {
            ALL.add(RecordCodec.of(TRADE).decode(trades, i * TRADE.recordLength()));
        }
        for (String region : List.of("trades", "latest")) {
            write(region, TRADE, new RecordBatch(TRADE).fill(trades, 0, TRADES, 0, trades.length));
        }
        client = MillraceClient.of(store);
    }

    private static void write(String region, Schema schema, RecordBatch batch) {
        RegionWriter writer = Writers.open(store, region, "p", 0, schema, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        writer.append(batch);
        writer.flush();
    }

    @AfterAll
    static void close() {
        client.close();
        assertThat(store.isOpen()).isTrue();
        store.close();
    }

    private static BigDecimal amount(Map<String, @Nullable Object> trade) {
        return (BigDecimal) Objects.requireNonNull(trade.get("amount1"));
    }

    @Test
    void shouldAnswerWhatTheExampleAsks() {
        CheapestPounds pounds = new CheapestPounds(client);
        List<Map<String, @Nullable Object>> buys =
                ALL.stream().filter(trade -> "Buy".equals(trade.get("buySell"))).toList();
        List<Map<String, @Nullable Object>> ofPounds = buys.stream()
                .filter(trade -> "GBP".equals(trade.get("currency1")))
                .toList();
        Map<String, @Nullable Object> cheapest = ofPounds.stream()
                .filter(trade -> "USD".equals(trade.get("currency2")))
                .min(Comparator.comparing(trade -> (Double) Objects.requireNonNull(trade.get("exchangeRate"))))
                .orElseThrow();

        assertThat(pounds.cheapest()).hasValueSatisfying(trade -> {
            assertThat(trade.getId()).isEqualTo(cheapest.get("id"));
            assertThat(trade.getTradeDate()).isEqualTo(cheapest.get("tradeDate"));
            assertThat(trade.getAmount1()).isEqualTo(cheapest.get("amount1"));
            assertThat(trade.getExchangeRate()).isEqualTo(cheapest.get("exchangeRate"));
            assertThat(trade).asString().startsWith("Trade[").contains("currency2=USD");
        });
        assertThat(pounds.sumOfBuys())
                .isEqualTo(ofPounds.stream().map(MillraceClientTest::amount).reduce(BigDecimal.ZERO, BigDecimal::add));
        assertThat(pounds.byCurrency())
                .filteredOn(group -> "GBP".equals(group.get("currency1")))
                .singleElement()
                .satisfies(group -> assertThat(group.get("count()")).isEqualTo((long) ofPounds.size()));
    }

    @Test
    void shouldFindTheRecordOfAKey() {
        for (String region : List.of("trades", "latest")) {
            RegionClient<Ends> trades = client.region(region, Ends.class);
            Optional<Ends> found = trades.get("77777");

            assertThat(found).hasValueSatisfying(trade -> {
                assertThat(trade.id()).isEqualTo(77_777);
                assertThat(trade.getSettlementDate()).isEqualTo(ALL.get(77_776).get("settlementDate"));
            });
            assertThat(trades.get("0")).isEmpty();
            assertThat(trades.schema()).isSameAs(TRADE);
            assertThat(trades.where("id == 77777").first()).isEqualTo(found);
        }
    }

    @Test
    void shouldShowRecordsAsMaps() {
        assertThat(client.region("latest")
                        .where("id < 4")
                        .orderBy("id desc")
                        .limit(2)
                        .list())
                .isEqualTo(List.of(ALL.get(2), ALL.get(1)));
        assertThat(client.region("trades", "currency1", "id").all().limit(1).list())
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsExactly(
                                Map.entry(
                                        "currency1",
                                        Objects.requireNonNull(ALL.getFirst().get("currency1"))),
                                Map.entry("id", 1L)));
    }

    @Test
    void shouldStreamAllRecordsOnce() {
        for (String region : List.of("trades", "latest")) {
            assertThat(client.region(region, Ends.class).all().stream()
                            .mapToLong(Ends::id)
                            .sorted())
                    .hasSize(TRADES)
                    .startsWith(1L, 2L, 3L)
                    .endsWith((long) TRADES)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldScanNoMoreThanIsRead() {
        Answer<Ends> answer = client.region("trades", Ends.class).all().fetch();

        assertThat(answer.next()).isNotNull();
        // One stretch is 4 MB of records, and what is left of its last block.
        assertThat(answer.counts().scanned()).isBetween(1L, 4L * (1 << 20) / TRADE.recordLength() + 4096);
    }

    @Test
    void shouldShowVirtualFieldsOfTaggedRecords() {
        store.open(new RegionDefinition("calls", Layout.BLOCKS, 0, false, RADIUS, List.of(), 100));
        write(
                "calls",
                RADIUS,
                Packets.batch(
                        RADIUS,
                        0,
                        Packets.of(Packets.STOP, "s1")
                                .number(42, 7)
                                .number(52, 1)
                                .bytes(),
                        Packets.of(Packets.STOP, "s2")
                                .text(1, "user")
                                .number(42, 9)
                                .bytes()));
        RegionClient<Call> calls = client.region("calls", Call.class);

        // In whatever order the JVM tells the getters.
        assertThat(calls.where("inputTotal > 0").limit(10).list())
                .extracting(Object::toString)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("Call[")
                                .contains("sessionId=s1", "inputTotal=4294967303", "userName=", "cell="),
                        second -> assertThat(second)
                                .startsWith("Call[")
                                .contains("sessionId=s2", "inputTotal=9", "userName=user", "cell="));
        assertThat(calls.all().stream().map(Call::getUserName)).containsExactly(null, "user");
        assertThat(calls.all().stream().mapToLong(Call::getInputTotal)).containsExactly((1L << 32) + 7, 9L);
    }

    @Test
    void shouldSayWhatIsWrong() {
        RegionClient<Ends> trades = client.region("trades", Ends.class);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> client.region("tradez"))
                .withMessageContaining("Region 'tradez' is not open. Did you mean 'trades'?");
        assertThatExceptionOfType(ExpressionException.class)
                .isThrownBy(() -> trades.where("colour == 1").list());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> trades.all().orderBy("id").list())
                .withMessageContaining("Missing limit.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.region("trades", Call.class))
                .withMessageContaining("is not a getter or setter of a field");
        assertThatExceptionOfType(QueryTimeoutException.class)
                .isThrownBy(() ->
                        trades.where("id < 0").timeout(Duration.ofNanos(1)).list());
    }
}
