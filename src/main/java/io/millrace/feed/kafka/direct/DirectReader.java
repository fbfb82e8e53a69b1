package io.millrace.feed.kafka.direct;

import io.millrace.feed.kafka.read.PartitionReader;
import io.millrace.feed.kafka.read.Slice;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.AppInfoParser;
import org.jspecify.annotations.Nullable;

/**
 * Reads a partition from the responses of its leader, without an object for each message. While one response is read,
 * the next one arrives. Reads from leaders only.
 */
public final class DirectReader implements PartitionReader {

    /** Versions of Kafka's client with which the tests of this package were run. */
    private static final Set<String> KNOWN_CLIENTS = Set.of("4.1.2");

    /** After so long without a connection to the leader, it is assumed that no broker can be reached. */
    private static final long SILENCE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long MAX_POLL_MILLIS = 100;
    private static final int UNKNOWN = -1;
    /** After so many messages, what has arrived of the next response is received. */
    private static final int RECEIVE_AFTER = 2_048;

    private final TopicPartition partition;
    private final boolean committedOnly;
    private final FetchBuffers buffers;
    private final FetchClient client;
    private final RecordCursor cursor;

    /** Offset behind all batches of the last response, and the epoch of the last of them. */
    private long nextOffset;

    private int nextEpoch;
    /** The batches of the last response. */
    private @Nullable ByteBuffer reading;

    private long end;
    private long heldBack;
    private int taken;
    /** When the leader was connected last; the time of the first fetch after a pause of the caller. */
    private long connectedNanos;

    private long fetchedNanos;
    private volatile boolean woken;

    /**
     * Returns whether the version of Kafka's client on the class path is known to work.
     *
     * @param settings settings of the consumer: some of them only the consumer follows
     */
    public static boolean supports(Map<String, Object> settings) {
        return KNOWN_CLIENTS.contains(AppInfoParser.getVersion())
                && !settings.containsKey(ConsumerConfig.CLIENT_RACK_CONFIG)
                && !settings.containsKey(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    }

    /**
     * Connects when the first messages are fetched.
     *
     * @param settings settings of a consumer, with its deserializers
     * @param topicId ID of the topic: of another one with the same name, brokers from Kafka 3.1 on return nothing
     * @param position at which reading begins; the epoch of the message before it decides whether the broker still has
     *     what was read
     */
    public DirectReader(
            Map<String, Object> settings, TopicPartition partition, String topicId, OffsetAndMetadata position) {
        ConsumerConfig config = new ConsumerConfig(settings);
        this.partition = partition;
        IsolationLevel isolation =
                config.getString(ConsumerConfig.ISOLATION_LEVEL_CONFIG).equals(IsolationLevel.READ_COMMITTED.toString())
                        ? IsolationLevel.READ_COMMITTED
                        : IsolationLevel.READ_UNCOMMITTED;
        committedOnly = isolation == IsolationLevel.READ_COMMITTED;
        cursor = new RecordCursor(committedOnly, config.getBoolean(ConsumerConfig.CHECK_CRCS_CONFIG));
        nextOffset = position.offset();
        nextEpoch = position.leaderEpoch().orElse(UNKNOWN);
        cursor.begin(ByteBuffer.allocate(0), null, nextOffset);
        cursor.setEpoch(nextEpoch);
        int partitionBytes = config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG);
        buffers = new FetchBuffers(partitionBytes + (partitionBytes >> 4));
        client = new FetchClient(config, partition, Uuid.fromString(topicId), isolation, buffers);
    }

    @Override
    public boolean peek() {
        return cursor.peek();
    }

    @Override
    public void take() {
        cursor.take();
        if (++taken == RECEIVE_AFTER) {
            taken = 0;
            client.poll(0);
        }
    }

    @Override
    public long offset() {
        return cursor.offset();
    }

    @Override
    public byte[] bytes() {
        return cursor.bytes();
    }

    @Override
    public int start() {
        return cursor.start();
    }

    @Override
    public int length() {
        return cursor.length();
    }

    @Override
    public long timestamp() {
        return cursor.timestamp();
    }

    @Override
    public void key(Slice key) {
        cursor.key(key);
    }

    @Override
    public void header(byte[] name, Slice value) {
        cursor.header(name, value);
    }

    @Override
    public List<Header> headers() {
        return cursor.headers();
    }

    @Override
    public long position() {
        return cursor.position();
    }

    @Override
    public int epoch() {
        return cursor.epoch();
    }

    @Override
    public long lag() {
        return Math.max(0, end - position());
    }

    @Override
    public long heldBack() {
        return heldBack;
    }

    @Override
    public boolean fetch(Duration wait) {
        long begin = System.nanoTime();
        if (fetchedNanos == 0 || begin - fetchedNanos > SILENCE_NANOS) {
            connectedNanos = begin;
        }
        long now = begin;
        boolean received;
        do {
            received = receive(remaining(wait, now - begin));
            now = System.nanoTime();
            if (received || client.isConnected()) {
                connectedNanos = now;
            }
        } while (!received && !woken && now - begin < wait.toNanos());
        woken = false;
        fetchedNanos = now;
        return now - connectedNanos < SILENCE_NANOS;
    }

    private static long remaining(Duration wait, long passedNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(wait.toNanos() - passedNanos);
        return Math.clamp(millis, 0, MAX_POLL_MILLIS);
    }

    /** Waits for the response, and begins with it. Returns whether there was one. */
    private boolean receive(long maxMillis) {
        client.request(nextOffset, nextEpoch);
        if (!client.hasResponse()) {
            client.poll(woken ? 0 : maxMillis);
        }
        PartitionData response = client.takeResponse();
        return response != null && begin(response);
    }

    private boolean begin(PartitionData response) {
        Errors error = Errors.forCode(response.errorCode());
        switch (error) {
            case NONE -> {}
            case NOT_LEADER_OR_FOLLOWER,
                    REPLICA_NOT_AVAILABLE,
                    KAFKA_STORAGE_ERROR,
                    FENCED_LEADER_EPOCH,
                    UNKNOWN_LEADER_EPOCH,
                    OFFSET_NOT_AVAILABLE -> {
                client.retryLater();
                return false;
            }
            case OFFSET_OUT_OF_RANGE -> throw new OffsetOutOfRangeException(Map.of(partition, nextOffset));
            default -> throw error.exception();
        }
        if (FetchResponse.isDivergingEpoch(response)) {
            diverge(response.divergingEpoch());
            return false;
        }
        end = committedOnly ? response.lastStableOffset() : response.highWatermark();
        heldBack = Math.max(0, response.highWatermark() - end);
        begin(
                FetchResponse.recordsOrFail(response) instanceof MemoryRecords records ? records : MemoryRecords.EMPTY,
                response);
        client.request(nextOffset, nextEpoch);
        client.poll(0); // sends it
        return true;
    }

    /** Continues if only messages have gone that were not read. */
    private void diverge(EpochEndOffset common) {
        if (common.endOffset() < nextOffset) {
            OffsetAndMetadata end = new OffsetAndMetadata(common.endOffset(), Optional.of(common.epoch()), "");
            throw new LogTruncationException(Map.of(partition, nextOffset), Map.of(partition, end));
        }
        nextEpoch = common.epoch();
        cursor.setEpoch(nextEpoch);
    }

    private void begin(MemoryRecords records, PartitionData response) {
        ByteBuffer read = reading;
        if (read != null) {
            buffers.release(read);
        }
        ByteBuffer batches = records.buffer();
        reading = batches;
        cursor.begin(batches, response.abortedTransactions(), nextOffset);
        skim(batches.array(), batches.arrayOffset() + batches.position(), batches.arrayOffset() + batches.limit());
    }

    /** Finds where the next response begins. */
    private void skim(byte[] bytes, int start, int limit) {
        int batch = start;
        while (BatchHeader.isWhole(bytes, batch, limit) && BatchHeader.isValid(bytes, batch)) {
            nextOffset = Math.max(nextOffset, BatchHeader.endOffset(bytes, batch));
            nextEpoch = BatchHeader.leaderEpoch(bytes, batch);
            batch += BatchHeader.size(bytes, batch);
        }
    }

    @Override
    public void wake() {
        woken = true;
        client.wake();
    }

    @Override
    public void close() {
        try (client) {
            cursor.close();
        }
    }
}
