package io.millrace.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kafka.TestBroker;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.store.Rejects;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import io.millrace.store.reject.Reject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whole pipelines that write to topics of a real broker. */
class KafkaOutputPipelineTest {

    private static final int TRADES = 20_000;
    private static final List<Trade> ALL = TradeFile.random(2 * TRADES, 31);

    private static final String PARTS = """
            millrace:
              data: FOLDER/data
              flush: 20ms
              batch-records: 1000
              regions:
                turnovers: { layout: blocks, persistent: true }
                raised:    { layout: blocks, persistent: true }
              outputs:
                all:      { kafka: { bootstrap-servers: 'localhost:9092', topic: all, key: id, format: record } }
                rejected: { kafka: { bootstrap-servers: 'localhost:9092', topic: rejected, key: position } }
                dead:     { kafka: { bootstrap-servers: 'localhost:9092', topic: dead, format: dead-letter } }
                rows:     { kafka: { bootstrap-servers: 'localhost:9092', topic: rows, key: currency1 } }
                alerts:   { kafka: { bootstrap-servers: 'localhost:9092', topic: alerts } }
              pipelines:
                trades:
                  feed: { file: FOLDER/trades.bin }
                  schema: trade
                  rejects: [ 'output:rejected', 'output:dead' ]
                  steps:
                    - filter: 100 / (id % 10) > 0
                    - measure:
                        name: turnover
                        every: 1s
                        by: currency1
                        values: { trades: count(), sum: sum(amount1) }
                        to: [ turnovers, 'output:rows' ]
                        alerts:
                          many: { when: trades > 0, to: [ raised, 'output:alerts' ] }
                    - to: output:all
            """;

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    private void run(String config, int trades, ContextConsumer<ApplicationContext> test) throws Exception {
        TradeFile.write(folder.resolve("trades.bin"), ALL.subList(0, trades));
        Path written = Files.writeString(
                folder.resolve("config.yml"),
                config.replace("FOLDER", folder.toString())
                        .replace("localhost:9092", KAFKA.broker().bootstrapServers()));
        ConfiguredPipelines.run(written, context -> {
            Pipeline pipeline = context.getBean(Pipelines.class).named("trades").orElseThrow();
            await().until(pipeline::ended);
            assertThat(pipeline.error()).isNull();
            test.accept(context);
        });
    }

    @Test
    void shouldRunTheExample() throws Exception {
        KAFKA.topics().create("large-trades", 1);
        String example = Files.readString(Path.of("examples/kafka/output.yml"))
                .replace("data: data", "data: FOLDER/data")
                .replace("trades.bin", "FOLDER/trades.bin");
        for (int trades : new int[] {TRADES, 2 * TRADES}) {
            run(example, trades, _ -> {});
            assertThat(KAFKA.topics().read("large-trades"))
                    .extracting(message -> new String(message.value(), UTF_8))
                    .extracting(
                            text -> JsonMapper.shared().readTree(text).get("id").asLong())
                    .isEqualTo(ALL.subList(0, trades).stream()
                            .filter(trade -> trade.cents1() > 100_000_000)
                            .map(Trade::id)
                            .toList());
        }
    }

    @Test
    void shouldWriteRecordsRejectsRowsAndAlertsOnceAcrossRestarts() throws Exception {
        KAFKA.topics().create("all", 1);
        KAFKA.topics().create("rejected", 1);
        KAFKA.topics().create("dead", 1);
        KAFKA.topics().create("rows", 1);
        KAFKA.topics().create("alerts", 1);
        for (int trades : new int[] {TRADES, 2 * TRADES}) {
            run(PARTS, trades, context -> {
                assertThat(KAFKA.topics().read("all").stream()
                                .flatMap(message -> TradeFile.read(message.value()).stream())
                                .toList())
                        .isEqualTo(ALL.subList(0, trades).stream()
                                .filter(trade -> trade.id() % 10 != 0)
                                .toList());
                Store store = context.getBean(Store.class);
                assertThat(messages("rejected"))
                        .extracting(reject -> reject.get("position").asLong())
                        .hasSize(trades / 10)
                        .isEqualTo(Rejects.of(store, "trades-rejected").stream()
                                .map(Reject::position)
                                .toList());
                requireDeadLetters(trades, Rejects.of(store, "trades-rejected"));
                assertThat(counts("rows")).isNotEmpty().isEqualTo(counts(store, "turnovers"));
                assertThat(counts("alerts")).isNotEmpty().isEqualTo(counts(store, "raised"));
            });
        }
        assertThat(KAFKA.topics().committed("millrace-rejected-trades+rejects-0", "rejected", 0))
                .isPositive();
    }

    /** The bytes of the trades, with what their rejects say. */
    private static void requireDeadLetters(int trades, List<Reject> rejects) {
        List<ConsumerRecord<byte[], byte[]>> letters = KAFKA.topics().read("dead");
        assertThat(letters.stream()
                        .flatMap(letter -> TradeFile.read(letter.value()).stream())
                        .toList())
                .isEqualTo(ALL.subList(0, trades).stream()
                        .filter(trade -> trade.id() % 10 == 0)
                        .toList());
        for (int i = 0; i < letters.size(); i++) {
            Reject reject = rejects.get(i);
            Map<String, String> headers = new LinkedHashMap<>();
            letters.get(i).headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
            assertThat(headers)
                    .containsExactly(
                            Map.entry("millrace.pipeline", "trades"),
                            Map.entry("millrace.partition", "0"),
                            Map.entry("millrace.position", String.valueOf(reject.position())),
                            Map.entry("millrace.time", reject.time().toString()),
                            Map.entry("millrace.reason", "expression"),
                            Map.entry("millrace.detail", reject.detail()),
                            Map.entry("millrace.length", "39"));
        }
    }

    private static List<JsonNode> messages(String topic) {
        return KAFKA.topics().read(topic).stream()
                .map(message -> JsonMapper.shared().readTree(message.value()))
                .toList();
    }

    private static List<String> counts(String topic) {
        return messages(topic).stream()
                .map(row -> row.get("currency1").asString() + " " + row.get("trades"))
                .toList();
    }

    private static List<String> counts(Store store, String region) {
        return store.query(region, new Query(null, List.of(), List.of(), 1_000_000)).records().stream()
                .map(row -> row.get("currency1") + " " + row.get("trades"))
                .toList();
    }
}
