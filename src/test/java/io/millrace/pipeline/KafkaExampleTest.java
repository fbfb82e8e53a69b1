package io.millrace.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.cli.convert.ConvertCommand;
import io.millrace.kafka.TestBroker;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;
import picocli.CommandLine;
import topics.ProduceTrades;

/** The example {@code examples/kafka/trades.yml}, with its producer, as its README.md says. */
class KafkaExampleTest {

    private static final int ROUNDS = 100;
    /** Of the ten trades of the file, so many have an amount of more than ten million. */
    private static final int LARGE = 7;

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    @Test
    void shouldStoreLargeTradesAndSendAlertsAndRejects() throws Exception {
        String trades = folder.resolve("trades.bin").toString();
        assertThat(new CommandLine(new ConvertCommand()).execute("--schema", "trade", "examples/trades.csv", trades))
                .isZero();
        ProduceTrades.main(new String[] {KAFKA.broker().bootstrapServers(), trades, String.valueOf(ROUNDS)});
        Path written = Files.writeString(
                folder.resolve("config.yml"),
                Files.readString(Path.of("examples/kafka/trades.yml"))
                        .replace("data: data", "data: " + folder.resolve("data"))
                        .replace("localhost:9092", KAFKA.broker().bootstrapServers()));
        ConfiguredPipelines.run(written, context -> {
            await().until(() -> large(context) == LARGE * ROUNDS);
            await().until(() -> KAFKA.topics().read("trades-dead").size() == ROUNDS);
            await().until(() -> !KAFKA.topics().read("alerts").isEmpty());
        });
        List<ConsumerRecord<byte[], byte[]>> dead = KAFKA.topics().read("trades-dead");
        assertThat(dead).hasSize(ROUNDS).allSatisfy(message -> {
            assertThat(message.value()).containsExactly(1, 2, 3);
            assertThat(new String(
                            Objects.requireNonNull(message.headers().lastHeader("millrace.detail"))
                                    .value(),
                            UTF_8))
                    .startsWith("the message has 3 bytes, but a record has 39 (topic trades, partition ");
        });
        assertThat(KAFKA.topics().read("alerts"))
                .allSatisfy(
                        alert -> assertThat(new String(alert.value(), UTF_8)).contains("\"trades\":"));
    }

    private static int large(ApplicationContext context) {
        return context.getBean(Store.class)
                .query("large", new Query(null, List.of("id"), List.of(), 10_000))
                .records()
                .size();
    }
}
