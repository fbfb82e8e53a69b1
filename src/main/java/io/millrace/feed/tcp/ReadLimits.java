package io.millrace.feed.tcp;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of what was received and not read yet, for each connection and for all together: a connection that
 * finds a bound reached stops reading from the network, and goes on when half of it is free again. Each can pass the
 * bound by the one read that found it reached.
 */
final class ReadLimits {

    private final long mostEach;
    private final long mostOfAll;
    private final AtomicLong heldByAll = new AtomicLong();
    private final Set<TcpConnection> paused = ConcurrentHashMap.newKeySet();

    ReadLimits(long mostEach, long mostOfAll) {
        this.mostEach = mostEach;
        this.mostOfAll = mostOfAll;
    }

    /** What all connections hold, in bytes; each one adds to it. */
    AtomicLong heldByAll() {
        return heldByAll;
    }

    /** Something was received. Event loop. */
    void added(TcpConnection connection) {
        if (connection.arrivals().held() >= mostEach || heldByAll.get() >= mostOfAll) {
            connection.pause();
            paused.add(connection);
            // All may have been read in between, and then nobody else would look.
            resumeIfFree(connection);
        }
    }

    /** Something was read. The pipeline's thread. */
    void removed() {
        if (!paused.isEmpty() && heldByAll.get() <= mostOfAll / 2) {
            paused.forEach(this::resumeIfFree);
        }
    }

    /** It will read no more. Any thread. */
    void forget(TcpConnection connection) {
        paused.remove(connection);
    }

    private void resumeIfFree(TcpConnection connection) {
        if (connection.arrivals().held() <= mostEach / 2
                && heldByAll.get() <= mostOfAll / 2
                && paused.remove(connection)) {
            connection.resume();
        }
    }
}
