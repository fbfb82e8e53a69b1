package io.millrace.feed.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.FieldCodecs;
import io.millrace.codec.RecordBatch;
import io.millrace.extension.NoSettings;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.Split;
import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.kafka.KafkaFeedProperties.OnRemoved;
import io.millrace.kafka.TestBroker;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields of records that are parts of messages, from a real broker, with both readers. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class KafkaFieldsTest {

    /** The value of a message has the number, everything else is from the message. */
    private static final Schema ORDER = schema("""
            schema: order
            fields:
              - { name: number, type: u32 }
              - { name: at, type: instant, unit: ms }
              - { name: atMicros, type: instant, unit: us }
              - { name: place, type: i64 }
              - { name: part, type: u8 }
              - { name: source, type: string, length: 30 }
              - { name: customer, type: string, length: 6, charset: utf8, optional: true }
              - { name: desk, type: u16, optional: true }
              - { name: session, type: bytes, length: 4, optional: true }
            """);

    private static final Map<String, String> FIELDS = fields(
            "at", "timestamp",
            "atMicros", "timestamp",
            "place", "offset",
            "part", "partition",
            "source", "topic",
            "customer", "key",
            "desk", "header:desk",
            "session", "header-bytes:session");

    private static final Instant TIME = Instant.parse("2026-01-31T10:15:30.123Z");

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @Parameter
    private boolean direct;

    private final List<List<Object>> rows = new ArrayList<>();
    private final List<String> pieces = new ArrayList<>();

    private static Schema schema(String yaml) {
        return SchemaReader.read("order.yml", yaml.getBytes(UTF_8));
    }

    private static Map<String, String> fields(String... namesAndParts) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndParts.length; i += 2) {
            fields.put(namesAndParts[i], namesAndParts[i + 1]);
        }
        return fields;
    }

    private List<String> problems(Schema schema, Map<String, String> fields) {
        List<String> problems = new ArrayList<>();
        FeedCheck check = new FeedCheck("kafka", new NoSettings(), (at, message) -> problems.add(at + ": " + message));
        FeedDefinition definition = define(List.of("orders"), null, fields, check);
        definition.check(schema, check);
        return problems;
    }

    private FeedDefinition define(
            List<String> topics, @Nullable FramingKind framing, Map<String, String> fields, FeedCheck check) {
        KafkaFeedProperties properties = new KafkaFeedProperties(
                KAFKA.broker().bootstrapServers(),
                topics,
                "earliest",
                framing,
                null,
                null,
                fields,
                OnRemoved.FAIL,
                null,
                direct,
                Map.of(),
                null,
                null);
        return Objects.requireNonNull(new KafkaFeedFactory().define(properties, check));
    }

    private Feed feed(List<String> topics, @Nullable FramingKind framing, Split split) {
        List<String> problems = new ArrayList<>();
        FeedCheck check = new FeedCheck("kafka", new NoSettings(), (at, message) -> problems.add(at + message));
        FeedDefinition definition = define(topics, framing, FIELDS, check);
        definition.check(ORDER, check);
        assertThat(problems).isEmpty();
        return definition.create(new FeedContext(ORDER, 100, split, name -> {
            throw new AssertionError(name);
        }));
    }

    private void read(Feed feed, int count) {
        RecordBatch batch = new RecordBatch(ORDER);
        await().until(() -> {
            if (feed.poll(batch, Duration.ofMillis(50)) == Poll.RECORDS) {
                for (int i = 0; i < batch.count(); i++) {
                    rows.add(row(batch, i));
                }
            }
            Piece piece = feed.takePiece();
            if (piece != null) {
                pieces.add(piece.detail());
            }
            return rows.size() + pieces.size() >= count;
        });
    }

    private static List<Object> row(RecordBatch batch, int ordinal) {
        byte[] record = new byte[ORDER.baseLength()];
        batch.copyRecord(ordinal, record, 0, record.length);
        return ORDER.fields().stream()
                .map(field -> (Object) FieldCodecs.of(field).text(record, 0))
                .toList();
    }

    private static byte[] number(int... numbers) {
        ByteBuffer value = ByteBuffer.allocate(4 * numbers.length);
        IntStream.of(numbers).forEach(value::putInt);
        return value.array();
    }

    private static ProducerRecord<byte[], byte[]> message(
            String topic, int partition, @Nullable String key, byte[] value, Map<String, String> headers) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                topic, partition, TIME.toEpochMilli(), key == null ? null : key.getBytes(UTF_8), value);
        headers.forEach((name, text) -> message.headers().add(name, text.getBytes(UTF_8)));
        return message;
    }

    /** Creates a topic that keeps messages of any time. */
    private static void create(String topic, int partitions) {
        KAFKA.topics().create(topic, partitions, Map.of("retention.ms", "-1"));
    }

    private String topic(String name) {
        return name + (direct ? "" : "-consumer");
    }

    @Test
    void shouldTakeFieldsFromMessages() throws IOException {
        String topic = topic("orders");
        create(topic, 2);
        ProducerRecord<byte[], byte[]> twice = message(topic, 1, "Zoë", number(2), Map.of("other", "x", "desk", "7"));
        twice.headers().add("desk", "8".getBytes(UTF_8));
        KAFKA.topics()
                .send(List.of(
                        message(topic, 1, "A-1", number(1), Map.of("desk", "65534", "session", "abcd")),
                        twice,
                        message(topic, 1, null, number(3), Map.of())));
        try (Feed feed = feed(List.of(topic), null, new Split(1, 2))) {
            feed.open(0);
            read(feed, 3);
        }
        String time = "2026-01-31T10:15:30.123Z";
        assertThat(pieces).isEmpty();
        assertThat(rows)
                .containsExactly(
                        List.of("1", time, time, "0", "1", topic, "A-1", "65534", "61626364"),
                        List.of("2", time, time, "1", "1", topic, "Zoë", "8", ""),
                        List.of("3", time, time, "2", "1", topic, "", "", ""));
    }

    /** The bytes of an earlier record are never part of a later one, and a message is a reject as a whole. */
    @Test
    void shouldRejectMessagesWithPartsThatDoNotFit() throws IOException {
        String topic = topic("misfits");
        create(topic, 1);
        KAFKA.topics()
                .send(List.of(
                        message(topic, 0, "long-key", number(1), Map.of()),
                        message(topic, 0, "ok", number(2), Map.of("desk", "many")),
                        message(topic, 0, "ok", number(3), Map.of("session", "abc")),
                        message(topic, 0, "ok", number(4), Map.of("session", "\0\0\0\0")),
                        message(topic, 0, "ok", new byte[5], Map.of()),
                        message(topic, 0, "", number(6), Map.of("desk", ""))));
        try (Feed feed = feed(List.of(topic), null, Split.WHOLE)) {
            feed.open(0);
            read(feed, 6);
        }
        assertThat(pieces)
                .satisfiesExactly(
                        key -> assertThat(key)
                                .isEqualTo("Invalid value 'long-key' of 'customer'. Use at most 6 bytes, not 8. (topic "
                                        + topic + ", partition 0, offset 0, key 'long-key')"),
                        desk -> assertThat(desk)
                                .startsWith("Invalid value 'many' of 'desk'.")
                                .endsWith("offset 1, key 'ok', header desk='many')"),
                        session -> assertThat(session)
                                .startsWith("Invalid value '616263' of 'session'. Use 4 bytes, not 3."),
                        absent -> assertThat(absent)
                                .contains("this one stands for absent")
                                .endsWith("header session=0x00000000)"),
                        value -> assertThat(value)
                                .startsWith("the message has 5 bytes, but a record has 4 before its fields from the"
                                        + " message"));
        assertThat(rows).hasSize(1);
        assertThat(rows.getFirst()).startsWith("6").endsWith("", "", "");
    }

    @Test
    void shouldTakeFieldsForEachRecordOfAMessage() throws IOException {
        String topic = topic("several");
        create(topic, 1);
        int[] numbers = IntStream.range(0, 500).toArray();
        KAFKA.topics()
                .send(List.of(
                        message(topic, 0, "A", number(numbers), Map.of("desk", "1")),
                        message(topic, 0, "B", number(500), Map.of())));
        try (Feed feed = feed(List.of(topic), FramingKind.FIXED, Split.WHOLE)) {
            feed.open(0);
            read(feed, 501);
        }
        for (int i = 0; i < 500; i++) {
            assertThat(rows.get(i)).startsWith(String.valueOf(i)).endsWith("A", "1", "");
        }
        assertThat(rows.getLast()).startsWith("500").endsWith("B", "", "");
    }

    @Test
    void shouldKnowForHowLongMessagesWait() throws IOException {
        String topic = topic("waiting");
        create(topic, 1);
        KAFKA.topics()
                .send(IntStream.range(0, 150)
                        .mapToObj(i -> message(topic, 0, null, number(i), Map.of()))
                        .toList());
        try (Feed feed = feed(List.of(topic), null, Split.WHOLE)) {
            feed.open(0);
            RecordBatch batch = new RecordBatch(ORDER);
            await().until(() -> feed.poll(batch, Duration.ofMillis(50)) == Poll.RECORDS);
            assertThat(batch.count()).isEqualTo(100);
            assertThat(feed.lag()).isEqualTo(50);
            assertThat(feed.age())
                    .isBetween(
                            Duration.between(TIME, Instant.now()).minusDays(1).toMillis(),
                            Duration.between(TIME, Instant.now()).toMillis());
            await().until(() -> feed.poll(batch, Duration.ofMillis(50)) == Poll.RECORDS);
            assertThat(feed.age()).isZero();
        }
    }

    /** With two topics, the partitions of the pipeline take turns. */
    @Test
    void shouldReadSeveralTopics() throws IOException {
        List<String> topics = List.of(topic("london"), topic("paris"));
        create(topics.get(0), 2);
        create(topics.get(1), 1);
        List<ProducerRecord<byte[], byte[]>> messages = List.of(
                message(topics.get(0), 0, null, number(10), Map.of()),
                message(topics.get(0), 1, null, number(11), Map.of()),
                message(topics.get(1), 0, null, number(20), Map.of()));
        KAFKA.topics().send(messages);
        List<String> identities = new ArrayList<>();
        for (int i : new int[] {0, 1, 2}) {
            try (Feed feed = feed(topics, null, new Split(i, 4))) {
                feed.open(0);
                read(feed, i + 1);
                identities.add(feed.identity(1));
            }
        }
        assertThat(rows).extracting(row -> row.getFirst()).containsExactly("10", "20", "11");
        assertThat(identities.get(1)).startsWith("kafka topic=" + topics.get(1) + " partition=0 ");
        try (Feed absent = feed(topics, null, new Split(3, 4))) {
            absent.open(0);
            assertThat(absent.absent()).isTrue();
        }
        try (Feed few = feed(topics, null, new Split(0, 2))) {
            assertThatThrownBy(() -> few.open(0))
                    .hasMessage("Topic '" + topics.get(0) + "' has 2 partitions, but the pipeline has 1 for it. Set"
                            + " partitions: 4, or more if partitions may be added to the topic.");
        }
    }

    @Test
    void shouldReportFieldsThatNoMessageCanHave() {
        assertThat(problems(ORDER, FIELDS)).isEmpty();
        assertThat(problems(ORDER, fields("customer", "keys", "desk", "header:", "session", "header-bytes:a")))
                .containsExactly(
                        "feed.kafka.fields[customer]: Invalid value 'keys'. Use offset, partition, timestamp, topic,"
                                + " key, key-bytes, header:NAME, header-bytes:NAME or tombstone. [invalid-value]",
                        "feed.kafka.fields[desk]: Invalid value 'header:'. Use offset, partition, timestamp, topic,"
                                + " key, key-bytes, header:NAME, header-bytes:NAME or tombstone. [invalid-value]");
        assertThat(problems(ORDER, fields("customers", "key")))
                .singleElement()
                .asString()
                .startsWith("feed.kafka.fields[customers]: Unknown field 'customers' in schema 'order'");
        assertThat(problems(ORDER, fields("session", "key", "desk", "offset", "customer", "offset")))
                .hasSize(2)
                .allMatch(problem -> problem.contains("Type mismatch: "));
        assertThat(problems(ORDER, fields("customer", "key")))
                .containsExactly(
                        "feed.kafka.fields: Field 'desk' is behind the first one of 'fields', which must be the"
                                + " last ones of the record. Move it in the schema. [schema-mismatch]");
        Schema whole = schema("""
                schema: order
                fields:
                  - { name: at, type: instant, unit: s }
                """);
        assertThat(problems(whole, fields("at", "timestamp")))
                .satisfiesExactly(
                        unit -> assertThat(unit).contains("Use an instant with the unit milliseconds"),
                        value -> assertThat(value).contains("No field is left for the value of a message"));
    }

    @Test
    void shouldReportFieldsThatMessagesWithoutAValueCannotHave() {
        Schema schema = schema("""
                schema: order
                fields:
                  - { name: note, type: string, length: 4 }
                  - { name: side, type: enum, values: { 1: buy, 2: sell } }
                  - { name: price, type: f64, optional: true }
                  - { name: id, type: u32 }
                  - { name: removed, type: boolean }
                """);
        assertThat(problems(schema, fields("id", "key-bytes", "removed", "tombstone")))
                .containsExactly(
                        "feed.kafka.fields[removed]: Messages without a value have no 'side', and zero is not a"
                                + " value of it. Set optional: true in the schema. [schema-mismatch]");
        assertThat(problems(schema, fields("removed", "tombstone", "id", "tombstone")))
                .first()
                .asString()
                .contains("Type mismatch: 'tombstone' can't be stored in a field of type integer. Use a boolean.");
    }

    /** Only such values are in one partition, however a key is written. Messages without a key are in any. */
    @Test
    void shouldKnowTheFieldsThatDecideThePartition() {
        Schema schema = schema("""
                schema: order
                fields:
                  - { name: number, type: u32 }
                  - { name: customer, type: string, length: 6 }
                  - { name: desk, type: u16 }
                  - { name: session, type: bytes, length: 4 }
                  - { name: absent, type: string, length: 6, optional: true }
                """);
        Map<String, String> fields =
                fields("customer", "key", "desk", "key", "session", "key-bytes", "absent", "key", "custmer", "key");
        assertThat(splitBy(List.of("orders"), fields, schema)).containsExactlyInAnyOrder("customer", "session");
        assertThat(splitBy(List.of("orders", "others"), fields, schema)).isEmpty();
        assertThat(splitBy(List.of("orders"), fields("customer", "header:customer", "desk", "partition"), schema))
                .isEmpty();
    }

    private Set<String> splitBy(List<String> topics, Map<String, String> fields, Schema schema) {
        FeedCheck check = new FeedCheck("kafka", new NoSettings(), (at, message) -> {
            throw new AssertionError(message);
        });
        return define(topics, null, fields, check).splitBy(schema);
    }
}
