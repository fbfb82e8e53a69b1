package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kafka.TestBroker;
import io.millrace.pipeline.TradeFile.Trade;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example {@code route.yml}, from a topic of a real broker to two topics. */
class KafkaRouteExampleTest {

    private static final List<Trade> ALL = TradeFile.random(20_000, 52);

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    @Test
    void shouldRouteEachLargeTradeOnceAcrossARestart() throws Exception {
        KAFKA.topics().create("trades", 4);
        KAFKA.topics().create("large-buys", 2);
        KAFKA.topics().create("large-sells", 2);
        Path written = Files.writeString(
                folder.resolve("config.yml"),
                Files.readString(Path.of("examples/kafka/route.yml"))
                        .replace("data: data", "data: " + folder.resolve("data"))
                        .replace("localhost:9092", KAFKA.broker().bootstrapServers()));
        for (int half : new int[] {0, ALL.size() / 2}) {
            List<Trade> trades = ALL.subList(half, half + ALL.size() / 2);
            send(trades);
            ConfiguredPipelines.run(written, context -> {
                Pipeline pipeline =
                        context.getBean(Pipelines.class).named("trades").orElseThrow();
                await().until(() -> processed(pipeline) >= trades.size());
            });
            List<Trade> sent = ALL.subList(0, half + ALL.size() / 2);
            assertThat(received("large-buys")).isNotEmpty().isEqualTo(large(sent, true));
            assertThat(received("large-sells")).isNotEmpty().isEqualTo(large(sent, false));
        }
    }

    /** Sends each trade to the partition of its id. */
    private static void send(List<Trade> trades) {
        for (int partition = 0; partition < 4; partition++) {
            int number = partition;
            KAFKA.topics()
                    .send(
                            "trades",
                            partition,
                            new ArrayList<>(trades.stream()
                                    .filter(trade -> trade.id() % 4 == number)
                                    .map(Trade::bytes)
                                    .toList()));
        }
    }

    private static long processed(Pipeline pipeline) {
        PipelineStatus status = PipelineStatus.of(pipeline);
        assertThat(status.error()).isNull();
        return status.kept() + status.dropped();
    }

    private static List<Trade> received(String topic) {
        return KAFKA.topics().read(topic).stream()
                .flatMap(message -> TradeFile.read(message.value()).stream())
                .sorted(Comparator.comparingLong(Trade::id))
                .toList();
    }

    private static List<Trade> large(List<Trade> trades, boolean buys) {
        return trades.stream()
                .filter(trade -> trade.cents1() > 100_000_000 && trade.buy() == buys)
                .toList();
    }
}
