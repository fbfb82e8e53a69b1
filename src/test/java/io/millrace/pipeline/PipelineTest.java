package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.TradeFile.Totals;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.store.Rejects;
import io.millrace.store.Store;
import io.millrace.store.error.StoreException;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.admin.DataFolder;
import io.millrace.store.geode.admin.StoredData;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Query;
import io.millrace.store.reject.Reject;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.CacheWriterException;
import org.apache.geode.cache.EntryEvent;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.control.ResourceManager;
import org.apache.geode.cache.util.CacheWriterAdapter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.channel.PublishSubscribeChannel;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.graph.IntegrationGraphServer;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

class PipelineTest {

    @TempDir
    Path folder;

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class));

    @Test
    void shouldBringEachRecordOfAFileWhereItsRulesSay() throws IOException {
        List<Trade> trades = TradeFile.random(50_000, 1);
        withSteps(file(trades), """
                        - filter: currency1 != 'JPY' and amount1 > 1000000
                        - route:
                            - { when: buySell == 'Buy', to: buys }
                            - { otherwise: sells }
                        """).run(context -> {
            PipelineStatus status = done(context);
            Map<String, Totals> expected = TradeFile.largeBySide(trades);
            long kept = expected.values().stream().mapToLong(Totals::records).sum();
            assertThat(status.in()).isEqualTo(50_000);
            assertThat(status.kept()).isEqualTo(kept);
            assertThat(status.dropped()).isEqualTo(50_000 - kept);
            assertThat(status.rejected()).isZero();
            assertThat(status.inFlight()).isZero();
            assertThat(status.keptByRegion())
                    .containsEntry("buys", of(expected, "buys").records())
                    .containsEntry("sells", of(expected, "sells").records());
            assertThat(totals(context, "buys")).isEqualTo(of(expected, "buys"));
            assertThat(totals(context, "sells")).isEqualTo(of(expected, "sells"));
        });
    }

    @Test
    void shouldKeepComputedAndEnrichedFieldsWithTheRecord() throws IOException {
        Path desks = Files.writeString(folder.resolve("desks.csv"), "id,name\n1,Paris\n3,Milan\n");
        withSteps(file(TradeFile.random(10, 2)), """
                        - enrich: { table: desks, key: id % 5, add: { desk: name } }
                        - set: { notional: amount1 * exchangeRate, exchangeRate: exchangeRate + 1 }
                        - to: buys
                        """)
                .withPropertyValues("millrace.tables.desks.file=" + desks, "millrace.tables.desks.key=id")
                .run(context -> {
                    done(context);
                    List<Trade> trades = TradeFile.random(10, 2);
                    List<Map<String, Object>> records = all(context, "buys");
                    assertThat(records).hasSize(10);
                    for (int i = 0; i < 10; i++) {
                        Trade trade = trades.get(i);
                        String desk = trade.id() % 5 == 1 ? "Paris" : trade.id() % 5 == 3 ? "Milan" : null;
                        assertThat(records.get(i))
                                .containsEntry("id", trade.id())
                                .containsEntry("desk", desk)
                                .containsEntry("exchangeRate", trade.rate() + 1);
                        assertThat((Double) records.get(i).get("notional"))
                                .isCloseTo(
                                        trade.cents1() / 100.0 * trade.rate(),
                                        org.assertj.core.data.Percentage.withPercentage(1e-10));
                    }
                });
    }

    @Test
    void shouldKeepRecordsAsTheyCameWhereARegionSaysSo() throws IOException {
        withSteps(file(TradeFile.random(10, 2)), "- set: { notional: amount1 * 2 }\n- to: buys\n")
                .withPropertyValues("millrace.regions.buys.keep-added=false")
                .run(context -> {
                    done(context);
                    assertThat(all(context, "buys")).hasSize(10).noneMatch(record -> record.containsKey("notional"));
                });
    }

    @Test
    void shouldRejectWhatIsNoTradeAndKeepItWithItsReason() throws IOException {
        List<Trade> trades = new ArrayList<>(TradeFile.random(4, 3));
        Trade wrong = trades.get(2);
        trades.set(2, new Trade(3, 1, 0, 99, wrong.cents1(), 1, 1, 1, 1));
        byte[] cut = java.util.Arrays.copyOf(bytes(trades), 4 * TradeFile.LENGTH - 5);
        Path file = Files.write(folder.resolve("cut.bin"), cut);
        withSteps(file, "- to: buys\n").run(context -> {
            PipelineStatus status = done(context);
            assertThat(status.in()).isEqualTo(4);
            assertThat(status.kept()).isEqualTo(2);
            assertThat(status.rejected()).isEqualTo(2);
            assertThat(status.rejectedByReason())
                    .containsEntry("invalid-value", 1L)
                    .containsEntry("truncated", 1L);
            List<Reject> rejects = Rejects.of(context.getBean(Store.class), "trades-rejected");
            assertThat(rejects).hasSize(2);
            assertThat(rejects)
                    .anySatisfy(reject -> {
                        assertThat(reject.position()).isEqualTo(2 * TradeFile.LENGTH);
                        assertThat(reject.detail()).contains("currency1", "99");
                        assertThat(reject.bytes()).isEqualTo(trades.get(2).bytes());
                    })
                    .anySatisfy(reject -> {
                        assertThat(reject.position()).isEqualTo(3 * TradeFile.LENGTH);
                        assertThat(reject.detail()).contains("34 of 39 bytes.");
                        assertThat(reject.bytes()).hasSize(34);
                    });
        });
    }

    @Test
    void shouldRemoveTheRejectOfACutRecordWhenTheFileBringsItsRest() throws IOException {
        List<Trade> trades = new ArrayList<>(TradeFile.random(7, 3));
        Trade wrong = trades.get(5);
        trades.set(5, new Trade(6, 1, 0, 99, wrong.cents1(), 1, 1, 1, 1));
        byte[] all = bytes(trades);
        Path file = folder.resolve("growing.bin");

        // In the fourth record; in the sixth, which will have no valid value; in the seventh.
        cutRecord(file, all, 4 * TradeFile.LENGTH - 5, 3, "117 truncated");
        cutRecord(file, all, 5 * TradeFile.LENGTH + 10, 5, "195 truncated");
        cutRecord(file, all, 5 * TradeFile.LENGTH + 20, 5, "195 truncated");
        cutRecord(file, all, 6 * TradeFile.LENGTH + 1, 5, "195 invalid-value", "234 truncated");
        cutRecord(file, all, 7 * TradeFile.LENGTH, 6, "195 invalid-value");
    }

    /** Starts with so many bytes of a file, and a region that holds what earlier starts brought. */
    private void cutRecord(Path file, byte[] all, int length, int records, String... rejects) throws IOException {
        Files.write(file, java.util.Arrays.copyOf(all, length));
        withSteps(file, "- to: buys\n")
                .withPropertyValues("millrace.regions.buys.persistent=true")
                .run(context -> {
                    done(context);
                    assertThat(all(context, "buys")).hasSize(records);
                    assertThat(Rejects.of(context.getBean(Store.class), "trades-rejected").stream()
                                    .map(reject -> reject.position() + " "
                                            + reject.kind().tag()))
                            .containsExactly(rejects);
                });
    }

    @Test
    void shouldRefuseAnotherFileOfTheSameNameUntilItsPositionIsReset() throws IOException {
        Path file = folder.resolve("day.bin");
        TradeFile.write(file, TradeFile.random(40, 1));
        ApplicationContextRunner days =
                withSteps(file, "- to: buys\n").withPropertyValues("millrace.regions.buys.persistent=true");
        days.run(context -> assertThat(done(context).kept()).isEqualTo(40));

        TradeFile.write(file, TradeFile.random(60, 2));
        days.run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains("day.bin' begins with other bytes than before", "millrace positions reset");
            assertThat(all(context, "buys")).hasSize(40);
        });

        try (StoredData data = new DataFolder(folder.resolve("data"))) {
            assertThat(data.positions()).containsOnlyKeys("trades/0");
            assertThat(data.positions().get("trades/0"))
                    .extracting(Commit::position)
                    .isEqualTo(40L * TradeFile.LENGTH);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> data.resetPosition("trade/0"))
                    .withMessageContaining("Use one of: trades/0.");
            data.resetPosition("trades/0");
            assertThat(data.positions()).isEmpty();
            assertThat(data.audit().values())
                    .singleElement()
                    .asString()
                    .contains("positions reset writer=trades/0 position=" + 40 * TradeFile.LENGTH, "user=");
        }
        days.run(context -> {
            assertThat(done(context).kept()).isEqualTo(60);
            assertThat(all(context, "buys")).hasSize(100);
        });
    }

    @Test
    void shouldNotStoreAFeedTwiceWhenThePipelineIsRenamed() throws IOException {
        ApplicationContextRunner runner = withSteps(file(TradeFile.random(40, 1)), "- to: buys\n")
                .withPropertyValues("millrace.regions.buys.persistent=true");
        Path config = folder.resolve("config.yml");
        String renamed = Files.readString(config);
        Files.writeString(config, renamed.replace("    trades:", "    orders:"));
        runner.run(context -> await().until(() ->
                context.getBean(Pipelines.class).named("orders").orElseThrow().state() == PipelineState.DONE));

        Files.writeString(config, renamed);
        runner.run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains("pipeline 'orders', which is not configured, has read the same feed up to position 1560")
                    .endsWith("set on-known-feed: read. [renamed-pipeline]");
            assertThat(all(context, "buys")).hasSize(40);
        });
        runner.withPropertyValues("millrace.pipelines.trades.on-known-feed=read")
                .run(context -> {
                    assertThat(done(context).kept()).isEqualTo(40);
                    assertThat(all(context, "buys")).hasSize(80);
                });
    }

    @Test
    void shouldReadAnotherFeedThanAFormerPipelineDid() throws IOException {
        ApplicationContextRunner runner = withSteps(file(TradeFile.random(40, 1)), "- to: buys\n")
                .withPropertyValues("millrace.regions.buys.persistent=true");
        runner.run(context -> done(context));
        Path config = folder.resolve("config.yml");
        Files.writeString(config, Files.readString(config).replace("    trades:", "    orders:"));
        file(TradeFile.random(50, 2));

        runner.run(context -> {
            Pipeline orders = context.getBean(Pipelines.class).named("orders").orElseThrow();
            await().until(() -> orders.state() == PipelineState.DONE);
            assertThat(all(context, "buys")).hasSize(90);
        });
    }

    @Test
    void shouldRefuseOtherRulesAfterACrashUnlessTheyMayChange() throws IOException {
        Path file = file(TradeFile.random(40, 1));
        ApplicationContextRunner first = withSteps(file, "- filter: id <= 30\n- to: buys\n")
                .withPropertyValues("millrace.regions.buys.persistent=true");
        first.run(context -> {
            done(context);
            assertThat(all(context, "buys")).hasSize(30);
        });
        ApplicationContextRunner changed = withSteps(file, "- filter: id <= 20\n- to: buys\n")
                .withPropertyValues("millrace.regions.buys.persistent=true");
        changed.run(PipelineTest::done);

        // As a crash leaves it: something may be stored behind the last commit.
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
            WriterName writer = WriterName.of("trades", 0);
            Term term = Objects.requireNonNull(store.claim(writer, true).term());
            Commit last = Objects.requireNonNull(store.commits(true).get(writer));
            store.commits(true)
                    .put(
                            term,
                            new Commit(
                                    last.position(),
                                    "other rules",
                                    last.version(),
                                    0,
                                    last.feed(),
                                    false,
                                    last.aligned(),
                                    last.regions()));
            store.release(term);
        }
        changed.run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains("The rules of pipeline 'trades' have changed", "on-rules-change: continue")
                    .endsWith(" [unclean-stop]");
            assertThat(all(context, "buys")).hasSize(30);
        });
        changed.withPropertyValues("millrace.pipelines.trades.on-rules-change=continue")
                .run(context -> {
                    done(context);
                    assertThat(all(context, "buys")).hasSize(30);
                });
    }

    /** The corrected rules need no start with the wrong ones in between. */
    @Test
    void shouldTakeOtherRulesAfterAFailureBetweenTwoBatches() throws IOException {
        Path file = file(TradeFile.random(40, 1));
        withSteps(file, "- filter: 10 / (id - id) < 100\n- to: buys\n")
                .withPropertyValues(
                        "millrace.regions.buys.persistent=true",
                        "millrace.pipelines.trades.reject-thresholds.fail-at=50%")
                .run(context -> {
                    await().until(() -> pipeline(context).state() == PipelineState.FAILED);
                    assertThat(pipeline(context).error()).contains("'fail-at', 50.00%");
                });

        withSteps(file, "- filter: id <= 30\n- to: buys\n")
                .withPropertyValues("millrace.regions.buys.persistent=true")
                .run(context -> assertThat(done(context).position()).isEqualTo(40L * 39));
    }

    @Test
    void shouldContinueWithAFileThatHasGrown() throws IOException {
        List<Trade> trades = TradeFile.random(90, 1);
        Path file = folder.resolve("day.bin");
        ApplicationContextRunner days =
                withSteps(file, "- to: buys\n").withPropertyValues("millrace.regions.buys.persistent=true");
        for (int size : new int[] {40, 40, 90}) {
            TradeFile.write(file, trades.subList(0, size));
            days.run(context -> {
                done(context);
                assertThat(all(context, "buys")).hasSize(size);
            });
        }
    }

    @Test
    void shouldRejectARecordThatAnExpressionHasNoResultFor() throws IOException {
        withSteps(file(TradeFile.random(5, 4)), "- filter: 10 / (id - 3) < 100\n- to: buys\n")
                .run(context -> {
                    PipelineStatus status = done(context);
                    assertThat(status.kept()).isEqualTo(4);
                    assertThat(status.rejectedByReason()).containsEntry("expression", 1L);
                    assertThat(status.dropped()).isZero();
                });
    }

    @Test
    void shouldRejectARecordWithoutARowWhereConfigurationSaysSo() throws IOException {
        Path desks = Files.writeString(folder.resolve("desks.csv"), "id,name,code\n1,Paris,10\n3,Milan,30\n");
        withSteps(file(TradeFile.random(10, 2)), """
                        - enrich: { table: desks, key: id % 5, on-miss: reject, add: { desk: name, code: code } }
                        - to: buys
                        """)
                .withPropertyValues("millrace.tables.desks.file=" + desks, "millrace.tables.desks.key=id")
                .run(context -> {
                    assertThat(done(context).rejectedByReason()).containsEntry("no-match", 6L);
                    assertThat(all(context, "buys"))
                            .extracting(
                                    record -> of(record, "id") + " " + of(record, "desk") + " " + of(record, "code"))
                            .containsExactly("1 Paris 10", "3 Milan 30", "6 Paris 10", "8 Milan 30");
                });
    }

    @Test
    void shouldTakePlainBytesThatAnyoneSends() {
        List<Trade> trades = TradeFile.random(100, 5);
        withSteps(null, "- filter: id > 10\n- to: buys\n").run(context -> {
            byte[] payload = bytes(trades);
            byte[] sent = payload.clone();
            channel(context, "trades.in").send(new GenericMessage<>(payload));
            channel(context, "trades.in").send(new GenericMessage<>(new byte[] {1, 2, 3}));
            await().until(() -> status(context).kept() == 90);
            assertThat(payload).isEqualTo(sent);
            assertThat(status(context).in()).isEqualTo(101);
            assertThat(status(context).dropped()).isEqualTo(10);
            assertThat(status(context).rejectedByReason()).containsEntry("truncated", 1L);
        });
    }

    @Test
    void shouldLetAnyoneListenToEveryChannel() throws IOException {
        withSteps(file(TradeFile.random(10_000, 6)), "- filter: id > 1000\n- to: buys\n")
                .withUserConfiguration(Listeners.class)
                .run(context -> {
                    PipelineStatus status = done(context);
                    Listeners listeners = context.getBean(Listeners.class);
                    assertThat(listeners.admitted).isEqualTo(10_000);
                    assertThat(listeners.filtered).isEqualTo(9_000);
                    assertThat(listeners.stored).isEqualTo(9_000);
                    assertThat(status.kept()).isEqualTo(9_000);
                });
    }

    @Test
    void shouldRouteToAChannelOfTheUsers() throws IOException {
        withSteps(file(TradeFile.random(1_000, 7)), """
                        - route:
                            - { when: id % 2 == 0, to: "channel:even" }
                            - { when: id % 3 == 0, to: buys }
                        """)
                .withUserConfiguration(EvenChannel.class)
                .run(context -> {
                    PipelineStatus status = done(context);
                    assertThat(context.getBean(EvenChannel.class).records).isEqualTo(500);
                    assertThat(status.keptByRegion()).containsOnly(Map.entry("buys", 167L));
                    assertThat(status.kept()).isEqualTo(667);
                    assertThat(status.dropped()).isEqualTo(333);
                });
    }

    @Test
    void shouldLetAUsersOwnExpressionReadABytePayload() {
        withSteps(null, "- to: buys\n").withUserConfiguration(PlainFlow.class).run(context -> {
            QueueChannel found = context.getBean("found", QueueChannel.class);
            for (Trade trade : TradeFile.random(200, 8)) {
                channel(context, "single").send(new GenericMessage<>(trade.bytes()));
            }
            long expected = TradeFile.random(200, 8).stream()
                    .filter(trade -> trade.currency1() == 5 && trade.cents1() > 50_000_000)
                    .count();
            assertThat(expected).isPositive();
            assertThat(found.getQueueSize()).isEqualTo((int) expected);
        });
    }

    @Test
    void shouldShowItsStepsInTheIntegrationGraph() {
        withSteps(null, "- filter: id > 1\n- route: [ { when: id > 2, to: buys } ]\n")
                .run(context -> {
                    IntegrationGraphServer server = new IntegrationGraphServer();
                    server.setApplicationContext(context);
                    server.setApplicationName("test");
                    server.onApplicationEvent(new ContextRefreshedEvent(context));
                    assertThat(server.getGraph().nodes())
                            .extracting("name")
                            .contains(
                                    "trades.in",
                                    "trades.admitted",
                                    "trades.1-filter",
                                    "trades.to-buys",
                                    "trades.rejected",
                                    "trades.1-filter.step",
                                    "trades.2-route.step");
                    assertThat(server.getGraph().links()).hasSizeGreaterThanOrEqualTo(7);
                });
    }

    @Test
    void shouldWaitWhileTheStoreFailsAndLoseNothing() throws IOException {
        withSteps(null, "- to: buys\n").run(context -> {
            AtomicBoolean down = new AtomicBoolean(true);
            Region<Object, Object> region = CacheFactory.getAnyInstance().getRegion("buys");
            region.getAttributesMutator().setCacheWriter(new CacheWriterAdapter<>() {
                @Override
                public void beforeCreate(EntryEvent<Object, Object> event) {
                    if (down.get()) {
                        throw new CacheWriterException("the store is down");
                    }
                }
            });
            channel(context, "trades.in").send(new GenericMessage<>(bytes(TradeFile.random(500, 9))));
            await().until(() -> pipeline(context).storeRetries().get() >= 2);
            assertThat(status(context).kept()).isZero();
            assertThat(status(context).inFlight()).isEqualTo(500);
            down.set(false);
            await().until(() -> status(context).kept() == 500);
            assertThat(status(context).inFlight()).isZero();
            assertThat(totals(context, "buys").records()).isEqualTo(500);
        });
    }

    @Test
    void shouldAccountForEveryRecordAtEveryMoment() {
        withSteps(null, "- filter: id % 3 != 0\n- route: [ { when: id % 2 == 0, to: buys } ]\n")
                .withPropertyValues(
                        "millrace.pipelines.trades.feed.generator.count=400000",
                        "millrace.pipelines.trades.feed.generator.seed=3")
                .run(context -> {
                    do {
                        PipelineStatus status = status(context);
                        assertThat(status.inFlight()).isNotNegative();
                        assertThat(status.kept() + status.dropped() + status.rejected() + status.inFlight())
                                .isEqualTo(status.in());
                    } while (pipeline(context).state() != PipelineState.DONE);
                    assertThat(status(context).in()).isEqualTo(400_000);
                    assertThat(status(context).inFlight()).isZero();
                });
    }

    @Test
    void shouldWaitWhileTheHeapIsFullAndLoseNothing() {
        List<Trade> trades = TradeFile.random(1_000, 14);
        System.gc(); // so that what is in use counts for it
        withSteps(null, "- to: buys\n")
                .withPropertyValues("millrace.geode.critical-heap-percentage=99")
                .run(context -> {
                    ResourceManager memory = CacheFactory.getAnyInstance().getResourceManager();
                    assertThat(memory.getCriticalHeapPercentage()).isEqualTo(99);
                    memory.setCriticalHeapPercentage(0.001f);
                    channel(context, "trades.in").send(new GenericMessage<>(bytes(trades)));
                    await().until(() -> pipeline(context).state() == PipelineState.WAITING);
                    assertThat(status(context).kept()).isZero();

                    memory.setCriticalHeapPercentage(99);
                    await().until(() -> status(context).kept() == 1_000);
                    assertThat(totals(context, "buys"))
                            .isEqualTo(trades.stream()
                                    .map(TradeFile::totals)
                                    .reduce(Totals::plus)
                                    .orElseThrow());
                });
    }

    @Test
    void shouldFailWhereNobodyListensOnAUsersChannel() throws IOException {
        withSteps(file(TradeFile.random(10, 10)), """
                        - route:
                            - { when: id > 5, to: buys }
                            - { otherwise: "channel:nobody" }
                        """).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(status(context).error()).contains("nobody");
            // A failed pipeline still stores the records of its blocks.
            await().untilAsserted(() -> assertThat(status(context).inFlight()).isEqualTo(5));
        });
    }

    @Test
    void shouldFailWhereAUsersEndpointFails() throws IOException {
        withSteps(file(TradeFile.random(10, 10)), "- filter: id > 1\n- to: buys\n")
                .withUserConfiguration(FailingListener.class)
                .run(context -> {
                    await().until(() -> pipeline(context).state() == PipelineState.FAILED);
                    assertThat(status(context).error()).contains("no room on the desk");
                    assertThat(status(context).kept()).isZero();
                });
    }

    @Test
    void shouldFailOnAnErrorTooAndStoreWhatCameBefore() throws IOException {
        withSteps(file(TradeFile.random(100, 11)), "- filter: id > 0\n- to: buys\n")
                .withPropertyValues("millrace.batch-records=10", "millrace.flush=1h")
                .withUserConfiguration(BrokenListener.class)
                .run(context -> {
                    await().until(() -> pipeline(context).state() == PipelineState.FAILED);
                    await().untilAsserted(
                                    () -> assertThat(status(context).kept()).isEqualTo(60));
                    PipelineStatus status = status(context);
                    assertThat(status.state()).isEqualTo("failed");
                    assertThat(status.error()).contains("desk.so");
                    assertThat(status.in()).isEqualTo(60);
                    assertThat(totals(context, "buys").records()).isEqualTo(60);
                    assertThatThrownBy(() -> channel(context, "trades.in").send(new GenericMessage<>(new byte[39])))
                            .hasStackTraceContaining("Channel 'trades.in' accepts no records: it failed with");
                    assertThat(status(context).in()).isEqualTo(60);
                });
    }

    @Test
    void shouldStoreWhatIsPendingWhenItIsStoppedAndRefuseWhatComesLater() {
        withSteps(null, "- to: buys\n")
                .withPropertyValues("millrace.latency=1h", "millrace.flush=1h")
                .run(context -> {
                    channel(context, "trades.in").send(new GenericMessage<>(bytes(TradeFile.random(5, 12))));
                    context.getBean(Pipelines.class).stop();
                    assertThat(status(context).kept()).isEqualTo(5);
                    assertThat(status(context).inFlight()).isZero();
                    assertThat(pipeline(context).allocatedBytes()).isPositive();
                    assertThatThrownBy(() -> channel(context, "trades.in").send(new GenericMessage<>(new byte[39])))
                            .hasStackTraceContaining("Channel 'trades.in' accepts no records: it was stopped");
                    assertThat(status(context).in()).isEqualTo(5);
                });
    }

    @Test
    void shouldRefuseWhatAListenerSendsBackFromInsideABatch() {
        withSteps(null, "- to: buys\n").withUserConfiguration(Echo.class).run(context -> {
            assertThatThrownBy(() -> channel(context, "trades.in").send(new GenericMessage<>(new byte[39])))
                    .hasStackTraceContaining("Channel 'trades.in' is processing the batch that caused this message.");
            assertThat(status(context).in()).isEqualTo(1);
        });
    }

    @Test
    void shouldKeepTheFeedsOrderWhereTwoBranchesLeadToOneRegion() throws IOException {
        withSteps(file(TradeFile.random(1_000, 13)), """
                        - route:
                            - { when: id % 2 == 0, to: buys }
                            - { when: id % 3 == 0, to: buys }
                        """).run(context -> {
            assertThat(done(context).keptByRegion()).containsOnly(Map.entry("buys", 667L));
            assertThat(context.getBean(Store.class)
                            .query("buys", new Query(null, List.of("id"), List.of(), Query.MAX_LIMIT))
                            .records())
                    .hasSize(667)
                    .isSortedAccordingTo(Comparator.comparingLong(record -> (Long) of(record, "id")));
        });
    }

    private ApplicationContextRunner withSteps(@org.jspecify.annotations.Nullable Path file, String steps) {
        try {
            String yaml = """
                    millrace:
                      regions:
                        buys: { layout: blocks }
                        %s
                      pipelines:
                        trades:
                          %s
                          schema: trade
                          steps:
                    %s
                    """.formatted(
                            steps.contains("sells") ? "sells: { layout: entries, key: id }" : "",
                            file == null ? "" : "feed: { file: " + file + " }",
                            steps.indent(8));
            Path config = Files.writeString(folder.resolve("config.yml"), yaml);
            return context.withInitializer(
                            new org.springframework.boot.test.context.ConfigDataApplicationContextInitializer())
                    .withPropertyValues(
                            "spring.config.location=" + config.toUri(), "millrace.data=" + folder.resolve("data"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Path file(List<Trade> trades) throws IOException {
        return TradeFile.write(folder.resolve("trades.bin"), trades);
    }

    private static byte[] bytes(List<Trade> trades) {
        ByteBuffer bytes = ByteBuffer.allocate(trades.size() * TradeFile.LENGTH);
        trades.forEach(trade -> bytes.put(trade.bytes()));
        return bytes.array();
    }

    private static MessageChannel channel(BeanFactory beans, String name) {
        return beans.getBean(name, MessageChannel.class);
    }

    private static Pipeline pipeline(BeanFactory beans) {
        return beans.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    private static PipelineStatus status(BeanFactory beans) {
        return PipelineStatus.of(pipeline(beans));
    }

    private static PipelineStatus done(ApplicationContext context) {
        await().until(() -> pipeline(context).state() == PipelineState.DONE);
        return status(context);
    }

    private static List<Map<String, Object>> all(BeanFactory beans, String region) {
        return List.copyOf(beans.getBean(Store.class)
                .query(region, new Query(null, List.of(), List.of("id"), Query.MAX_LIMIT))
                .records());
    }

    private static <T> T of(Map<String, T> map, String key) {
        return Objects.requireNonNull(map.get(key));
    }

    /** Asks in pieces, since an answer is bounded. */
    private static Totals totals(BeanFactory beans, String region) {
        Store store = beans.getBean(Store.class);
        Totals totals = new Totals(0, new BigDecimal("0.00"), 0);
        long last = 0;
        while (true) {
            List<Map<String, Object>> records = List.copyOf(store.query(
                            region, new Query("id > " + last, List.of("id", "amount1"), List.of("id"), Query.MAX_LIMIT))
                    .records());
            if (records.isEmpty()) {
                return totals;
            }
            for (Map<String, Object> record : records) {
                last = (Long) of(record, "id");
                totals = totals.plus(new Totals(1, (BigDecimal) of(record, "amount1"), last));
            }
        }
    }

    @Configuration
    static class Listeners {
        private int admitted;
        private int filtered;
        private int stored;

        @ServiceActivator(inputChannel = "trades.admitted")
        void admitted(RecordBatch batch) {
            admitted += batch.selected();
        }

        @ServiceActivator(inputChannel = "trades.1-filter")
        void filtered(RecordBatch batch) {
            filtered += batch.selected();
        }

        @ServiceActivator(inputChannel = "trades.to-buys")
        void stored(RecordBatch batch) {
            stored += batch.selected();
        }
    }

    @Configuration
    static class EvenChannel {
        private int records;

        @ServiceActivator(inputChannel = "even")
        void take(RecordBatch batch) {
            records += batch.selected();
        }
    }

    @Configuration
    static class PlainFlow {
        @Bean
        QueueChannel found() {
            return new QueueChannel();
        }

        @Bean
        IntegrationFlow plainFlow() {
            return IntegrationFlow.from("single")
                    .filter("payload.currency1 == 'GBP' and payload.amount1 > 500000")
                    .channel("found")
                    .get();
        }
    }

    @Configuration
    static class BrokenListener implements SmartInitializingSingleton {
        private final PublishSubscribeChannel filtered;

        BrokenListener(@Qualifier("trades.1-filter") PublishSubscribeChannel filtered) {
            this.filtered = filtered;
        }

        @Override
        public void afterSingletonsInstantiated() {
            filtered.subscribe(message -> {
                if (message.getPayload() instanceof RecordBatch batch && batch.from() >= 50 * TradeFile.LENGTH) {
                    throw new UnsatisfiedLinkError("desk.so");
                }
            });
        }
    }

    @Configuration
    static class Echo {
        private final MessageChannel input;

        Echo(@Qualifier("trades.in") MessageChannel input) {
            this.input = input;
        }

        @ServiceActivator(inputChannel = "trades.admitted")
        void echo(RecordBatch batch) {
            input.send(new GenericMessage<>(new byte[TradeFile.LENGTH]));
        }
    }

    @Configuration
    static class FailingListener {
        @ServiceActivator(inputChannel = "trades.1-filter")
        void fail(RecordBatch batch) {
            throw new IllegalStateException("no room on the desk");
        }
    }
}
