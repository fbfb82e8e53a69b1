package io.millrace.feed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.extension.NoSettings;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.Split;
import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.framing.LengthPrefixProperties;
import io.millrace.feed.kafka.KafkaFeedProperties.OnRemoved;
import io.millrace.feed.kafka.registry.RegistryFormat;
import io.millrace.feed.kafka.registry.RegistryProperties;
import io.millrace.feed.kafka.registry.TestRegistry;
import io.millrace.kafka.TestBroker;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A feed of a real broker whose messages begin with IDs of schemas, and a registry that has them. */
class KafkaRegistryTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final List<byte[]> TRADES =
            TradeFile.random(40, 47).stream().map(TradeFile.Trade::bytes).toList();

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    private final TestRegistry registry = TestRegistry.confluent();
    private final RecordBatch batch = new RecordBatch(TRADE);
    private final List<byte[]> records = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private long position;
    private String topic = "";
    private @Nullable Feed feed;

    @BeforeEach
    void createTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName();
        KAFKA.topics().create(topic, 1);
        registry.addConfluent(1, "JSON");
        registry.addConfluent(2, null);
        registry.addConfluent(3, "JSON");
    }

    @AfterEach
    void close() throws IOException {
        if (feed != null) {
            feed.close();
        }
        registry.close();
    }

    private static byte[] message(int id, byte[] value) {
        return ByteBuffer.allocate(5 + value.length)
                .put((byte) 0)
                .putInt(id)
                .put(value)
                .array();
    }

    /** Sends trades of the list, each by a schema. */
    private void send(int id, int from, int to) {
        send(TRADES.subList(from, to).stream().map(trade -> message(id, trade)).toArray(byte[][]::new));
    }

    private void send(byte[]... messages) {
        KAFKA.topics().send(topic, 0, new ArrayList<>(Arrays.asList(messages)));
    }

    private Feed open(RegistryFormat format, @Nullable String url, @Nullable FramingKind framing) throws IOException {
        KafkaFeedProperties properties = new KafkaFeedProperties(
                KAFKA.broker().bootstrapServers(),
                List.of(topic),
                "earliest",
                framing,
                framing == null ? null : new LengthPrefixProperties(2, LengthPrefixProperties.Order.BIG_ENDIAN, false),
                null,
                Map.of(),
                OnRemoved.FAIL,
                null,
                true,
                Map.of(),
                null,
                new RegistryProperties(format, url, null, null, null, Duration.ofSeconds(5)));
        List<String> problems = new ArrayList<>();
        Feed created = Objects.requireNonNull(new KafkaFeedFactory()
                        .define(
                                properties,
                                new FeedCheck("kafka", new NoSettings(), (at, message) -> problems.add(message))))
                .create(new FeedContext(TRADE, 1000, Split.WHOLE, name -> {
                    throw new AssertionError(name);
                }));
        assertThat(problems).isEmpty();
        feed = created;
        created.open(0);
        return created;
    }

    private void poll(Feed from) throws IOException {
        if (from.poll(batch, Duration.ofMillis(50)) == Poll.RECORDS) {
            for (int i = 0; i < batch.count(); i++) {
                int at = batch.offset(i);
                records.add(Arrays.copyOfRange(batch.bytes(), at, at + batch.length(i)));
            }
            position = batch.to();
        }
        Piece piece = from.takePiece();
        if (piece != null) {
            pieces.add(piece);
        }
    }

    private void read(Feed from, int count) {
        await().until(() -> {
            poll(from);
            return records.size() + pieces.size() >= count;
        });
        assertThat(records.size() + pieces.size()).isEqualTo(count);
    }

    @Test
    void shouldReadTheValuesBehindTheIdsOfSchemas() throws IOException {
        send(1, 0, 10);
        send(message(2, TRADES.get(20)), message(4, TRADES.get(21)), TRADES.get(22), new byte[4]);
        send(3, 10, 15);
        send(1, 15, 20);
        send(message(2, TRADES.get(23)));
        read(open(RegistryFormat.CONFLUENT, registry.url(), null), 25);
        assertThat(records).containsExactlyElementsOf(TRADES.subList(0, 20));
        assertThat(pieces).extracting(Piece::position).containsExactly(10L, 11L, 12L, 13L, 24L);
        assertThat(pieces.getFirst().bytes()).isEqualTo(message(2, TRADES.get(20)));
        assertThat(pieces)
                .satisfiesExactly(
                        avro -> assertThat(avro.detail()).startsWith("the message has Avro data by schema 2"),
                        unknown -> assertThat(unknown.detail()).startsWith("the message has the schema ID 4, which"),
                        // A trade begins with its number, whose first bytes are 0.
                        none -> assertThat(none.detail()).startsWith("the message has the schema ID 0, which"),
                        cut -> assertThat(cut.detail()).startsWith("the message does not begin with the ID"),
                        avro -> assertThat(avro.detail()).contains("schema 2"));
        assertThat(registry.requests().stream().filter(path -> path.matches(".*/[1-4]")))
                .containsExactly("/schemas/ids/1", "/schemas/ids/2", "/schemas/ids/4", "/schemas/ids/3");
    }

    @Test
    void shouldLoseNothingWhileTheRegistryCannotBeReached() throws IOException {
        send(1, 0, 10);
        send(3, 10, 20);
        Feed opened = open(RegistryFormat.CONFLUENT, registry.url(), null);
        registry.stop();
        assertFails(opened);
        assertThat(records).isEmpty();

        opened.close();
        registry.start();
        opened.open(position);
        // The records by a known schema do not wait for the registry.
        read(opened, 10);
        registry.stop();
        assertFails(opened);
        assertFails(opened);
        assertThat(records).hasSize(10);

        opened.close();
        registry.start();
        opened.open(position);
        read(opened, 20);
        assertThat(records).containsExactlyElementsOf(TRADES.subList(0, 20));
        assertThat(registry.requests()).containsExactly("/schemas/ids/1", "/schemas/ids/3");
    }

    private void assertFails(Feed from) {
        assertThatThrownBy(() -> await().until(() -> {
                    poll(from);
                    return false;
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("The schema registry at " + registry.url() + " can't be reached.");
    }

    @Test
    void shouldReadIdsOfEightBytes() throws IOException {
        try (TestRegistry apicurio = TestRegistry.apicurio()) {
            apicurio.addApicurio(1L << 33, "JSON");
            byte[] message = ByteBuffer.allocate(9 + TradeFile.LENGTH)
                    .put((byte) 0)
                    .putLong(1L << 33)
                    .put(TRADES.getFirst())
                    .array();
            send(message, message);
            read(open(RegistryFormat.APICURIO, apicurio.url(), null), 2);
            assertThat(records).containsExactly(TRADES.getFirst(), TRADES.getFirst());
            assertThat(apicurio.requests()).containsExactly("/apis/registry/v3/ids/globalIds/8589934592");
        }
    }

    @Test
    void shouldSplitTheValueBehindTheId() throws IOException {
        byte[] framed = ByteBuffer.allocate(2 * (2 + TradeFile.LENGTH))
                .putShort((short) TradeFile.LENGTH)
                .put(TRADES.get(0))
                .putShort((short) TradeFile.LENGTH)
                .put(TRADES.get(1))
                .array();
        send(message(99, framed));
        read(open(RegistryFormat.CONFLUENT, null, FramingKind.LENGTH_PREFIXED), 2);
        assertThat(records).containsExactly(TRADES.get(0), TRADES.get(1));
        assertThat(registry.requests()).isEmpty();
    }
}
