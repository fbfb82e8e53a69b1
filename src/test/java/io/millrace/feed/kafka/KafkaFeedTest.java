package io.millrace.feed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.extension.NoSettings;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedChangedException;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.Split;
import io.millrace.feed.framing.FramingKind;
import io.millrace.feed.kafka.KafkaFeedProperties.OnRemoved;
import io.millrace.kafka.KafkaTopics;
import io.millrace.kafka.TestBroker;
import io.millrace.pipeline.TradeFile;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A feed of a real broker, with both readers. The messages are trades, which Kafka's own producer has sent. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class KafkaFeedTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final List<byte[]> TRADES =
            TradeFile.random(5_000, 44).stream().map(TradeFile.Trade::bytes).toList();

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @Parameter
    private boolean direct;

    private String topic = "";
    private final List<Feed> feeds = new ArrayList<>();

    /** What polls have returned. */
    private final List<Long> positions = new ArrayList<>();

    private final List<byte[]> records = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private long covered;

    @BeforeEach
    void nameTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName()
                + Integer.toUnsignedString(test.getDisplayName().hashCode())
                + (direct ? "" : "-consumer");
    }

    @AfterEach
    void closeFeeds() throws IOException {
        for (Feed feed : feeds) {
            feed.close();
        }
    }

    private KafkaFeedProperties properties(
            String start, @Nullable FramingKind framing, OnRemoved onRemoved, Map<String, String> others) {
        return new KafkaFeedProperties(
                KAFKA.broker().bootstrapServers(),
                List.of(topic),
                start,
                framing,
                null,
                framing == FramingKind.DELIMITED ? "\n" : null,
                Map.of(),
                onRemoved,
                null,
                direct,
                others,
                null,
                null);
    }

    private Feed feed(KafkaFeedProperties properties, Split split, int batchRecords) {
        return feed(definition(properties), split, batchRecords);
    }

    private static FeedDefinition definition(KafkaFeedProperties properties) {
        List<String> problems = new ArrayList<>();
        FeedDefinition definition = new KafkaFeedFactory()
                .define(
                        properties,
                        new FeedCheck("kafka", new NoSettings(), (at, message) -> problems.add(at + message)));
        assertThat(problems).isEmpty();
        return Objects.requireNonNull(definition);
    }

    private Feed feed(FeedDefinition definition, Split split, int batchRecords) {
        Feed created = definition.create(new FeedContext(TRADE, batchRecords, split, name -> {
            throw new AssertionError(name);
        }));
        feeds.add(created);
        return created;
    }

    private Feed feed(Split split) {
        return feed(properties("earliest", null, OnRemoved.FAIL, Map.of()), split, 1000);
    }

    private Feed feed() {
        return feed(Split.WHOLE);
    }

    /** Polls until so many records and pieces have arrived in all. */
    private void read(Feed from, int count) {
        RecordBatch batch = new RecordBatch(TRADE);
        await().until(() -> {
            readBatch(from, batch);
            return records.size() + pieces.size() >= count;
        });
        assertThat(records.size() + pieces.size()).isEqualTo(count);
    }

    private void readBatch(Feed from, RecordBatch batch) throws IOException {
        if (from.poll(batch, Duration.ofMillis(50)) == Poll.RECORDS) {
            assertThat(batch.from()).isGreaterThanOrEqualTo(covered);
            for (int i = 0; i < batch.count(); i++) {
                positions.add(batch.position(i));
                int at = batch.offset(i);
                records.add(Arrays.copyOfRange(batch.bytes(), at, at + batch.length(i)));
            }
            covered = batch.to();
        }
        for (Piece piece = from.takePiece(); piece != null; piece = from.takePiece()) {
            assertThat(piece.position()).isGreaterThanOrEqualTo(covered);
            pieces.add(piece);
        }
    }

    /** Sends a hundred trades, reads them, and returns the identity of the feed, which is closed. */
    private String identityOfHundred() throws IOException {
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(0, 100)));
        Feed first = feed();
        first.open(0);
        read(first, 100);
        String identity = first.identity(100);
        first.close();
        return identity;
    }

    private static Long[] offsets(long from, long to) {
        return LongStream.range(from, to).boxed().toArray(Long[]::new);
    }

    private void requireRead(int from, int to) {
        assertThat(records).hasSize(to - from);
        for (int i = from; i < to; i++) {
            assertThat(records.get(i - from)).isEqualTo(TRADES.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4", "zstd", "gzip", "snappy"})
    void shouldReadTheMessagesOfAPartitionInOrder(String compression) throws IOException {
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES), compression);
        Feed read = feed(properties("earliest", null, OnRemoved.FAIL, Map.of()), Split.WHOLE, 700);
        read.open(0);
        read(read, TRADES.size());
        requireRead(0, TRADES.size());
        assertThat(positions).containsExactly(offsets(0, TRADES.size()));
        assertThat(covered).isEqualTo(TRADES.size());
        assertThat(read.lag()).isZero();
    }

    @Test
    void shouldContinueAtAPosition() throws IOException {
        String identity = identityOfHundred();
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(100, 150)));
        records.clear();
        Feed second = feed();
        second.verify(identity);
        second.open(60);
        covered = 60;
        read(second, 90);
        requireRead(60, 150);
        assertThat(second.identity(150)).contains("start=0 epoch=0");
    }

    @Test
    void shouldBeginWhereTheConfigurationSays() throws Exception {
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(0, 10)));
        Instant between = Instant.now().plusMillis(1);
        await().until(() -> Instant.now().isAfter(between));
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(10, 20)));
        Feed since = feed(properties(between.toString(), null, OnRemoved.FAIL, Map.of()), Split.WHOLE, 1000);
        since.open(0);
        read(since, 10);
        requireRead(10, 20);
        assertThat(since.taken(20)).isEqualTo(10);
        since.close();

        records.clear();
        Feed latest = feed(properties("latest", null, OnRemoved.FAIL, Map.of()), Split.WHOLE, 1000);
        latest.open(0);
        // Before anything was read, the position is 0, but the identity has the start.
        String identity = latest.identity(0);
        latest.close();
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(20, 30)));
        Feed again = feed(properties("latest", null, OnRemoved.FAIL, Map.of()), Split.WHOLE, 1000);
        again.verify(identity);
        again.open(0);
        read(again, 10);
        requireRead(20, 30);
    }

    @Test
    void shouldReadCommittedTransactionsOnly() throws Exception {
        KAFKA.topics().create(topic, 1);
        Feed read = feed();
        read.open(0);
        try (KafkaTopics.Transactions transactions = KAFKA.topics().transactions(topic)) {
            transactions.begin(topic, 0, List.copyOf(TRADES.subList(0, 10)));
            transactions.commit();
            transactions.begin(topic, 0, List.copyOf(TRADES.subList(100, 120)));
            transactions.abort();
            transactions.begin(topic, 0, List.copyOf(TRADES.subList(10, 20)));
            read(read, 10);
            RecordBatch batch = new RecordBatch(TRADE);
            for (int i = 0; i < 5; i++) {
                assertThat(read.poll(batch, Duration.ofMillis(20))).isEqualTo(Poll.NOTHING_YET);
            }
            awaitHeldBack(read, direct ? 10 : 0);
            transactions.commit();
        }
        read(read, 20);
        requireRead(0, 20);
        awaitHeldBack(read, 0);
        // Ten messages, a marker, twenty that were aborted, a marker, ten messages and a marker.
        assertThat(positions)
                .startsWith(offsets(0, 10))
                .endsWith(offsets(32, 42))
                .hasSize(20);
        assertThat(covered).isBetween(42L, 43L);
    }

    /** The marker of a transaction has the epoch of a later leader than the messages before it. */
    @Test
    void shouldContinueBehindTheMarkerOfAnotherLeader() throws Exception {
        KAFKA.topics().create(topic, 1);
        Feed first = feed();
        try (KafkaTopics.Transactions transactions = KAFKA.topics().transactions(topic)) {
            transactions.begin(topic, 0, List.copyOf(TRADES.subList(0, 10)));
            KAFKA.broker().stop();
            KAFKA.broker().start();
            transactions.commit();
        }
        first.open(0);
        read(first, 10);
        assertThat(covered).isEqualTo(11);
        String identity = first.identity(11);
        first.close();
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(10, 20)));
        Feed second = feed();
        second.verify(identity);
        second.open(11);
        read(second, 20);
        requireRead(0, 20);
    }

    /** After a failure, a feed is opened at the end of its last batch, with the identity of an earlier commit. */
    @Test
    void shouldContinueIfTheLeaderHasChangedSinceTheLastCommit() throws Exception {
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(0, 10)));
        Feed read = feed();
        read.open(0);
        read(read, 10);
        String committed = read.identity(10);
        KAFKA.broker().stop();
        KAFKA.broker().start();
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(10, 20)));
        read.close();
        read.verify(committed);
        read.open(10);
        read(read, 20);
        read.close();
        read.verify(committed);
        read.open(20);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(20, 30)));
        read(read, 30);
        requireRead(0, 30);
    }

    private static void awaitHeldBack(Feed feed, long messages) {
        RecordBatch batch = new RecordBatch(TRADE);
        await().until(() -> {
            assertThat(feed.poll(batch, Duration.ofMillis(20))).isEqualTo(Poll.NOTHING_YET);
            return Objects.requireNonNull(feed.counts().get("held-back")).get() == messages;
        });
    }

    @Test
    void shouldReadAllMessagesIfTheConfigurationSaysSo() throws IOException {
        KAFKA.topics().create(topic, 1);
        try (KafkaTopics.Transactions transactions = KAFKA.topics().transactions(topic)) {
            transactions.begin(topic, 0, List.copyOf(TRADES.subList(0, 10)));
            Feed read = feed(
                    properties("earliest", null, OnRemoved.FAIL, Map.of("isolation.level", "read_uncommitted")),
                    Split.WHOLE,
                    1000);
            read.open(0);
            read(read, 10);
            requireRead(0, 10);
            transactions.abort();
        }
    }

    @Test
    void shouldReturnMessagesThatAreNotRecordsAsPieces() throws IOException {
        KAFKA.topics().create(topic, 1);
        List<byte @Nullable []> values = new ArrayList<>(TRADES.subList(0, 5));
        values.set(2, new byte[38]);
        values.add(null);
        values.add(TRADES.get(5));
        KAFKA.topics().send(topic, 0, values);
        Feed read = feed();
        read.open(0);
        read(read, 7);
        assertThat(positions).containsExactly(0L, 1L, 3L, 4L, 6L);
        assertThat(pieces).extracting(Piece::position).containsExactly(2L, 5L);
        assertThat(pieces)
                .extracting(Piece::detail)
                .containsExactly(
                        "the message has 38 bytes, but a record has 39" + place(2),
                        "the message has no value" + place(5));
        assertThat(pieces.getFirst().bytes()).hasSize(38);
    }

    private String place(int offset) {
        return " (topic " + topic + ", partition 0, offset " + offset + ")";
    }

    private static byte[] joined(List<byte[]> parts) {
        ByteBuffer all =
                ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(all::put);
        return all.array();
    }

    private static byte[] prefixed(byte[] record) {
        return ByteBuffer.allocate(record.length + 2)
                .putShort((short) record.length)
                .put(record)
                .array();
    }

    @Test
    void shouldSplitMessagesIntoRecords() throws IOException {
        KAFKA.topics().create(topic, 1);
        List<byte[]> prefixed = TRADES.stream().map(KafkaFeedTest::prefixed).toList();
        byte[] cut = Arrays.copyOf(joined(prefixed.subList(0, 3)), 110);
        KAFKA.topics()
                .send(
                        topic,
                        0,
                        List.of(
                                joined(prefixed.subList(0, 3)),
                                cut,
                                joined(prefixed.subList(3, 1500)),
                                new byte[0],
                                prefixed.get(1500)));
        Feed read =
                feed(properties("earliest", FramingKind.LENGTH_PREFIXED, OnRemoved.FAIL, Map.of()), Split.WHOLE, 1000);
        read.open(0);
        read(read, 1503);
        requireRead(0, 1501);
        assertThat(positions.subList(0, 4)).containsExactly(0L, 0L, 0L, 2L);
        assertThat(positions.getLast()).isEqualTo(4);
        assertThat(pieces)
                .extracting(Piece::detail)
                .containsExactly(
                        "the message ended after 26 of the record's 39 bytes" + place(1),
                        "the message has no records" + place(3));
        assertThat(pieces.getFirst().bytes()).isEqualTo(cut);
        read.close();

        records.clear();
        pieces.clear();
        KAFKA.topics().create(topic + "-fixed", 1);
        KAFKA.topics().send(topic + "-fixed", 0, List.of(joined(TRADES.subList(0, 300)), new byte[40]));
        topic += "-fixed";
        covered = 0;
        Feed fixed = feed(properties("earliest", FramingKind.FIXED, OnRemoved.FAIL, Map.of()), Split.WHOLE, 1000);
        fixed.open(0);
        read(fixed, 301);
        requireRead(0, 300);
        assertThat(pieces)
                .extracting(Piece::detail)
                .containsExactly("the message ended after 1 of the record's 39 bytes" + place(1));
    }

    @Test
    void shouldRefuseATopicThatWasCreatedAgain() throws IOException {
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(0, 10)));
        Feed first = feed();
        first.open(0);
        read(first, 10);
        String identity = first.identity(10);
        KAFKA.topics().delete(topic);
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(0, 100)));
        await().untilAsserted(() -> assertThatThrownBy(() -> first.identity(10))
                .isInstanceOf(FeedChangedException.class)
                .hasMessageContaining("was deleted and created again"));
        first.close();
        assertThatThrownBy(() -> feed().verify(identity))
                .isInstanceOf(FeedChangedException.class)
                .hasMessageContaining("Topic '" + topic + "' was deleted and created again: its ID was");
    }

    @Test
    void shouldReportMessagesThatWereRemoved() throws IOException {
        String identity = identityOfHundred();
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(100, 200)));
        KAFKA.topics().removeBefore(topic, 0, 150);
        Feed second = feed();
        second.verify(identity);
        assertThatThrownBy(() -> second.open(100))
                .isInstanceOf(FeedChangedException.class)
                .hasMessageContaining("Messages 100 to 149 of partition 0 of topic '" + topic
                        + "' were removed before they were read. Set on-removed: continue to read what is left.");
        records.clear();
        Feed third = feed(properties("earliest", null, OnRemoved.CONTINUE, Map.of()), Split.WHOLE, 1000);
        third.verify(identity);
        third.open(100);
        read(third, 50);
        requireRead(150, 200);
        assertThat(third.counts())
                .hasEntrySatisfying("removed", count -> assertThat(count.get()).isEqualTo(50));
        third.close();

        Feed beyond = feed();
        beyond.verify(identity);
        beyond.open(300);
        assertThatThrownBy(() -> read(beyond, 1000))
                .isInstanceOf(FeedChangedException.class)
                .hasMessageContaining("no longer has the messages before offset 300, which were read.");
    }

    @Test
    void shouldReadAPartitionThatIsAdded() throws IOException {
        KAFKA.topics().create(topic, 1);
        Feed second = feed(properties("latest", null, OnRemoved.FAIL, Map.of()), new Split(1, 4), 1000);
        second.open(0);
        assertThat(second.absent()).isTrue();
        assertThat(second.poll(new RecordBatch(TRADE), Duration.ZERO)).isEqualTo(Poll.NOTHING_YET);
        assertThat(second.identity(0)).contains("partition=1").contains("start=-1");
        KAFKA.topics().addPartitions(topic, 2);
        KAFKA.topics().send(topic, 1, List.copyOf(TRADES.subList(0, 10)));
        read(second, 10);
        requireRead(0, 10);
        assertThat(second.absent()).isFalse();
        assertThat(second.identity(10)).contains("start=0");
    }

    /** The pipeline closes a feed whose opening has failed. */
    @Test
    void shouldNoticeATopicThatIsCreatedAgainAlsoAfterAFailedStart() throws IOException {
        FeedDefinition definition = definition(properties("earliest", null, OnRemoved.FAIL, Map.of()));
        Feed first = feed(definition, new Split(0, 2), 1000);
        Feed second = feed(definition, new Split(1, 2), 1000);
        assertThatThrownBy(() -> first.open(0)).hasMessageContaining("have no topic");
        first.close();
        KAFKA.topics().create(topic, 2);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(0, 10)));
        first.open(0);
        second.open(0);
        second.close();
        read(first, 10);
        KAFKA.topics().delete(topic);
        KAFKA.topics().create(topic, 2);
        await().untilAsserted(() -> assertThatThrownBy(() -> first.identity(10))
                .isInstanceOf(FeedChangedException.class)
                .hasMessageContaining("was deleted and created again"));
    }

    @Test
    void shouldBeginOnceTheTopicExists() throws IOException {
        Feed read = feed();
        assertThatThrownBy(() -> read.open(0)).hasMessageContaining("have no topic");
        read.close();
        KAFKA.topics().create(topic, 1);
        KAFKA.topics().send(topic, 0, List.copyOf(TRADES.subList(0, 10)));
        read.open(0);
        read(read, 10);
        requireRead(0, 10);
    }

    @Test
    void shouldRefuseMorePartitionsThanThePipelineHas() {
        KAFKA.topics().create(topic, 3);
        assertThatThrownBy(() -> feed(new Split(0, 2)).open(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Topic '" + topic
                        + "' has 3 partitions, but the pipeline has 2 for it. Set partitions: 3, or more"
                        + " if partitions may be added to the topic.");
    }

    @Test
    void shouldReportWhatIsMissing() {
        assertThatThrownBy(() -> feed().open(0))
                .isInstanceOf(IOException.class)
                .hasMessage("The brokers at " + KAFKA.broker().bootstrapServers() + " have no topic '" + topic + "'.");
        assertThatThrownBy(() -> feed().verify("file size=3"))
                .isInstanceOf(FeedChangedException.class)
                .hasMessageContaining("The feed is a topic of Kafka, but this pipeline read: file size=3.");
        assertThatThrownBy(() -> feed().verify("kafka topic=other partition=0 id=x start=0 epoch=0"))
                .isInstanceOf(FeedChangedException.class)
                .hasMessageContaining("this pipeline read: kafka topic=other partition=0");
    }
}
