package io.millrace.feed.kafka.direct;

import io.millrace.feed.kafka.read.PartitionReader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.Metadata.LeaderAndEpoch;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Reads a partition from the responses of its leader, without an object for each message. While one response is read,
 * the next one arrives. Connects, authenticates and finds the leader by classes of Kafka's client. Reads from leaders
 * only.
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
    private final Uuid topicId;
    private final boolean committedOnly;
    private final int maxWait;
    private final int minBytes;
    private final int maxBytes;
    private final int partitionBytes;
    private final int requestTimeout;
    private final long retryBackoff;
    private final Time time = Time.SYSTEM;
    private final Metrics metrics = new Metrics();
    private final TopicMetadata metadata;
    private final FetchBuffers buffers;
    private final NetworkClient client;
    private final RecordCursor cursor;

    /** Offset behind all batches of the last response, and the epoch of the last of them. */
    private long nextOffset;

    private int nextEpoch;
    private boolean requested;
    private FetchResponseData.@Nullable PartitionData arrived;
    private @Nullable RuntimeException failure;
    private @Nullable ByteBuffer reading;
    private long end;
    private long heldBack;
    private int taken;
    /** When the leader was connected last; the time of the first fetch after a pause of the caller. */
    private long connectedNanos;

    private long fetchedNanos;
    private long requestNotBefore;
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
        this.topicId = Uuid.fromString(topicId);
        committedOnly = config.getString(ConsumerConfig.ISOLATION_LEVEL_CONFIG)
                .equals(IsolationLevel.READ_COMMITTED.toString());
        maxWait = config.getInt(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
        minBytes = config.getInt(ConsumerConfig.FETCH_MIN_BYTES_CONFIG);
        maxBytes = config.getInt(ConsumerConfig.FETCH_MAX_BYTES_CONFIG);
        partitionBytes = config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG);
        requestTimeout = config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        retryBackoff = config.getLong(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG);
        cursor = new RecordCursor(committedOnly, config.getBoolean(ConsumerConfig.CHECK_CRCS_CONFIG));
        nextOffset = position.offset();
        nextEpoch = position.leaderEpoch().orElse(UNKNOWN);
        cursor.begin(ByteBuffer.allocate(0), null, nextOffset);
        cursor.setEpoch(nextEpoch);
        LogContext log = new LogContext("[" + partition + "] ");
        metadata = new TopicMetadata(config, partition.topic(), log);
        buffers = new FetchBuffers(partitionBytes + (partitionBytes >> 4));
        client = connect(config, log);
    }

    private NetworkClient connect(ConsumerConfig config, LogContext log) {
        Selector selector = new Selector(
                NetworkReceive.UNLIMITED,
                config.getLong(CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG),
                metrics,
                time,
                "millrace-fetch",
                Map.of(),
                false,
                false,
                ClientUtils.createChannelBuilder(config, time, log),
                buffers,
                log);
        return new NetworkClient(
                selector,
                metadata,
                Objects.requireNonNull(config.getString(CommonClientConfigs.CLIENT_ID_CONFIG)),
                1,
                config.getLong(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG),
                config.getLong(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG),
                config.getInt(CommonClientConfigs.SEND_BUFFER_CONFIG),
                config.getInt(CommonClientConfigs.RECEIVE_BUFFER_CONFIG),
                requestTimeout,
                config.getLong(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG),
                config.getLong(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG),
                time,
                true,
                new ApiVersions(),
                log,
                MetadataRecoveryStrategy.NONE);
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
            client.poll(0, time.milliseconds());
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
            if (received || isConnected()) {
                connectedNanos = now;
            }
        } while (!received && !woken && now - begin < wait.toNanos());
        woken = false;
        fetchedNanos = now;
        return now - connectedNanos < SILENCE_NANOS;
    }

    /** Returns whether the leader is connected. It is while it delays responses because of a quota. */
    private boolean isConnected() {
        Node leader = metadata.currentLeader(partition).leader.orElse(null);
        long now = time.milliseconds();
        return requested
                || (leader != null && (client.isReady(leader, now) || client.throttleDelayMs(leader, now) > 0));
    }

    private static long remaining(Duration wait, long passedNanos) {
        long millis = TimeUnit.NANOSECONDS.toMillis(wait.toNanos() - passedNanos);
        return Math.clamp(millis, 0, MAX_POLL_MILLIS);
    }

    /** Waits for the response, and begins with it. Returns whether there was one. */
    private boolean receive(long maxMillis) {
        request();
        if (arrived == null) {
            client.poll(woken ? 0 : maxMillis, time.milliseconds());
            metadata.maybeThrowAnyException();
        }
        RuntimeException failed = failure;
        if (failed != null) {
            failure = null;
            throw failed;
        }
        FetchResponseData.PartitionData response = arrived;
        if (response == null) {
            return false;
        }
        arrived = null;
        return begin(response);
    }

    private boolean begin(FetchResponseData.PartitionData response) {
        Errors error = Errors.forCode(response.errorCode());
        switch (error) {
            case NONE -> {}
            case NOT_LEADER_OR_FOLLOWER,
                    REPLICA_NOT_AVAILABLE,
                    KAFKA_STORAGE_ERROR,
                    FENCED_LEADER_EPOCH,
                    UNKNOWN_LEADER_EPOCH,
                    OFFSET_NOT_AVAILABLE -> {
                metadata.requestUpdate(false);
                requestNotBefore = time.milliseconds() + retryBackoff;
                return false;
            }
            case OFFSET_OUT_OF_RANGE -> throw new OffsetOutOfRangeException(Map.of(partition, nextOffset));
            default -> throw error.exception();
        }
        if (FetchResponse.isDivergingEpoch(response)) {
            long common = response.divergingEpoch().endOffset();
            if (common >= nextOffset) {
                // Only what was not read yet has gone.
                nextEpoch = response.divergingEpoch().epoch();
                cursor.setEpoch(nextEpoch);
                return false;
            }
            throw new LogTruncationException(
                    Map.of(partition, nextOffset),
                    Map.of(
                            partition,
                            new OffsetAndMetadata(
                                    common,
                                    Optional.of(response.divergingEpoch().epoch()),
                                    "")));
        }
        end = committedOnly ? response.lastStableOffset() : response.highWatermark();
        heldBack = Math.max(0, response.highWatermark() - end);
        begin(
                FetchResponse.recordsOrFail(response) instanceof MemoryRecords records ? records : MemoryRecords.EMPTY,
                response);
        request();
        client.poll(0, time.milliseconds()); // sends it
        return true;
    }

    private void begin(MemoryRecords records, FetchResponseData.PartitionData response) {
        ByteBuffer read = reading;
        if (read != null) {
            buffers.release(read);
        }
        ByteBuffer batches = records.buffer();
        reading = batches;
        cursor.begin(batches, response.abortedTransactions(), nextOffset);
        skim(batches);
    }

    /** Finds where the next response begins. */
    private void skim(ByteBuffer batches) {
        int at = batches.position();
        while (RecordCursor.isWhole(batches, at)) {
            nextOffset = Math.max(nextOffset, RecordCursor.end(batches, at));
            nextEpoch = RecordCursor.epoch(batches, at);
            at += RecordCursor.size(batches, at);
        }
    }

    /** Requests the next response, unless one is expected or has not been begun. */
    private void request() {
        long now = time.milliseconds();
        if (requested || arrived != null || now < requestNotBefore) {
            return;
        }
        LeaderAndEpoch leader = metadata.currentLeader(partition);
        Node node = leader.leader.orElse(null);
        if (node == null) {
            metadata.requestUpdate(false);
        } else if (client.ready(node, now)) {
            FetchRequest.Builder request = FetchRequest.Builder.forConsumer(
                            ApiKeys.FETCH.latestVersion(),
                            maxWait,
                            minBytes,
                            Map.of(
                                    partition,
                                    new FetchRequest.PartitionData(
                                            topicId,
                                            nextOffset,
                                            FetchRequest.INVALID_LOG_START_OFFSET,
                                            partitionBytes,
                                            leader.epoch,
                                            nextEpoch == UNKNOWN ? Optional.empty() : Optional.of(nextEpoch))))
                    .isolationLevel(committedOnly ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED)
                    .setMaxBytes(maxBytes)
                    .metadata(FetchMetadata.LEGACY);
            requested = true;
            client.send(
                    client.newClientRequest(node.idString(), request, now, true, requestTimeout, this::complete), now);
        } else {
            AuthenticationException refused = client.authenticationException(node);
            if (refused != null) {
                throw refused;
            }
            if (client.connectionFailed(node)) {
                metadata.requestUpdate(false);
            }
        }
    }

    private void complete(ClientResponse response) {
        requested = false;
        if (response.wasDisconnected()) {
            metadata.requestUpdate(false);
        } else if (response.versionMismatch() != null) {
            failure = response.versionMismatch();
        } else if (response.responseBody() instanceof FetchResponse fetched) {
            if (fetched.error() != Errors.NONE) {
                failure = fetched.error().exception();
            } else {
                List<FetchResponseData.FetchableTopicResponse> topics =
                        fetched.data().responses();
                arrived =
                        topics.isEmpty() ? null : topics.getFirst().partitions().getFirst();
            }
        }
    }

    @Override
    public void wake() {
        woken = true;
        client.wakeup();
    }

    @Override
    public void close() {
        try (cursor;
                client;
                metadata) {
            metrics.close();
        }
    }
}
