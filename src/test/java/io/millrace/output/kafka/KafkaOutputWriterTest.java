package io.millrace.output.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.record.LayoutCodec;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.kafka.KafkaBroker;
import io.millrace.kafka.KafkaConnection;
import io.millrace.kafka.KafkaTopics;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputWriter;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.error.StoreReopenedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages and positions in a topic, through failures of the writer and of the broker. */
class KafkaOutputWriterTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final long ALL = Long.MAX_VALUE;
    private static final List<Trade> TRADES = TradeFile.random(60_000, 3);
    private static final String ID = "millrace-copies-trades-0";

    @TempDir
    static Path folder;

    private static KafkaBroker broker;
    private static SilentRelay relay;
    private static KafkaTopics topics;

    private final List<String> rejected = new ArrayList<>();
    private final List<OutputWriter> opened = new ArrayList<>();
    private final Map<String, String> properties = new HashMap<>();
    private String topic = "";

    @BeforeAll
    static void start() throws IOException {
        int front = KafkaBroker.Ports.free().clients();
        broker = KafkaBroker.start(
                folder,
                Map.of(
                        "advertised.listeners",
                        "PLAINTEXT://127.0.0.1:" + front,
                        "transaction.abort.timed.out.transaction.cleanup.interval.ms",
                        "100"));
        String address = broker.bootstrapServers();
        relay = new SilentRelay(front, Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        topics = new KafkaTopics(address);
    }

    @AfterAll
    static void stop() throws IOException {
        topics.close();
        relay.close();
        broker.close();
    }

    @BeforeEach
    void createTopic(TestInfo test) {
        topic = test.getTestMethod().orElseThrow().getName() + "-" + System.identityHashCode(this);
        topics.create(topic, 1);
    }

    @AfterEach
    void closeAll() throws IOException {
        for (OutputWriter writer : opened) {
            writer.close();
        }
    }

    private OutputWriter writer() {
        return writer(KafkaFormat.RECORD, "id", TRADE);
    }

    private OutputWriter writer(KafkaFormat format, @Nullable String key, Schema schema) {
        KafkaOutput output = new KafkaOutput(
                new KafkaConnection(broker.bootstrapServers(), properties), new MessageForm(topic, key, format));
        OutputWriter writer = output.create(new OutputContext(
                "copies", "trades", null, 0, null, schema, (batch, ordinal, reason) -> rejected.add(reason.detail())));
        opened.add(writer);
        return writer;
    }

    private static RecordBatch batch(int from, int to) {
        return new RecordBatch(TRADE).fill(bytes(TRADES.subList(from, to)), 0, to - from, at(from), at(to));
    }

    private static byte[] bytes(List<Trade> trades) {
        ByteBuffer bytes = ByteBuffer.allocate(trades.size() * TradeFile.LENGTH);
        trades.forEach(trade -> bytes.put(trade.bytes()));
        return bytes.array();
    }

    private static long at(int trade) {
        return (long) trade * TradeFile.LENGTH;
    }

    /** The values of all messages, one after the other. */
    private static byte[] values(List<ConsumerRecord<byte[], byte[]>> messages) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        messages.forEach(message -> bytes.writeBytes(message.value()));
        return bytes.toByteArray();
    }

    private List<Trade> written() {
        return TradeFile.read(values(topics.read(topic)));
    }

    /** Flushes as a pipeline does: until it succeeds. */
    private static void flush(OutputWriter writer, long position) {
        await().pollInterval(java.time.Duration.ofMillis(50)).until(() -> {
            try {
                writer.flush(position);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEAD_LETTER")
    void shouldWriteEachFormat(KafkaFormat format) throws IOException {
        OutputWriter writer = writer(format, format == KafkaFormat.BATCH ? null : "id", TRADE);
        assertThat(writer.open(1, ALL)).isZero();
        for (int i = 0; i < 5_000; i += 2_500) {
            RecordBatch batch = batch(i, i + 2_500);
            batch.selection()[0] = 7; // not all of the batch
            System.arraycopy(batch.selection(), 10, batch.selection(), 1, 2_490);
            batch.select(2_491);
            writer.append(batch);
            writer.flush(at(i + 2_500));
        }

        List<Trade> expected = new ArrayList<>();
        for (int i = 0; i < 5_000; i += 2_500) {
            expected.add(TRADES.get(i + 7));
            expected.addAll(TRADES.subList(i + 10, i + 2_500));
        }
        List<ConsumerRecord<byte[], byte[]>> messages = topics.read(topic);
        if (format == KafkaFormat.BATCH) {
            assertThat(TradeFile.read(values(messages))).isEqualTo(expected);
            assertThat(messages).hasSize(4).allSatisfy(message -> {
                assertThat(message.key()).isNull();
                assertThat(message.value().length).isLessThanOrEqualTo(65_536);
            });
            return;
        }
        assertThat(messages)
                .extracting(message -> new String(message.key(), StandardCharsets.UTF_8))
                .isEqualTo(expected.stream()
                        .map(trade -> Long.toString(trade.id()))
                        .toList());
        if (format == KafkaFormat.RECORD) {
            assertThat(messages)
                    .extracting(ConsumerRecord::value)
                    .containsExactlyElementsOf(
                            expected.stream().map(Trade::bytes).toList());
        } else {
            assertThat(messages)
                    .extracting(message -> new String(message.value(), StandardCharsets.UTF_8))
                    .isEqualTo(json(expected));
        }
        assertThat(rejected).isEmpty();
    }

    /** The lines that the command convert makes. */
    private static List<String> json(List<Trade> trades) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordFormat.BINARY.convert(RecordFormat.JSON, TRADE, new ByteArrayInputStream(bytes(trades)), out, bad -> {
            throw new AssertionError(bad);
        });
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            id                                | 1
            id * -3                           | -3
            currency1                         | CHF
            buySell.toLowerCase()             | sell
            currency1 + '/é' + currency2      | CHF/éEUR
            amount1                           | 1234.50
            amount1 * 10                      | 12345.00
            tradeDate                         | 2014-07-22
            id > 0                            | true
            currency2 == 'EUR' ? null : id    |
            currency2 == 'EUR' ? currency1 : null | CHF
            currency2 == 'USD' ? currency1 : null |
            """)
    void shouldComputeKeys(String expression, @Nullable String expected) throws IOException {
        Trade trade = new Trade(1, 16_273, 1, 3, 123_450, 1.5, 4, 7, 8);
        OutputWriter writer = writer(KafkaFormat.RECORD, expression, TRADE);
        writer.open(1, ALL);
        writer.append(new RecordBatch(TRADE).fill(trade.bytes(), 0, 1, 0, at(1)));
        writer.flush(at(1));

        byte[] key = topics.read(topic).getFirst().key();
        assertThat(key == null ? null : new String(key, StandardCharsets.UTF_8)).isEqualTo(expected);
    }

    @Test
    void shouldWriteRecordsOfVaryingLengthWithoutTheirLengths() throws IOException {
        Schema order = SchemaReader.read("order.yml", """
                schema: order
                layout: compact
                fields:
                  - { name: id, type: i64 }
                  - { name: note, type: string, length: 20, charset: utf8 }
                """.getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordFormat.JSON.convert(
                RecordFormat.BINARY,
                order,
                new ByteArrayInputStream("{\"id\":5,\"note\":\"étage\"}\n".getBytes(StandardCharsets.UTF_8)),
                out,
                bad -> {
                    throw new AssertionError(bad);
                });
        byte[] record = Arrays.copyOfRange(out.toByteArray(), Integer.BYTES, out.size());
        RecordBatch batch = new RecordBatch(order);
        LayoutCodec codec = LayoutCodecs.of(order);
        codec.show(batch, record, 0, record.length);
        codec.admission().admit(batch, (_, _, reason) -> rejected.add(reason.detail()));
        assertThat(rejected).isEmpty();
        OutputWriter writer = writer(KafkaFormat.RECORD, "note", order);
        writer.open(1, ALL);
        writer.append(batch);
        writer.flush(1);

        ConsumerRecord<byte[], byte[]> message = topics.read(topic).getFirst();
        assertThat(message.value()).isEqualTo(record);
        assertThat(message.key()).asString(StandardCharsets.UTF_8).isEqualTo("étage");
    }

    /** Each has its message, so the others keep their keys and their order. */
    @Test
    void shouldRejectWhatAMessageCannotHold() throws IOException {
        properties.put("max.request.size", "400");
        OutputWriter writer = writer(KafkaFormat.JSON, "id == 4 ? 1 / (id - 4) : id", TRADE);
        writer.open(1, ALL);
        writer.append(batch(0, 5));
        writer.flush(at(5));
        assertThat(rejected).singleElement().asString().contains("division by zero");
        assertThat(topics.read(topic))
                .extracting(message -> new String(message.key(), StandardCharsets.UTF_8))
                .containsExactly("1", "2", "3", "5");

        rejected.clear();
        properties.put("max.request.size", "250");
        OutputWriter narrow = writer(KafkaFormat.JSON, "id", TRADE);
        assertThat(narrow.open(2, ALL)).isEqualTo(at(5));
        narrow.append(batch(5, 6));
        narrow.flush(at(6));
        assertThat(rejected)
                .singleElement()
                .asString()
                .matches("the message has \\d+ bytes, with max.request.size it has at most 122");
    }

    @Test
    void shouldNameWhatToChangeIfTheTopicRefusesAMessage() throws IOException {
        String small = topic + "-small";
        topics.create(small, 1, Map.of("max.message.bytes", "120"));
        topic = small;
        OutputWriter writer = writer(KafkaFormat.JSON, null, TRADE);
        writer.open(1, ALL);
        writer.append(batch(0, 1));

        assertThatThrownBy(() -> writer.flush(at(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Set 'max.request.size' of the output");
    }

    @Test
    void shouldContinueAfterTheLastFlush() throws IOException {
        OutputWriter first = writer();
        first.open(1, ALL);
        first.append(batch(0, 10));
        first.flush(at(10));
        first.append(batch(10, 20_000)); // sent, and lost with the process
        assertThat(topics.transaction(ID)).isEqualTo(TransactionState.ONGOING);

        OutputWriter second = writer();
        assertThat(second.open(2, ALL)).isEqualTo(at(10));
        second.append(batch(10, 20));
        second.flush(at(20));

        assertThat(written()).isEqualTo(TRADES.subList(0, 20));
        assertThat(topics.committed(ID, topic, 0)).isEqualTo(at(20));
    }

    @Test
    void shouldEndTheTermOfAWriterThatWasReplaced() throws IOException {
        OutputWriter first = writer();
        first.open(1, ALL);
        first.append(batch(0, 10));
        first.flush(at(10));
        OutputWriter second = writer();
        assertThat(second.open(2, ALL)).isEqualTo(at(10));
        first.append(batch(10, 15));

        assertThatThrownBy(() -> first.flush(at(15))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> first.flush(at(15)))
                .isInstanceOf(StoreReopenedException.class)
                .hasMessageContaining("Another process has written to topic '" + topic + "' as '" + ID + "'.");
        second.append(batch(10, 20));
        flush(second, at(20)); // the first one has fenced it
        assertThat(written()).isEqualTo(TRADES.subList(0, 20));
    }

    /** Messages of an application have no position, so the same one comes with more records. */
    @Test
    void shouldWriteRecordsWithoutPositions() throws IOException {
        OutputWriter writer = writer();
        writer.open(1, ALL);
        for (int i = 0; i < 30; i += 10) {
            RecordBatch batch = batch(i, i + 10);
            batch.fill(batch.bytes(), 0, 10, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
            writer.append(batch);
            writer.flush(0);
        }
        assertThat(written()).isEqualTo(TRADES.subList(0, 30));
        assertThat(writer().open(2, ALL)).isZero();
    }

    @Test
    void shouldRefuseToDiscardMessages() throws IOException {
        OutputWriter first = writer();
        first.open(1, ALL);
        first.append(batch(0, 10));
        first.flush(at(10));
        first.close();

        assertThat(writer().open(2, at(10))).isEqualTo(at(10));
        assertThatThrownBy(() -> writer().open(3, at(9)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("up to position 390, and messages can't be removed from position 351 on.");
    }

    @Test
    void shouldWaitForATopic() throws IOException {
        topic = topic + "-missing";
        properties.put("max.block.ms", "2000");
        OutputWriter writer = writer();
        assertThatThrownBy(() -> writer.open(1, ALL))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Topic " + topic + " not present in metadata");
        topics.create(topic, 1);
        assertThat(writer.open(1, ALL)).isZero();
    }

    @Test
    void shouldRepeatATransactionThatHasTimedOut() throws IOException {
        properties.put("transaction.timeout.ms", "2000");
        OutputWriter writer = writer();
        writer.open(1, ALL);
        writer.append(batch(0, 20_000)); // more than is held back until the flush
        assertThat(topics.transaction(ID)).isEqualTo(TransactionState.ONGOING);
        await().until(() -> topics.transaction(ID) == TransactionState.COMPLETE_ABORT);
        assertThat(written()).isEmpty();

        flush(writer, at(20_000));
        assertThat(written()).isEqualTo(TRADES.subList(0, 20_000));
    }

    /** The broker has committed, but the writer does not learn it. */
    @Test
    void shouldNotRepeatATransactionThatWasCommitted() throws IOException {
        properties.put("max.block.ms", "1000");
        OutputWriter writer = writer();
        writer.open(1, ALL);
        writer.append(batch(0, 10));
        relay.loseCommit();
        assertThatThrownBy(() -> writer.flush(at(10))).isInstanceOf(IOException.class);
        assertThat(relay.hasLostCommit()).isTrue();
        assertThat(written()).isEqualTo(TRADES.subList(0, 10));

        writer.append(batch(10, 20));
        flush(writer, at(20));
        assertThat(written()).isEqualTo(TRADES.subList(0, 20));
        assertThat(topics.committed(ID, topic, 0)).isEqualTo(at(20));
    }

    @Test
    void shouldContinueAfterARestartOfTheBroker() throws IOException {
        OutputWriter writer = writer();
        writer.open(1, ALL);
        writer.append(batch(0, 20_000));
        broker.stop();
        writer.append(batch(20_000, 20_010));
        broker.start();
        flush(writer, at(20_010));
        assertThat(written()).isEqualTo(TRADES.subList(0, 20_010));
    }

    /** Any order of batches, flushes, restarts of writers and of the broker, against a list. */
    @Test
    void shouldContainEachRecordOnceInAnyOrderOfEvents() throws Exception {
        properties.put("max.block.ms", "1000");
        Random random = new Random(17);
        CompletableFuture<Void> restart = CompletableFuture.completedFuture(null);
        int restarts = 0;
        int flushed = 0;
        OutputWriter writer = writer();
        long epoch = 0;
        open(writer, ++epoch);
        while (flushed < TRADES.size()) {
            int appended = flushed;
            for (int i = random.nextInt(4); i >= 0; i--) {
                int next = Math.min(TRADES.size(), appended + random.nextInt(3_000));
                writer.append(batch(appended, next));
                appended = next;
            }
            if (random.nextInt(8) == 0) {
                restart.get();
                restart = CompletableFuture.runAsync(() -> {
                    broker.stop();
                    broker.start();
                });
                restarts++;
            }
            if (random.nextInt(4) > 0) {
                flush(writer, at(appended));
                flushed = appended;
            } else {
                if (random.nextBoolean()) {
                    writer.close();
                }
                writer = writer();
                assertThat(open(writer, ++epoch)).isEqualTo(at(flushed));
            }
        }
        restart.get();
        assertThat(restarts).isGreaterThan(1);
        assertThat(written()).isEqualTo(TRADES);
    }

    private static long open(OutputWriter writer, long epoch) {
        long[] position = {-1};
        await().until(() -> {
            try {
                position[0] = writer.open(epoch, ALL);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        return position[0];
    }

    @Test
    void shouldAskForAFlushOfManyRecords() throws IOException {
        OutputWriter writer = writer();
        writer.open(1, ALL);
        int batches = 0;
        while (!writer.isFull()) {
            writer.append(batch(0, 60_000));
            batches++;
        }
        writer.flush(at(60_000));
        assertThat(writer.isFull()).isFalse();
        assertThat(batches).isBetween(2, 5);
        assertThat(written()).hasSize(batches * 60_000);
        assertThat(IntStream.range(0, 3).mapToObj(i -> written().get(i)).toList())
                .isEqualTo(TRADES.subList(0, 3));
    }
}
