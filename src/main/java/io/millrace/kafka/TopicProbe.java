package io.millrace.kafka;

import io.millrace.extension.ConnectionCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether brokers have a topic, by requests that describe. Reads no messages, commits no offsets and creates no
 * topic. Not thread-safe.
 */
public final class TopicProbe {

    /** Shorter than the check may take, to report which broker does not answer. */
    private static final Duration TIMEOUT = ConnectionCheck.TIMEOUT.minusSeconds(2);

    private final KafkaConnection connection;
    private final String topic;
    private final ConnectionCheck check;

    public TopicProbe(KafkaConnection connection, String topic, ConnectionCheck check) {
        this.connection = connection;
        this.topic = topic;
        this.check = check;
    }

    /** Requests to brokers. */
    private interface Requests {
        void send(Admin admin);
    }

    /**
     * Checks a topic that is read.
     *
     * @param oneOfSeveral whether other topics are checked likewise
     * @param refusal returns why a topic with so many partitions can't be read, or null if it can
     * @param group consumer group that shows the position; null for none
     * @throws IOException if no broker can describe the topic
     */
    public void read(boolean oneOfSeveral, IntFunction<@Nullable String> refusal, @Nullable String group)
            throws IOException {
        run(admin -> {
            Set<TopicPartition> found = describe(admin, AclOperation.READ);
            String refused = refusal.apply(found.size());
            if (refused != null) {
                check.failed(refused);
            } else if (!found.isEmpty()) {
                check.ok(count(found.size(), "partition") + (oneOfSeveral ? " of " + topic : "") + ", "
                        + messages(admin, found));
            }
            if (group != null) {
                warnOfMembers(admin, group);
            }
        });
    }

    /**
     * Checks a topic that is written to.
     *
     * @throws IOException if no broker can describe the topic
     */
    public void write() throws IOException {
        run(admin -> {
            Set<TopicPartition> found = describe(admin, AclOperation.WRITE);
            if (!found.isEmpty()) {
                check.ok(count(found.size(), "partition"));
            }
        });
    }

    private void run(Requests requests) throws IOException {
        Admin admin;
        try {
            admin = Admin.create(connection.adminSettings("millrace-check", TIMEOUT));
        } catch (KafkaException e) {
            throw new IOException("Kafka at " + connection + " failed", reason(e));
        }
        try {
            requests.send(admin);
        } catch (UnknownTopicOrPartitionException e) {
            check.failed("The brokers at " + connection + " have no topic '" + topic + "'.");
        } catch (TopicAuthorizationException e) {
            check.failed("The user has no permission to describe topic '" + topic + "'. Allow it.");
        } catch (TimeoutException e) {
            check.failed("No broker at " + connection + " answers within " + TIMEOUT.toSeconds()
                    + " s. Check the addresses, and 'security.protocol' under 'properties'.");
        } catch (KafkaException e) {
            throw new IOException("Kafka at " + connection + " failed", e);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    /** Returns the cause of a client that can't be created, without messages that say only this. */
    private static Throwable reason(KafkaException failure) {
        Throwable reason = failure;
        while (reason.getCause() != null && String.valueOf(reason.getMessage()).startsWith("Failed to create new ")) {
            reason = reason.getCause();
        }
        return reason;
    }

    /** Returns the partitions, or an empty set after a failure was reported. */
    private Set<TopicPartition> describe(Admin admin, AclOperation needed) {
        TopicDescription found =
                get(admin.describeTopics(List.of(topic), new DescribeTopicsOptions().includeAuthorizedOperations(true))
                        .topicNameValues()
                        .get(topic));
        Set<AclOperation> allowed = found.authorizedOperations();
        if (allowed != null && !allowed.isEmpty() && !allowed.contains(needed)) { // Older brokers return none.
            check.failed("The user has no permission to " + needed.name().toLowerCase(Locale.ROOT) + " topic '" + topic
                    + "'. Allow it.");
            return Set.of();
        }
        List<Integer> leaderless = found.partitions().stream()
                .filter(partition -> partition.leader() == null)
                .map(TopicPartitionInfo::partition)
                .toList();
        if (!leaderless.isEmpty()) {
            check.failed(
                    "Partitions of topic '" + topic + "' have no leader: " + leaderless + ". Start their brokers.");
            return Set.of();
        }
        return found.partitions().stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .collect(Collectors.toSet());
    }

    private static String messages(Admin admin, Set<TopicPartition> partitions) {
        Map<TopicPartition, ListOffsetsResultInfo> first = offsets(admin, partitions, OffsetSpec.earliest());
        Map<TopicPartition, ListOffsetsResultInfo> next = offsets(admin, partitions, OffsetSpec.latest());
        long messages = sum(next) - sum(first);
        return messages <= 0
                ? "no messages"
                : "at most " + count(messages, "message") + ", first offset "
                        + first.values().stream()
                                .mapToLong(ListOffsetsResultInfo::offset)
                                .min()
                                .orElseThrow();
    }

    private static Map<TopicPartition, ListOffsetsResultInfo> offsets(
            Admin admin, Set<TopicPartition> partitions, OffsetSpec which) {
        return get(admin.listOffsets(partitions.stream().collect(Collectors.toMap(partition -> partition, _ -> which)))
                .all());
    }

    private static long sum(Map<TopicPartition, ListOffsetsResultInfo> offsets) {
        return offsets.values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    private void warnOfMembers(Admin admin, String group) {
        try {
            int members = get(admin.describeConsumerGroups(List.of(group))
                            .describedGroups()
                            .get(group))
                    .members()
                    .size();
            if (members > 0) {
                check.warning("group '" + group + "' has " + count(members, "member")
                        + ", so the pipeline can't commit its position to it. Stop them, or name another group.");
            }
        } catch (GroupIdNotFoundException e) {
            // It is created by the first commit.
        } catch (GroupAuthorizationException e) {
            check.warning("The user has no permission to describe group '" + group + "'.");
        }
    }

    private static String count(long number, String thing) {
        return String.format(Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
    }

    private static <T> T get(@Nullable KafkaFuture<T> answer) {
        try {
            return Objects.requireNonNull(answer).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while waiting for a broker.", e);
        }
    }
}
