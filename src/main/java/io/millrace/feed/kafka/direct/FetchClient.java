package io.millrace.feed.kafka.direct;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.Metadata.LeaderAndEpoch;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Requests the messages of a partition from its leader, one request at a time. Connects, authenticates and finds the
 * leader by classes of Kafka's client. Not thread-safe, except for {@link #wake()}.
 */
final class FetchClient implements AutoCloseable {

    private static final int UNKNOWN = -1;

    private final TopicPartition partition;
    private final Uuid topicId;
    private final IsolationLevel isolation;
    private final int maxWait;
    private final int minBytes;
    private final int maxBytes;
    private final int partitionBytes;
    private final int requestTimeout;
    private final long retryBackoff;
    private final Time time = Time.SYSTEM;
    private final Metrics metrics = new Metrics();
    private final TopicMetadata metadata;
    private final NetworkClient client;

    private boolean requested;
    private long requestNotBefore;
    private @Nullable PartitionData response;
    private @Nullable RuntimeException failure;

    FetchClient(
            ConsumerConfig config,
            TopicPartition partition,
            Uuid topicId,
            IsolationLevel isolation,
            FetchBuffers buffers) {
        this.partition = partition;
        this.topicId = topicId;
        this.isolation = isolation;
        maxWait = config.getInt(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG);
        minBytes = config.getInt(ConsumerConfig.FETCH_MIN_BYTES_CONFIG);
        maxBytes = config.getInt(ConsumerConfig.FETCH_MAX_BYTES_CONFIG);
        partitionBytes = config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG);
        requestTimeout = config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        retryBackoff = config.getLong(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG);
        LogContext log = new LogContext("[" + partition + "] ");
        metadata = new TopicMetadata(config, partition.topic(), log);
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
        client = new NetworkClient(
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

    /**
     * Requests messages, unless a response is expected or has not been taken, or the leader can't be reached yet.
     * {@link #poll} sends the request.
     *
     * @param epoch epoch of the leader that belongs to the offset; -1 if it is not known
     */
    void request(long offset, int epoch) {
        long now = time.milliseconds();
        if (requested || response != null || now < requestNotBefore) {
            return;
        }
        LeaderAndEpoch leader = metadata.currentLeader(partition);
        Node node = leader.leader.orElse(null);
        if (node == null) {
            metadata.requestUpdate(false);
        } else if (client.ready(node, now)) {
            FetchRequest.PartitionData requestedPart = new FetchRequest.PartitionData(
                    topicId,
                    offset,
                    FetchRequest.INVALID_LOG_START_OFFSET,
                    partitionBytes,
                    leader.epoch,
                    epoch == UNKNOWN ? Optional.empty() : Optional.of(epoch));
            FetchRequest.Builder request = FetchRequest.Builder.forConsumer(
                            ApiKeys.FETCH.latestVersion(), maxWait, minBytes, Map.of(partition, requestedPart))
                    .isolationLevel(isolation)
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

    private void complete(ClientResponse completed) {
        requested = false;
        if (completed.wasDisconnected()) {
            metadata.requestUpdate(false);
        } else if (completed.versionMismatch() != null) {
            failure = completed.versionMismatch();
        } else if (completed.responseBody() instanceof FetchResponse fetched) {
            if (fetched.error() != Errors.NONE) {
                failure = fetched.error().exception();
            } else {
                // A broker that limits the rate of this client sends a response without topics.
                List<FetchableTopicResponse> topics = fetched.data().responses();
                response =
                        topics.isEmpty() ? null : topics.getFirst().partitions().getFirst();
            }
        }
    }

    /** Sends and receives, and waits so long if nothing has arrived. */
    void poll(long maxMillis) {
        client.poll(maxMillis, time.milliseconds());
    }

    /** Returns the response if it has arrived, once. */
    @Nullable
    PartitionData takeResponse() {
        metadata.maybeThrowAnyException();
        RuntimeException failed = failure;
        PartitionData taken = response;
        failure = null;
        response = null;
        if (failed != null) {
            throw failed;
        }
        return taken;
    }

    /** Returns whether a response has arrived and was not taken. */
    boolean hasResponse() {
        return response != null;
    }

    /** Finds the leader again, and requests nothing for a short time. */
    void retryLater() {
        metadata.requestUpdate(false);
        requestNotBefore = time.milliseconds() + retryBackoff;
    }

    /** Returns whether the leader is connected. It is while it delays responses because of a quota. */
    boolean isConnected() {
        Node leader = metadata.currentLeader(partition).leader.orElse(null);
        long now = time.milliseconds();
        return requested
                || (leader != null && (client.isReady(leader, now) || client.throttleDelayMs(leader, now) > 0));
    }

    void wake() {
        client.wakeup();
    }

    @Override
    public void close() {
        try (client;
                metadata) {
            metrics.close();
        }
    }
}
