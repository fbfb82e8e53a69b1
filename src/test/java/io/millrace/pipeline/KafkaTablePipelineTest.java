package io.millrace.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.kafka.TestBroker;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;

/** A topic whose messages change what their keys stand for, or remove it, in a region of entries. */
class KafkaTablePipelineTest {

    private static final int CUSTOMERS = 40;

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    private final Random random = new Random(8);
    /** Limits of the customers, in cents, by their names. */
    private final Map<String, Long> expected = new TreeMap<>();

    private void run(ContextConsumer<ApplicationContext> test) throws Exception {
        Path written = Files.writeString(
                folder.resolve("config.yml"),
                Files.readString(Path.of("examples/kafka/customers.yml"))
                        .replace("data: data", "data: " + folder.resolve("data"))
                        .replace("schemas: schemas", "schemas: examples/kafka/schemas")
                        .replace("localhost:9092", KAFKA.broker().bootstrapServers()));
        ConfiguredPipelines.run(written, test);
    }

    private void send(int count) {
        List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String customer = "C" + random.nextInt(CUSTOMERS);
            long limit = random.nextInt(1_000_000);
            boolean removed = random.nextInt(4) == 0;
            ByteBuffer value = ByteBuffer.allocate(16).putLong(limit).put("london  ".getBytes(UTF_8));
            messages.add(new ProducerRecord<>("customers", customer.getBytes(UTF_8), removed ? null : value.array()));
            if (removed) {
                expected.remove(customer);
            } else {
                expected.put(customer, limit);
            }
        }
        KAFKA.topics().send(messages);
    }

    private static Map<String, Long> stored(ApplicationContext context) {
        Map<String, Long> stored = new TreeMap<>();
        context.getBean(Store.class)
                .query("customers", new Query(null, List.of("customer", "limit"), List.of(), 1_000))
                .records()
                .forEach(record -> stored.put(
                        String.valueOf(record.get("customer")),
                        new BigDecimal(String.valueOf(record.get("limit")))
                                .movePointRight(2)
                                .longValueExact()));
        return stored;
    }

    /** Waits until so many messages since the start were processed: nothing changes the entries from then on. */
    private void requireStored(ApplicationContext context, int messages) throws IOException {
        Pipeline pipeline = context.getBean(Pipelines.class).named("customers").orElseThrow();
        await().until(() -> {
            assertThat(pipeline.state()).isNotEqualTo(PipelineState.FAILED);
            return PipelineStatus.of(pipeline).in() >= messages;
        });
        pipeline.flush();
        assertThat(PipelineStatus.of(pipeline).kept()).isEqualTo(messages);
        assertThat(stored(context)).isEqualTo(expected);
    }

    @Test
    void shouldStoreWhatIsLeftOfEachKey() throws Exception {
        KAFKA.topics().create("customers", 3, Map.of("cleanup.policy", "compact"));
        send(500);
        assertThat(expected).hasSizeBetween(10, CUSTOMERS);
        run(context -> requireStored(context, 500));
        send(1_000);
        run(context -> {
            requireStored(context, 1_000);
            send(1_000);
            requireStored(context, 2_000);
        });
        assertThat(folder.resolve("data")).isDirectory();
    }
}
