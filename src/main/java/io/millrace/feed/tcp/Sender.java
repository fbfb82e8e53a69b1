package io.millrace.feed.tcp;

import io.millrace.feed.SourceNetwork;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connections of one source address together: what they hold, and those among them that have something to be read.
 * Event loops add, the pipeline's thread takes.
 */
final class Sender {

    private final SourceNetwork network;
    private final AtomicLong held = new AtomicLong();
    private final Set<TcpConnection> paused = ConcurrentHashMap.newKeySet();
    private final Queue<TcpConnection> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger readyCount = new AtomicInteger();

    /** How many connections it has; {@link Senders} guards it. */
    private int open;

    /** Bytes of memory that hold incomplete records; the pipeline's thread. */
    private long incomplete;

    Sender(SourceNetwork network) {
        this.network = network;
    }

    SourceNetwork network() {
        return network;
    }

    /** Connections that are open. Under the lock of {@link Senders}. */
    int open() {
        return open;
    }

    /** Adds to the connections that are open. Under the lock of {@link Senders}. */
    void opened(int connections) {
        open += connections;
    }

    /** Bytes of memory that hold what was received and not read yet; {@link Arrivals} count them. Any thread. */
    AtomicLong held() {
        return held;
    }

    /** Connections that wait until less is held. Any thread. */
    Set<TcpConnection> paused() {
        return paused;
    }

    /** Bytes of memory that hold incomplete records; {@link IncompleteRecords} counts them. The pipeline's thread. */
    long incomplete() {
        return incomplete;
    }

    /** Adds to the bytes that hold incomplete records. The pipeline's thread. */
    void addIncomplete(long bytes) {
        incomplete += bytes;
    }

    /** Adds a connection to be read, and returns whether it is the only one now. Any thread. */
    boolean enqueue(TcpConnection connection) {
        ready.add(connection);
        return readyCount.getAndIncrement() == 0;
    }

    /** Removes the connection whose turn it is; there is one. The pipeline's thread. */
    TcpConnection next() {
        return ready.remove();
    }

    /** Takes note that a connection was removed, and returns whether others are left. The pipeline's thread. */
    boolean hasMore() {
        return readyCount.decrementAndGet() > 0;
    }
}
