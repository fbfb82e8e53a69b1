package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.feed.kafka.registry.TestRegistry;
import io.millrace.kafka.TestBroker;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A whole pipeline whose messages name schemas of a registry. */
class KafkaRegistryPipelineTest {

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    private static byte[] message(int id, byte[] value) {
        return ByteBuffer.allocate(5 + value.length)
                .put((byte) 0)
                .putInt(id)
                .put(value)
                .array();
    }

    @Test
    void shouldWaitForTheRegistryAndStoreWhatItCannotReadAsRejects() {
        List<byte[]> messages = new ArrayList<>();
        for (TradeFile.Trade trade : TradeFile.random(10, 48)) {
            messages.add(message(1, trade.bytes()));
        }
        messages.add(5, message(2, new byte[] {42}));
        KAFKA.topics().create("trades", 1);
        KAFKA.topics().send("trades", 0, messages);
        try (TestRegistry registry = TestRegistry.confluent()) {
            registry.addConfluent(1, "JSON");
            registry.addConfluent(2, null);
            registry.stop();
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                    .withPropertyValues(
                            "millrace.data=" + folder.resolve("data"),
                            "millrace.flush=20ms",
                            "millrace.regions.all.layout=blocks",
                            "millrace.pipelines.trades.schema=trade",
                            "millrace.pipelines.trades.feed.kafka.bootstrap-servers="
                                    + KAFKA.broker().bootstrapServers(),
                            "millrace.pipelines.trades.feed.kafka.topics=trades",
                            "millrace.pipelines.trades.feed.kafka.registry.format=confluent",
                            "millrace.pipelines.trades.feed.kafka.registry.url=" + registry.url(),
                            "millrace.pipelines.trades.steps[0].to=all")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        Pipeline pipeline =
                                context.getBean(Pipelines.class).named("trades").orElseThrow();
                        await().until(() ->
                                pipeline.partitions().getFirst().parts().feed().failure() != null);
                        assertThat(pipeline.partitions()
                                        .getFirst()
                                        .parts()
                                        .feed()
                                        .failure())
                                .contains("The schema registry at " + registry.url() + " can't be reached.");
                        registry.start();
                        Store store = context.getBean(Store.class);
                        await().until(() -> query(store, "all").records().size() == 10);
                        await().until(() ->
                                !query(store, "trades-rejected").records().isEmpty());
                        assertThat(query(store, "trades-rejected").records())
                                .singleElement()
                                .satisfies(reject -> assertThat(String.valueOf(reject))
                                        .contains("the message has Avro data by schema 2"));
                    });
        }
    }

    private static QueryResult query(Store store, String region) {
        return store.query(region, new Query(null, List.of(), List.of(), 100));
    }
}
