package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.pipeline.chain.PartitionChannels;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.Query;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.channel.PublishSubscribeChannel;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;

/** A file that a pipeline reads in several partitions, by several lanes. */
class PartitionsTest {

    /** Trades of nine stripes, the last of them short. */
    private static final int TRADES = 230_000;

    private static final String CONFIG = """
            millrace:
              data: FOLDER/data
              batch-records: 1000
              flush: 20ms
              regions:
                buys:  { layout: blocks, persistent: true, block-records: 3000 }
                sells: { layout: blocks, persistent: true, block-records: 3000 }
              pipelines:
                trades:
                  partitions: 4
                  lanes: 2
                  feed: { file: FOLDER/trades.bin }
                  schema: trade
                  steps:
                    - filter: id % 5 != 0
                    - route:
                        - { when: buySell == 'Buy', to: buys }
                        - { otherwise: sells }
            """;

    @TempDir
    Path folder;

    private Path file = Path.of("");
    private List<TradeFile.Trade> trades = List.of();

    @BeforeEach
    void writeFile() throws Exception {
        file = folder.resolve("trades.bin");
        trades = TradeFile.random(TRADES, 17);
        append(0, TRADES);
    }

    private void append(int from, int to) throws Exception {
        byte[] bytes = new byte[(to - from) * TradeFile.LENGTH];
        for (int i = from; i < to; i++) {
            System.arraycopy(trades.get(i).bytes(), 0, bytes, (i - from) * TradeFile.LENGTH, TradeFile.LENGTH);
        }
        Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private ApplicationContextRunner runner(String config) throws Exception {
        Path written = Files.writeString(folder.resolve("config.yml"), config.replace("FOLDER", folder.toString()));
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + written.toUri());
    }

    private void run(String config, Consumer<ApplicationContext> test) throws Exception {
        runner(config).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(pipeline(context)::ended);
            test.accept(context);
        });
    }

    private static Pipeline pipeline(ApplicationContext context) {
        return context.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    private static PipelineStatus status(ApplicationContext context) {
        return PipelineStatus.of(pipeline(context));
    }

    private static Set<Long> ids(ApplicationContext context, String region) {
        Set<Long> ids = new HashSet<>();
        context.getBean(Store.class)
                .query(region, new Query(null, List.of("id"), List.of(), 1_000_000))
                .records()
                .forEach(record -> assertThat(ids.add((Long) Objects.requireNonNull(record.get("id"))))
                        .isTrue());
        return ids;
    }

    private void requireStored(ApplicationContext context, int count) {
        Set<Long> buys = new HashSet<>();
        Set<Long> sells = new HashSet<>();
        trades.subList(0, count).stream()
                .filter(trade -> trade.id() % 5 != 0)
                .forEach(trade -> (trade.buy() ? buys : sells).add(trade.id()));
        assertThat(ids(context, "buys")).isEqualTo(buys);
        assertThat(ids(context, "sells")).isEqualTo(sells);
    }

    @Test
    void shouldStoreEachRecordOnce() throws Exception {
        run(CONFIG, context -> {
            assertThat(pipeline(context).error()).isNull();
            requireStored(context, TRADES);
            PipelineStatus status = status(context);
            assertThat(status.in()).isEqualTo(TRADES);
            assertThat(status.kept() + status.dropped()).isEqualTo(TRADES);
            assertThat(status.inFlight()).isZero();
            assertThat(status.position()).isEqualTo((long) TRADES * TradeFile.LENGTH);
            assertThat(status.lag()).isZero();
            assertThat(status.partitions())
                    .hasSize(4)
                    .allMatch(partition -> partition.state().equals("done") && partition.lag() == 0);
            assertThat(status.steps().getFirst().in()).isEqualTo(TRADES);
        });
    }

    @Test
    void shouldContinueEachPartitionAtItsPosition() throws Exception {
        Files.delete(file);
        int[] counts = {1, 60_000, 60_001, 150_000, TRADES};
        int before = 0;
        for (int count : counts) {
            append(before, count);
            int added = count - before;
            run(CONFIG, context -> {
                assertThat(status(context).in()).isEqualTo(added);
                requireStored(context, count);
            });
            before = count;
        }
    }

    /** Records which partition each batch of a channel belongs to, and on which thread it came. */
    private static final class Seen implements ChannelInterceptor {

        private final Map<Integer, Long> positions = new ConcurrentHashMap<>();
        private final AtomicInteger mistakes = new AtomicInteger();
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

        @Override
        public Message<?> preSend(Message<?> message, MessageChannel channel) {
            Integer partition = (Integer) message.getHeaders().get(PartitionChannels.PARTITION_HEADER);
            RecordBatch batch = (RecordBatch) message.getPayload();
            threads.add(Thread.currentThread());
            if (partition == null) {
                mistakes.incrementAndGet();
                return message;
            }
            long stripe = TradeFile.LENGTH * ((1L << 20) / TradeFile.LENGTH);
            for (int i = 0; i < batch.selected(); i++) {
                long position = batch.position(batch.selection()[i]);
                Long last = positions.put(partition, position);
                boolean ordered = last == null || last < position;
                boolean own = position / stripe % 4 == partition;
                mistakes.addAndGet(ordered && own ? 0 : 1);
            }
            return message;
        }
    }

    @Test
    void shouldKeepTheOrderOfEachPartition() throws Exception {
        Seen seen = new Seen();
        runner(CONFIG)
                .withBean("trades.1-filter", PublishSubscribeChannel.class, () -> {
                    PublishSubscribeChannel channel = new PublishSubscribeChannel(true);
                    channel.addInterceptor(seen);
                    return channel;
                })
                .run(context -> {
                    await().until(pipeline(context)::ended);
                    requireStored(context, TRADES);
                });
        assertThat(seen.positions).containsOnlyKeys(0, 1, 2, 3);
        assertThat(seen.mistakes).hasValue(0);
        assertThat(seen.threads).hasSize(2).allMatch(thread -> thread.getName().startsWith("pipeline-trades-lane-"));
    }

    @ParameterizedTest
    @CsvSource({"4, 2", "4, 8", "4, 1", "1, 4"})
    void shouldRefuseAnotherNumberOfPartitions(int before, int now) throws Exception {
        run(
                CONFIG.replace("partitions: 4", "partitions: " + before).replace("lanes: 2", "lanes: 1"),
                context -> requireStored(context, TRADES));
        runner(CONFIG.replace("partitions: 4", "partitions: " + now).replace("lanes: 2", "lanes: 1"))
                .run(context -> {
                    await().until(pipeline(context)::terminated);
                    assertThat(pipeline(context).state()).isEqualTo(PipelineState.FAILED);
                    assertThat(pipeline(context).error())
                            .contains("Pipeline 'trades' has read its feed with partitions=" + before)
                            .contains("Set partitions: " + before + ".")
                            .endsWith("[changed-partitions]");
                    requireStored(context, TRADES);
                });
        run(CONFIG.replace("partitions: 4", "partitions: " + before).replace("lanes: 2", "lanes: 1"), context -> {
            assertThat(pipeline(context).error()).isNull();
            assertThat(status(context).in()).isZero();
        });
    }

    @Test
    void shouldAcceptMessagesWhileLanesProcessTheFeed() throws Exception {
        runner(CONFIG).run(context -> {
            for (int i = 0; i < 100; i++) {
                pipeline(context).send(trades.get(1).bytes());
            }
            await().until(pipeline(context)::ended);
            pipeline(context).flush();
            assertThat(status(context).in()).isEqualTo(TRADES + 100);
            assertThat(status(context).inFlight()).isZero();
        });
    }

    /** Whichever partition processes it first. */
    @Test
    void shouldStoreTheLatestEntryOfEachKey() throws Exception {
        Map<Object, Long> latest = new HashMap<>();
        RecordCodec codec = RecordCodec.of(Schemas.builtIn().get("trade"));
        for (TradeFile.Trade trade : trades) {
            long id = (Long) Objects.requireNonNull(codec.codec("id").value(trade.bytes(), 0));
            if (id % 5 != 0) {
                Object key = Objects.requireNonNull(codec.codec("currency1").value(trade.bytes(), 0));
                latest.merge(key, id, Math::max);
            }
        }
        String config = CONFIG.replace(
                        "buys:  { layout: blocks, persistent: true, block-records: 3000 }",
                        "buys:  { layout: entries, key: currency1, latest: id, persistent: true }")
                .replace("to: buys", "to: [buys, sells]")
                .replace("otherwise: sells", "otherwise: buys");
        run(config, context -> assertThat(entries(context)).isEqualTo(latest));
        run(config, context -> assertThat(entries(context)).isEqualTo(latest));
    }

    private static Map<Object, Long> entries(ApplicationContext context) {
        Map<Object, Long> ids = new HashMap<>();
        context.getBean(Store.class)
                .query("buys", new Query(null, List.of("currency1", "id"), List.of(), 1_000_000))
                .records()
                .forEach(record -> ids.put(Objects.requireNonNull(record.get("currency1")), (Long)
                        Objects.requireNonNull(record.get("id"))));
        return ids;
    }

    @Test
    void shouldRestartAllPartitions() throws Exception {
        run(CONFIG, context -> {
            try {
                assertThat(pipeline(context).restart().get()).isNotNegative();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            await().until(pipeline(context)::ended);
            assertThat(status(context).in()).isEqualTo(TRADES);
            requireStored(context, TRADES);
        });
    }

    private @Nullable String failure(String config) throws Exception {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        runner(config).run(context -> failure.set(context.getStartupFailure()));
        return failure.get() == null ? null : String.valueOf(failure.get());
    }

    @Test
    void shouldRefuseWhatNeedsOneOrder() throws Exception {
        assertThat(failure(CONFIG.replace("partitions: 4", "partitions: 0")))
                .contains("millrace.pipelines.trades.partitions: Invalid number of partitions '0'. Use 1 to 1024.");
        assertThat(failure(CONFIG.replace("lanes: 2", "lanes: 5")))
                .contains("millrace.pipelines.trades.lanes: Invalid number of lanes '5'.");
        assertThat(failure(CONFIG.replace("file: FOLDER/trades.bin", "csv: FOLDER/trades.csv")))
                .contains("millrace.pipelines.trades.partitions: The feed can't be read in several partitions");
        assertThat(failure(CONFIG.replace(
                        "{ layout: blocks, persistent: true, block-records: 3000 }", "{ layout: entries, key: id }")))
                .contains("Region 'buys' contains the latest record of each key");
    }

    private static final String MEASURES =
            """
            millrace:
              data: FOLDER/data
              schemas: FOLDER/schemas
              batch-records: 1000
              flush: 20ms
              regions:
                tumbling: { layout: blocks, persistent: true }
                sliding:  { layout: blocks, persistent: true }
                arrived:  { layout: blocks, persistent: true }
                events:   { layout: blocks, persistent: true }
              pipelines:
                trades:
                  partitions: 4
                  lanes: 2
                  feed: { file: FOLDER/trades.bin }
                  schema: event
                  steps:
                    - measure:
                        { name: tumbling, time: time, every: 10s, by: buySell, values: VALUES, to: tumbling }
                    - measure:
                        { name: sliding, time: time, every: 10s, window: 30s, by: buySell, values: VALUES, to: sliding }
                    - measure: { name: arrived, every: 100ms, by: buySell, values: VALUES, to: arrived }
                    - to: events
            """.replace("VALUES", "{ events: count(), sum: sum(amount1), most: max(amount1) }");

    /** The bytes of trades, with the number of each as milliseconds. */
    private void writeEventSchema() throws Exception {
        Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/event.yml"), """
            schema: event
            layout: fixed
            length: 39
            fields:
              - { name: time,    type: instant, as: i64, unit: ms, at: 0 }
              - { name: buySell, type: enum, values: [Buy, Sell], at: 10 }
              - { name: amount1, type: decimal, scale: 2, as: i64, at: 12 }
            """);
    }

    private static List<String> rows(ApplicationContext context, String region) {
        return context
                .getBean(Store.class)
                .query(region, new Query(null, List.of(), List.of(), 100_000))
                .records()
                .stream()
                .map(row -> row.get("end") + " " + row.get("buySell") + " " + row.get("events") + " " + row.get("sum")
                        + " " + row.get("most"))
                .toList();
    }

    /** @param panes number of panes of 10 seconds in a window */
    private List<String> expected(int count, int panes, boolean last) {
        Map<String, List<TradeFile.Trade>> groups = new HashMap<>();
        for (TradeFile.Trade trade : trades.subList(0, count)) {
            for (int pane = 1; pane <= panes; pane++) {
                long end = (trade.id() / 10_000 + pane) * 10_000;
                if (last || end <= count) {
                    groups.computeIfAbsent(
                                    Instant.ofEpochMilli(end) + " " + (trade.buy() ? "Buy" : "Sell"),
                                    _ -> new ArrayList<>())
                            .add(trade);
                }
            }
        }
        List<String> rows = new ArrayList<>();
        groups.forEach((group, of) -> {
            TradeFile.Totals totals = of.stream()
                    .map(TradeFile::totals)
                    .reduce(TradeFile.Totals::plus)
                    .orElseThrow();
            long most = of.stream().mapToLong(TradeFile.Trade::cents1).max().orElseThrow();
            rows.add(group + " " + totals.records() + " " + totals.amount1() + " " + BigDecimal.valueOf(most, 2));
        });
        return rows;
    }

    @Test
    void shouldMeasureAllPartitionsTogether() throws Exception {
        writeEventSchema();
        Files.delete(file);
        int[] counts = {1, 60_000, 60_001, 150_000, TRADES};
        int before = 0;
        for (int count : counts) {
            append(before, count);
            boolean last = count == TRADES;
            run(last ? MEASURES.replace("trades.bin }", "trades.bin, final: true }") : MEASURES, context -> {
                assertThat(pipeline(context).error()).isNull();
                await().untilAsserted(() -> {
                    assertThat(rows(context, "tumbling")).containsExactlyInAnyOrderElementsOf(expected(count, 1, last));
                    assertThat(rows(context, "sliding")).containsExactlyInAnyOrderElementsOf(expected(count, 3, last));
                });
                RunningMeasure tumbling = pipeline(context).measures().getFirst();
                assertThat(tumbling.counts().counted().get()).isEqualTo(count);
                assertThat(tumbling.counts().late().get()).isZero();
                await().untilAsserted(() -> assertThat(context.getBean(Store.class)
                                .aggregate("arrived", new AggregateQuery(null, List.of(), List.of("sum(events)"), 1))
                                .groups())
                        .singleElement()
                        .satisfies(group -> assertThat(group)
                                .hasEntrySatisfying(
                                        "sum(events)", sum -> assertThat(sum).hasToString(Integer.toString(count)))));
            });
            before = count;
        }
    }

    /** Three of four partitions have no record, and the last record is incomplete. */
    @Test
    void shouldCloseTheWindowsOfASmallFile() throws Exception {
        writeEventSchema();
        Files.delete(file);
        append(0, 20_500);
        Files.write(file, new byte[10], StandardOpenOption.APPEND);
        run(MEASURES, context -> {
            await().untilAsserted(() -> assertThat(rows(context, "tumbling"))
                    .containsExactlyInAnyOrderElementsOf(expected(20_500, 1, false)));
            pipeline(context).closeWindows();
            try {
                pipeline(context).flush();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(rows(context, "tumbling")).containsExactlyInAnyOrderElementsOf(expected(20_500, 1, true));
        });
    }

    /** Measures have a state although there were no records. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | The state of measure 'tumbling' is of 4 partitions, not of 2. Set partitions: 4.",
                "1 | The state of measure 'trades#tumbling/0' is of another definition. Give this measure another name."
            })
    void shouldRefuseAnotherNumberOfPartitionsIfAMeasureHasAState(int partitions, String message) throws Exception {
        writeEventSchema();
        Files.write(file, new byte[0]);
        run(MEASURES, context -> {
            try {
                pipeline(context).flush();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        runner(MEASURES.replace("partitions: 4", "partitions: " + partitions).replace("lanes: 2", "lanes: 1"))
                .run(context -> {
                    await().until(pipeline(context)::terminated);
                    assertThat(pipeline(context).error()).contains(message);
                });
    }
}
