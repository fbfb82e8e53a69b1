package io.millrace.feed.kafka;

import io.millrace.kafka.KafkaConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * What a broker says about a topic. All partitions of a pipeline share one client for it, which is connected while one
 * of them is open. Thread-safe.
 */
final class Topic {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long REFRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final KafkaConnection connection;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Admin admin;
    private int users;
    private @Nullable KafkaFuture<TopicDescription> pending;
    private long askedNanos;
    private @Nullable Description last;

    /**
     * A topic at some time.
     *
     * @param id another one after the topic was deleted and created again
     * @param partitions number of partitions, which can only grow
     */
    record Description(String id, int partitions) {}

    Topic(KafkaConnection connection, String name) {
        this.connection = connection;
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Connects unless another partition has. */
    void open() throws IOException {
        lock.lock();
        try {
            if (admin == null) {
                admin = Admin.create(connection.adminSettings("millrace-" + name + "-topic", TIMEOUT));
            }
            users++;
        } catch (KafkaException e) {
            throw new IOException(describe(e), e);
        } finally {
            lock.unlock();
        }
    }

    /** Disconnects if no other partition is open. */
    void close() {
        Admin unused = null;
        lock.lock();
        try {
            users--;
            if (users == 0) {
                unused = admin;
                admin = null;
                pending = null;
                last = null;
            }
        } finally {
            lock.unlock();
        }
        if (unused != null) {
            unused.close(Duration.ZERO);
        }
    }

    private KafkaFuture<TopicDescription> ask(Admin client) {
        askedNanos = System.nanoTime();
        return Objects.requireNonNull(
                client.describeTopics(List.of(name)).topicNameValues().get(name));
    }

    private static Description of(TopicDescription found) {
        return new Description(found.topicId().toString(), found.partitions().size());
    }

    /** Asks a broker. Waits for the answer. */
    Description describe() throws IOException {
        KafkaFuture<TopicDescription> asked;
        lock.lock();
        try {
            asked = ask(Objects.requireNonNull(admin));
        } finally {
            lock.unlock();
        }
        try {
            Description found = of(asked.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
            lock.lock();
            try {
                last = found;
            } finally {
                lock.unlock();
            }
            return found;
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException(describe(cause), cause);
        } catch (TimeoutException e) {
            throw new IOException("No broker at " + connection + " answers.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for a broker.", e);
        }
    }

    /** Returns the last answer, about a second old if brokers answer; null if there is none. Does not wait. */
    @Nullable
    Description latest() {
        lock.lock();
        try {
            KafkaFuture<TopicDescription> asked = pending;
            if (asked != null && asked.isDone()) {
                pending = null;
                if (!asked.isCompletedExceptionally()) {
                    last = of(asked.getNow(null));
                }
            } else if (asked == null && admin != null && System.nanoTime() - askedNanos > REFRESH_NANOS) {
                pending = ask(admin);
            }
            return last;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e); // it has completed normally
        } finally {
            lock.unlock();
        }
    }

    private String describe(Throwable failure) {
        return failure instanceof UnknownTopicOrPartitionException
                ? "The brokers at " + connection + " have no topic '" + name + "'."
                : "Kafka at " + connection + " failed";
    }
}
