package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kafka.KafkaTopics;
import io.millrace.kafka.TestBroker;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;

/** Whole pipelines that read topics of a real KAFKA.broker(). */
class KafkaPipelineTest {

    private static final List<byte[]> TRADES =
            TradeFile.random(30_000, 45).stream().map(TradeFile.Trade::bytes).toList();

    private static final String CONFIG = """
            millrace:
              data: FOLDER/data
              flush: 20ms
              regions:
                all: { layout: blocks, persistent: true }
              pipelines:
                trades:
                  partitions: 5
                  lanes: 2
                  feed:
                    kafka:
                      bootstrap-servers: 'BROKERS'
                      topics: TOPIC
                      group: TOPIC-group
                      properties: { fetch.max.wait.ms: 100, security.protocol: PLAINTEXT }
                  schema: trade
                  steps:
                    - to: all
            """;

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    private String topic = "";

    @BeforeEach
    void nameTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
    }

    private void run(String config, ContextConsumer<ApplicationContext> test) throws Exception {
        Path written = Files.writeString(
                folder.resolve("config.yml"),
                config.replace("FOLDER", folder.toString())
                        .replace("BROKERS", KAFKA.broker().bootstrapServers())
                        .replace("TOPIC", topic));
        ConfiguredPipelines.run(written, test);
    }

    private static Pipeline pipeline(ApplicationContext context) {
        return context.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    private static @Nullable String failure(ApplicationContext context) {
        return pipeline(context).partitions().getFirst().parts().feed().failure();
    }

    private static List<Long> ids(ApplicationContext context) {
        return context
                .getBean(Store.class)
                .query("all", new Query(null, List.of("id"), List.of(), 1_000_000))
                .records()
                .stream()
                .map(record -> (Long) record.get("id"))
                .sorted()
                .toList();
    }

    /** The ids of the trades are their numbers, from 1. */
    private static void awaitStored(ApplicationContext context, int count) throws IOException {
        await().until(() -> {
            assertThat(pipeline(context).state()).isNotEqualTo(PipelineState.FAILED);
            return ids(context).size() >= count;
        });
        pipeline(context).flush();
        assertThat(ids(context))
                .isEqualTo(Stream.iterate(1L, id -> id + 1).limit(count).toList());
    }

    private void send(int partition, int from, int to) {
        KAFKA.topics().send(topic, partition, new ArrayList<>(TRADES.subList(from, to)));
    }

    @Test
    void shouldStoreEachMessageOnceThroughRestartsAndNewPartitions() throws Exception {
        KAFKA.topics().create(topic, 2);
        send(0, 0, 6_000);
        send(1, 6_000, 10_000);
        run(CONFIG, context -> {
            awaitStored(context, 10_000);
            PipelineStatus status = PipelineStatus.of(pipeline(context));
            assertThat(status.position()).isEqualTo(10_000);
            assertThat(status.partitions()).hasSize(5);
            send(0, 10_000, 11_000);
            awaitStored(context, 11_000);
            KAFKA.topics().addPartitions(topic, 5);
            send(2, 11_000, 15_000);
            awaitStored(context, 15_000);
        });
        send(1, 15_000, 15_500);
        run(CONFIG, context -> awaitStored(context, 15_500));
        run(CONFIG, context -> {
            for (int partition = 0; partition < 5; partition++) { // each is open once its records are stored
                send(partition, 15_500 + 100 * partition, 15_600 + 100 * partition);
            }
            awaitStored(context, 16_000);
            KAFKA.topics().addPartitions(topic, 7);
            await().until(() ->
                    Objects.equals(PipelineStatus.of(pipeline(context)).feed().get("unread-partitions"), 2L));
        });
        // The number of partitions can grow.
        run(CONFIG, context -> {
            await().until(pipeline(context)::terminated);
            assertThat(pipeline(context).error())
                    .contains(
                            "Topic '" + topic + "' has 7 partitions, but the pipeline has 5 for it. Set partitions: 7");
        });
        send(6, 16_000, 20_000);
        run(CONFIG.replace("partitions: 5", "partitions: 8"), context -> awaitStored(context, 20_000));
        run(CONFIG, context -> {
            await().until(pipeline(context)::terminated);
            assertThat(pipeline(context).error()).contains("partitions=8");
        });
    }

    @Test
    void shouldContinueWhenTheBrokerIsBack() throws Exception {
        KAFKA.topics().create(topic, 1);
        send(0, 0, 1_000);
        run(CONFIG, context -> {
            awaitStored(context, 1_000);
            KAFKA.broker().stop();
            await().until(() -> String.valueOf(failure(context)).contains("can be reached"));
            KAFKA.broker().start();
            send(0, 1_000, 2_000);
            awaitStored(context, 2_000);
            await().until(() -> failure(context) == null);
        });
    }

    @Test
    void shouldShowThePositionAsTheOffsetOfAGroup() throws Exception {
        KAFKA.topics().create(topic, 1);
        send(0, 0, 1_000);
        run(CONFIG, context -> {
            awaitStored(context, 1_000);
            int[] sent = {1_000};
            await().until(() -> {
                send(0, sent[0], sent[0] + 1);
                sent[0]++;
                Long committed = KAFKA.topics().committed(topic + "-group", topic, 0);
                return committed != null && committed >= 1_000 && committed <= sent[0];
            });
        });
    }

    @Test
    void shouldStoreMessagesThatAreNotRecordsAsRejects() throws Exception {
        KAFKA.topics().create(topic, 1);
        send(0, 0, 10);
        KAFKA.topics().send(topic, 0, List.of(new byte[] {1, 2, 3}));
        send(0, 10, 20);
        for (int i = 0; i < 2; i++) {
            run(CONFIG, context -> {
                awaitStored(context, 20);
                assertThat(context.getBean(Store.class)
                                .query("trades-rejected", new Query(null, List.of(), List.of(), 10))
                                .records())
                        .singleElement()
                        .satisfies(reject -> {
                            assertThat(reject.get("position")).isEqualTo(10L);
                            assertThat(String.valueOf(reject)).contains("the message has 3 bytes, but a record has 39");
                        });
            });
        }
    }

    /** No record follows them, so nothing else moves the position. */
    @Test
    void shouldStoreRejectsAtTheEndOfATopic() throws Exception {
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.of(new byte[] {1}, new byte[] {2}));
        for (int i = 0; i < 2; i++) {
            run(CONFIG, context -> {
                await().until(() -> rejectedPositions(context).equals(List.of(0L, 1L)));
                await().until(() -> pipeline(context).position() == 2);
            });
        }
        send(0, 0, 10);
        KAFKA.topics().send(topic, 0, List.of(new byte[] {3}));
        run(CONFIG, context -> {
            awaitStored(context, 10);
            await().until(() -> rejectedPositions(context).equals(List.of(0L, 1L, 12L)));
        });
    }

    private static List<Object> rejectedPositions(ApplicationContext context) {
        return context
                .getBean(Store.class)
                .query("trades-rejected", new Query(null, List.of("position"), List.of("position"), 10))
                .records()
                .stream()
                .map(reject -> reject.get("position"))
                .toList();
    }

    /** The counters of the feed are those of all partitions, not of the first one alone. */
    @Test
    void shouldShowWhatWaitsInAnyPartition() throws Exception {
        KAFKA.topics().create(topic, 2);
        send(0, 0, 10);
        send(1, 10, 20);
        run(CONFIG, context -> {
            awaitStored(context, 20);
            assertThat(PipelineStatus.of(pipeline(context)).feed()).containsEntry("held-back", 0L);
            await().until(() -> pipeline(context).feeds().age() == 0);
            try (KafkaTopics.Transactions transactions = KAFKA.topics().transactions(topic)) {
                transactions.begin(topic, 1, new ArrayList<>(TRADES.subList(20, 30)));
                await().until(() -> Long.valueOf(10)
                        .equals(PipelineStatus.of(pipeline(context)).feed().get("held-back")));
                transactions.commit();
            }
            awaitStored(context, 30);
            await().until(() -> Long.valueOf(0)
                    .equals(PipelineStatus.of(pipeline(context)).feed().get("held-back")));
            assertThat(pipeline(context).feeds().largestLag()).isZero();
        });
    }

    /** Partitions that the topic does not have do not hold up the windows of a measure. */
    @Test
    void shouldCloseWindowsWithoutThePartitionsThatTheTopicDoesNotHave() throws Exception {
        Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/event.yml"), """
                schema: event
                layout: fixed
                length: 39
                fields:
                  - { name: time, type: instant, as: i64, unit: ms, at: 0 }
                """);
        KAFKA.topics().create(topic, 2);
        send(0, 0, 30_000);
        send(1, 0, 30_000);
        String config = CONFIG.replace("      partitions: 5\n", "")
                .replace("schema: trade", "schema: event")
                .replace("  flush: 20ms", "  flush: 20ms\n  schemas: FOLDER/schemas")
                .replace(
                        "        - to: all",
                        "        - measure: { name: seconds, time: time, every: 1s, values: { events: count() } }\n"
                                + "        - to: all");
        run(config, context -> {
            assertThat(PipelineStatus.of(pipeline(context)).partitions()).hasSize(16);
            RunningMeasure measure = pipeline(context).measures().getFirst();
            await().until(() -> !measure.closedWindows().isEmpty()
                    && measure.closedWindows().getFirst().end() == 30_000);
            assertThat(measure.counts().counted().get()).isEqualTo(60_000);
            assertThat(measure.counts().late().get()).isZero();
        });
    }
}
