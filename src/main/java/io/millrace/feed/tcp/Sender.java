package io.millrace.feed.tcp;

import io.millrace.feed.SourceNetwork;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connections of one source address: their memory, and a queue of those that have bytes to read. Event loops add to
 * the queue, the pipeline thread removes from it.
 */
final class Sender {

    private final SourceNetwork network;
    private final AtomicLong held = new AtomicLong();
    private final Set<TcpConnection> paused = ConcurrentHashMap.newKeySet();
    private final Queue<TcpConnection> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger readyCount = new AtomicInteger();

    /** Number of open connections; guarded by {@link Senders}. */
    private int open;

    /** Memory of incomplete records in bytes; used by the pipeline thread. */
    private long incomplete;

    Sender(SourceNetwork network) {
        this.network = network;
    }

    SourceNetwork network() {
        return network;
    }

    /** Returns the number of open connections. Requires the lock of {@link Senders}. */
    int open() {
        return open;
    }

    /** Adds to the number of open connections. Requires the lock of {@link Senders}. */
    void opened(int connections) {
        open += connections;
    }

    /** Returns the memory of received but unread buffers in bytes, which {@link Arrivals} update. Thread-safe. */
    AtomicLong held() {
        return held;
    }

    /** Returns the connections that are paused until memory is free. Thread-safe. */
    Set<TcpConnection> paused() {
        return paused;
    }

    /**
     * Returns the memory of incomplete records in bytes, which {@link IncompleteRecords} updates. Called by the
     * pipeline thread.
     */
    long incomplete() {
        return incomplete;
    }

    /** Adds to the memory of incomplete records. Called by the pipeline thread. */
    void addIncomplete(long bytes) {
        incomplete += bytes;
    }

    /** Queues a connection to read and returns whether it is the only one in the queue. Thread-safe. */
    boolean enqueue(TcpConnection connection) {
        ready.add(connection);
        return readyCount.getAndIncrement() == 0;
    }

    /** Removes the next connection from the queue, which must not be empty. Called by the pipeline thread. */
    TcpConnection next() {
        return ready.remove();
    }

    /** Counts a removed connection and returns whether the queue has others. Called by the pipeline thread. */
    boolean hasMore() {
        return readyCount.decrementAndGet() > 0;
    }
}
