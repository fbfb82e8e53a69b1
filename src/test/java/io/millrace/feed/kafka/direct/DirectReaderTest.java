package io.millrace.feed.kafka.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.millrace.TestBudget;
import io.millrace.feed.kafka.read.Bytes;
import io.millrace.feed.kafka.read.PartitionReader;
import io.millrace.kafka.KafkaTopics;
import io.millrace.kafka.TestBroker;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The reader against Kafka's own consumer, on a real broker. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class DirectReaderTest {

    private static final String TOPIC = "messages";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final List<String> COMPRESSIONS = List.of("none", "lz4", "zstd", "gzip", "snappy");

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    /**
     * Transactions of several producers that overlap and of which some are aborted, and other messages between them.
     */
    private static void produce(Random random) {
        KafkaTopics topics = KAFKA.topics();
        topics.create(TOPIC, 1);
        List<KafkaTopics.Transactions> idle = new ArrayList<>();
        List<KafkaTopics.Transactions> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            idle.add(topics.transactions("producer-" + i));
        }
        for (int i = 0; i < 120; i++) {
            int choice = random.nextInt(4);
            if (choice == 0 && !idle.isEmpty()) {
                KafkaTopics.Transactions next = idle.remove(random.nextInt(idle.size()));
                next.begin(TOPIC, 0, values(random));
                open.add(next);
            } else if (choice == 1 && !open.isEmpty()) {
                KafkaTopics.Transactions next = open.remove(random.nextInt(open.size()));
                end(next, random);
                idle.add(next);
            } else {
                topics.send(TOPIC, 0, values(random), COMPRESSIONS.get(random.nextInt(COMPRESSIONS.size())));
            }
        }
        open.forEach(left -> end(left, random));
        idle.forEach(KafkaTopics.Transactions::close);
        open.forEach(KafkaTopics.Transactions::close);
    }

    private static void end(KafkaTopics.Transactions transaction, Random random) {
        if (random.nextBoolean()) {
            transaction.commit();
        } else {
            transaction.abort();
        }
    }

    private static List<byte @Nullable []> values(Random random) {
        List<byte @Nullable []> values = new ArrayList<>();
        for (int i = random.nextInt(30); i >= 0; i--) {
            byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(9_000) : random.nextInt(120)];
            random.nextBytes(value);
            values.add(random.nextInt(20) == 0 ? null : value);
        }
        return values;
    }

    private static String text(long offset, byte @Nullable [] value) {
        return offset + " " + (value == null ? "-" : HexFormat.of().formatHex(value));
    }

    private static List<String> read(PartitionReader reader, int count) {
        List<String> read = new ArrayList<>();
        await().until(() -> {
            if (!reader.peek()) {
                assertThat(reader.fetch(Duration.ofMillis(100))).isTrue();
            }
            while (reader.peek()) {
                int length = reader.length();
                read.add(text(
                        reader.offset(),
                        length < 0
                                ? null
                                : Arrays.copyOfRange(reader.bytes(), reader.start(), reader.start() + length)));
                reader.take();
            }
            return read.size() >= count;
        });
        return read;
    }

    /** Fetches of many sizes end within a batch or a transaction, and begin within them. */
    @Test
    void shouldReadWhatTheConsumerReads() {
        Random random = new Random(TestBudget.seed());
        produce(random);
        List<String> expected = KAFKA.topics().read(TOPIC).stream()
                .sorted(Comparator.comparingLong(message -> message.offset()))
                .map(message -> text(message.offset(), message.value()))
                .toList();
        assertThat(expected).hasSizeGreaterThan(500);
        String topicId = KAFKA.topics().id(TOPIC);
        for (int fetchBytes : new int[] {1, 700, 5_000, 40_000, 1 << 20}) {
            for (int skipped : new int[] {0, random.nextInt(expected.size()), expected.size() - 1}) {
                long from = offset(expected.get(skipped));
                Map<String, Object> settings = settings(fetchBytes);
                try (DirectReader reader =
                        new DirectReader(settings, PARTITION, topicId, new OffsetAndMetadata(from))) {
                    assertThat(reader.position()).isEqualTo(from);
                    List<String> rest = expected.subList(skipped, expected.size());
                    assertThat(read(reader, rest.size())).isEqualTo(rest);
                    assertThat(reader.peek()).isFalse();
                    assertThat(reader.position()).isGreaterThan(offset(expected.getLast()));
                }
            }
        }
    }

    private static Map<String, Object> settings(int fetchBytes) {
        return Map.of(
                "bootstrap.servers",
                KAFKA.broker().bootstrapServers(),
                "client.id",
                "test",
                "isolation.level",
                "read_committed",
                "max.partition.fetch.bytes",
                fetchBytes,
                "key.deserializer",
                Bytes.class,
                "value.deserializer",
                Bytes.class);
    }

    /** With another version of Kafka's client, this fails: the other tests decide whether it is supported. */
    @Test
    void shouldSupportTheClientOfTheClassPath() {
        assertThat(DirectReader.supports(settings(1_000))).isTrue();
        for (String property : List.of("client.rack", "interceptor.classes")) {
            Map<String, Object> settings = new HashMap<>(settings(1_000));
            settings.put(property, "x");
            assertThat(DirectReader.supports(settings)).as(property).isFalse();
        }
    }

    /** A request and its response take some objects, about 9 KB for 2,400 messages, and a message none. */
    @Test
    void shouldNotAllocateForEachMessage() {
        byte[] value = new byte[100];
        KAFKA.topics().create("many", 1);
        KAFKA.topics().send("many", 0, Collections.nCopies(60_000, value));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (DirectReader reader = new DirectReader(
                settings(256 << 10),
                new TopicPartition("many", 0),
                KAFKA.topics().id("many"),
                new OffsetAndMetadata(0))) {
            read(reader, 20_000, value.length); // the memory of two responses
            long before = threads.getCurrentThreadAllocatedBytes();
            read(reader, 40_000, value.length);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated / 40_000.0).isLessThan(8);
        }
    }

    /** A broker that has nothing to send for a while is not one that can't be reached. */
    @Test
    void shouldWaitForABrokerThatWaits() {
        KAFKA.topics().create("quiet", 1);
        Map<String, Object> settings = new HashMap<>(settings(1_000));
        settings.put("fetch.max.wait.ms", 20_000);
        settings.put("fetch.min.bytes", 100);
        try (DirectReader reader = new DirectReader(
                settings, new TopicPartition("quiet", 0), KAFKA.topics().id("quiet"), new OffsetAndMetadata(0))) {
            assertThat(reader.fetch(Duration.ofMillis(5_500))).isTrue();
            assertThat(reader.peek()).isFalse();
            KAFKA.topics().send("quiet", 0, Collections.nCopies(10, new byte[100]));
            read(reader, 10, 100);
        }
    }

    private static void read(DirectReader reader, int count, int length) {
        for (int i = 0; i < count; i++) {
            while (!reader.peek()) {
                reader.fetch(Duration.ofSeconds(1));
            }
            if (reader.length() != length) {
                throw new AssertionError(reader.length());
            }
            reader.take();
        }
    }

    private static long offset(String message) {
        return Long.parseLong(message.substring(0, message.indexOf(' ')));
    }
}
