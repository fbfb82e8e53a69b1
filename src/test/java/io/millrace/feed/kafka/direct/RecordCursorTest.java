package io.millrace.feed.kafka.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.TestBudget;
import io.millrace.feed.kafka.read.Slice;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.ControlRecordType;
import org.apache.kafka.common.record.DefaultRecordBatch;
import org.apache.kafka.common.record.EndTransactionMarker;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Responses that Kafka's own classes have written, compared with what was written. */
class RecordCursorTest {

    private static final int LOGS = TestBudget.of(2_000);
    private static final int COMPRESSIONS = CompressionType.values().length;

    private record Message(long offset, String text) {

        /** Describes a message as Kafka reads it. */
        static Message of(Record record) {
            return new Message(
                    record.offset(),
                    text(record.timestamp(), bytes(record.key()), bytes(record.value()), List.of(record.headers())));
        }

        private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
            return buffer == null ? null : Utils.toArray(buffer);
        }

        static String text(long time, byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
            return time + " " + hex(key) + " " + hex(value) + " "
                    + headers.stream()
                            .map(header -> header.key() + "=" + hex(header.value()))
                            .toList();
        }

        static String hex(byte @Nullable [] bytes) {
            return bytes == null ? "-" : HexFormat.of().formatHex(bytes);
        }
    }

    /** A batch in a log. */
    private record Batch(long first, long last, int epoch, int from, int to, List<Message> messages) {}

    private record Aborted(long producer, long first, long marker) {}

    /** A part of a partition, with everything that it may contain. */
    private static final class Log {

        private final Random random;
        private final ByteBuffer bytes = ByteBuffer.allocate(4 << 20);
        private final List<Batch> batches = new ArrayList<>();
        private final List<Aborted> aborted = new ArrayList<>();
        /** First offsets of open transactions by their producers, and whether they will be aborted. */
        private final Map<Long, Long> open = new HashMap<>();

        private final Map<Long, Boolean> aborts = new HashMap<>();
        private long next;
        private int epoch;

        Log(long seed) {
            random = new Random(seed);
            next = random.nextInt(1_000);
            writeEmpty(-1);
            for (int i = random.nextInt(12); i >= 0; i--) {
                write();
            }
            List.copyOf(open.keySet()).forEach(this::endTransaction);
        }

        private void write() {
            epoch += random.nextInt(8) == 0 ? 1 : 0;
            next += random.nextInt(6) == 0 ? random.nextInt(50) : 0;
            long producer = random.nextInt(4) - 1L;
            switch (random.nextInt(10)) {
                case 0 -> {
                    if (open.containsKey(producer)) {
                        endTransaction(producer);
                    }
                }
                case 1 -> writeEmpty(producer);
                default -> {
                    boolean transactional = producer > 0 && (open.containsKey(producer) || random.nextBoolean());
                    if (transactional && !open.containsKey(producer)) {
                        open.put(producer, next);
                        aborts.put(producer, random.nextBoolean());
                    }
                    write(producer, transactional);
                }
            }
        }

        private Compression compression() {
            return random.nextInt(3) == 0
                    ? Compression.NONE
                    : Compression.of(CompressionType.forId(random.nextInt(COMPRESSIONS)))
                            .build();
        }

        private MemoryRecordsBuilder builder(ByteBuffer target, long producer, boolean transactional) {
            return MemoryRecords.builder(
                    target,
                    RecordBatch.MAGIC_VALUE_V2,
                    compression(),
                    random.nextBoolean() ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME,
                    next,
                    1_700_000_000_000L,
                    producer,
                    producer < 0 ? RecordBatch.NO_PRODUCER_EPOCH : (short) 3,
                    producer < 0 ? RecordBatch.NO_SEQUENCE : 8,
                    transactional,
                    epoch);
        }

        private void write(long producer, boolean transactional) {
            ByteBuffer target = ByteBuffer.allocate(1 << 20);
            long first = next;
            long last;
            try (MemoryRecordsBuilder builder = builder(target, producer, transactional)) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                    next += random.nextInt(5) == 0 ? random.nextInt(300) : 0; // compaction has removed some
                    long time = 1_700_000_000_000L + random.nextInt() * 3L;
                    builder.appendWithOffset(next, time, key(), value(), headers());
                    next++;
                }
                next += random.nextInt(5) == 0 ? random.nextInt(300) : 0;
                last = next - 1;
                builder.overrideLastOffset(last);
                boolean left = transactional && Boolean.TRUE.equals(aborts.get(producer));
                MemoryRecords built = builder.build();
                List<Message> messages = new ArrayList<>();
                built.records().forEach(record -> messages.add(Message.of(record)));
                add(built, first, last, left ? List.of() : messages);
            }
        }

        private byte @Nullable [] value() {
            int length = random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(200);
            byte[] value = new byte[length];
            if (random.nextBoolean()) {
                random.nextBytes(value);
            }
            return random.nextInt(10) == 0 ? null : value;
        }

        private byte @Nullable [] key() {
            return random.nextInt(3) == 0 ? new byte[random.nextInt(100)] : null;
        }

        private Header[] headers() {
            Header[] headers = new Header[random.nextInt(4)];
            Arrays.setAll(
                    headers,
                    i -> new RecordHeader("name" + random.nextInt(3), i == 0 ? null : new byte[random.nextInt(300)]));
            return headers;
        }

        /** A batch whose messages compaction has removed. */
        private void writeEmpty(long producer) {
            ByteBuffer target = ByteBuffer.allocate(100);
            long last = next + random.nextInt(10);
            DefaultRecordBatch.writeEmptyHeader(
                    target,
                    RecordBatch.MAGIC_VALUE_V2,
                    producer,
                    (short) 3,
                    8,
                    next,
                    last,
                    epoch,
                    TimestampType.CREATE_TIME,
                    1_700_000_000_000L,
                    open.containsKey(producer),
                    false);
            target.flip();
            add(MemoryRecords.readableRecords(target), next, last, List.of());
        }

        private void endTransaction(long producer) {
            boolean aborting = Boolean.TRUE.equals(aborts.get(producer));
            long first = Objects.requireNonNull(open.remove(producer));
            if (aborting) {
                aborted.add(new Aborted(producer, first, next));
            }
            EndTransactionMarker marker =
                    new EndTransactionMarker(aborting ? ControlRecordType.ABORT : ControlRecordType.COMMIT, 1);
            add(
                    MemoryRecords.withEndTransactionMarker(
                            next, 1_700_000_000_000L, epoch, producer, (short) 3, marker),
                    next,
                    next,
                    List.of());
        }

        private void add(MemoryRecords records, long first, long last, List<Message> messages) {
            int from = bytes.position();
            bytes.put(records.buffer());
            batches.add(new Batch(first, last, epoch, from, bytes.position(), messages));
            next = last + 1;
        }

        /** The transactions that a broker lists for messages from an offset on, in the order of their markers. */
        List<AbortedTransaction> abortedFrom(long offset) {
            return aborted.stream()
                    .filter(one -> one.marker >= offset)
                    .map(one ->
                            new AbortedTransaction().setProducerId(one.producer).setFirstOffset(one.first))
                    .toList();
        }
    }

    private static List<Message> read(RecordCursor cursor) {
        List<Message> read = new ArrayList<>();
        while (cursor.peek()) {
            assertThat(cursor.position()).isEqualTo(cursor.offset());
            int length = cursor.length();
            byte[] value =
                    length < 0 ? null : Arrays.copyOfRange(cursor.bytes(), cursor.start(), cursor.start() + length);
            Slice key = new Slice();
            cursor.key(key);
            requireHeaders(cursor);
            read.add(new Message(
                    cursor.offset(), Message.text(cursor.timestamp(), bytes(key), value, cursor.headers())));
            cursor.take();
        }
        return read;
    }

    private static byte @Nullable [] bytes(Slice slice) {
        return slice.isPresent()
                ? Arrays.copyOfRange(slice.bytes(), slice.start(), slice.start() + slice.length())
                : null;
    }

    /** Kafka's consumer returns the last header of a name. */
    private static void requireHeaders(RecordCursor cursor) {
        RecordHeaders headers = new RecordHeaders(cursor.headers());
        for (String name : List.of("name0", "name1", "name2", "name")) {
            Slice found = new Slice();
            cursor.header(name.getBytes(StandardCharsets.UTF_8), found);
            Header last = headers.lastHeader(name);
            assertThat(bytes(found)).isEqualTo(last == null ? null : last.value());
        }
    }

    /** A response begins at any batch of the log and ends anywhere; the offset that was asked for is in the batch. */
    @Test
    void shouldReadWhatWasWritten() {
        Random random = new Random(TestBudget.seed());
        RecordCursor cursor = new RecordCursor(true, true);
        for (int i = 0; i < LOGS; i++) {
            long seed = random.nextLong();
            Log log = new Log(seed);
            int at = random.nextInt(log.batches.size());
            Batch first = log.batches.get(at);
            long from = first.first + random.nextLong(first.last - first.first + 1);
            int end = log.bytes.position();
            end -= random.nextBoolean() ? 0 : random.nextInt(end - first.from);
            // Behind other bytes, as in a response.
            byte[] response = new byte[end - first.from + 7];
            log.bytes.get(first.from, response, 7, end - first.from);

            List<Message> expected = new ArrayList<>();
            long position = from;
            int epoch = -1;
            for (Batch batch : log.batches.subList(at, log.batches.size())) {
                if (batch.to <= end) {
                    batch.messages.stream()
                            .filter(message -> message.offset >= from)
                            .forEach(expected::add);
                    position = batch.last + 1;
                    epoch = batch.epoch;
                }
            }
            cursor.setEpoch(-1);
            cursor.begin(ByteBuffer.wrap(response, 7, response.length - 7).slice(), log.abortedFrom(from), from);
            assertThat(read(cursor)).as("seed %d", seed).isEqualTo(expected);
            assertThat(cursor.position()).as("seed %d", seed).isEqualTo(position);
            assertThat(cursor.epoch()).as("seed %d", seed).isEqualTo(epoch);
        }
    }

    @Test
    void shouldReadMessagesOfAbortedTransactionsIfAllAreWanted() {
        ByteBuffer bytes;
        try (MemoryRecordsBuilder builder =
                MemoryRecords.builder(ByteBuffer.allocate(1_000), Compression.NONE, 5, 7, (short) 1, 0, true)) {
            builder.append(0, null, new byte[] {1});
            bytes = builder.build().buffer();
        }
        List<AbortedTransaction> aborted =
                List.of(new AbortedTransaction().setProducerId(7).setFirstOffset(5));
        RecordCursor all = new RecordCursor(false, true);
        all.begin(bytes, aborted, 5);
        assertThat(read(all)).containsExactly(new Message(5, Message.text(0, null, new byte[] {1}, List.of())));
        RecordCursor committed = new RecordCursor(true, true);
        committed.begin(bytes, aborted, 5);
        assertThat(read(committed)).isEmpty();
        assertThat(committed.position()).isEqualTo(6);
    }

    /** Any byte may be another one: the checksum finds it. Without the check, every error is one of Kafka. */
    @Test
    void shouldReportCorruptResponses() {
        Random random = new Random(TestBudget.seed());
        int found = 0;
        for (int i = 0; i < LOGS; i++) {
            Log log = new Log(random.nextLong());
            byte[] response = Arrays.copyOf(log.bytes.array(), log.bytes.position());
            int changed = random.nextInt(response.length);
            response[changed] ^= (byte) (1 + random.nextInt(255));
            for (boolean checks : new boolean[] {true, false}) {
                RecordCursor cursor = new RecordCursor(true, checks);
                cursor.begin(ByteBuffer.wrap(response), log.abortedFrom(0), 0);
                try {
                    read(cursor);
                } catch (CorruptRecordException e) {
                    found += checks ? 1 : 0;
                } catch (KafkaException e) {
                    if (checks) {
                        assertThat(e).hasMessageContaining("direct: false");
                    }
                }
            }
        }
        assertThat(found).isGreaterThan(LOGS * 3 / 4);
    }

    /** What comes before a corrupt batch is read, and what comes behind it never is. */
    @Test
    void shouldReadUpToACorruptBatch() {
        ByteBuffer bytes = ByteBuffer.allocate(1_000);
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            bytes.put(MemoryRecords.withRecords(
                            10 + 2L * i,
                            Compression.zstd().build(),
                            new SimpleRecord(new byte[] {1}),
                            new SimpleRecord(new byte[] {2}))
                    .buffer());
            ends.add(bytes.position());
        }
        bytes.flip();
        int inSecond = ends.get(1) - 1;
        bytes.put(inSecond, (byte) (bytes.get(inSecond) + 1));
        RecordCursor cursor = new RecordCursor(true, true);
        cursor.begin(bytes, null, 10);
        for (long offset = 10; offset < 12; offset++) {
            assertThat(cursor.peek()).isTrue();
            assertThat(cursor.position()).isEqualTo(offset);
            cursor.take();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(cursor.position()).isEqualTo(12);
            assertThatThrownBy(cursor::peek).isInstanceOf(CorruptRecordException.class);
        }
        cursor.begin(bytes, null, 10);
        assertThat(cursor.peek()).isTrue();
        cursor.close(); // in the middle of a batch
        cursor.begin(bytes, null, 11);
        assertThat(cursor.position()).isEqualTo(11);
    }

    @Test
    void shouldRefuseTheFormatBeforeKafka11() {
        MemoryRecords old = MemoryRecords.withRecords(
                RecordBatch.MAGIC_VALUE_V1, 3, Compression.NONE, new SimpleRecord(new byte[] {1}));
        RecordCursor cursor = new RecordCursor(true, true);
        cursor.begin(old.buffer(), null, 3);
        assertThatThrownBy(cursor::peek).isInstanceOf(KafkaException.class).hasMessageContaining("Set direct: false");
    }
}
