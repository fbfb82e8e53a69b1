package io.millrace.store.geode.guard;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.geode.cache.server.CacheServer;

/**
 * Limits the number of open connections of a port: while there are as many, no further one is accepted, and clients
 * wait in the queue of the operating system. Geode closes connections on few threads, from a queue without a limit, and
 * the more there are, the longer each takes. So those of a flood could come faster than they end, and fill the heap.
 *
 * <p>A connection that Geode drops without closing it would count for ever. So a further one is accepted after a while,
 * without being counted. Thread-safe.
 */
public final class OpenConnections {

    /** Those that Geode serves, and those that have not sent their first byte. */
    private static final int LIMIT = CacheServer.DEFAULT_MAX_CONNECTIONS + 512;

    private static final Duration MAX_WAIT = Duration.ofMillis(500);

    private final Semaphore permits;
    private final Duration maxWait;

    /** Creates the limit of a port. */
    public OpenConnections() {
        this(LIMIT, MAX_WAIT);
    }

    OpenConnections(int limit, Duration maxWait) {
        this.permits = new Semaphore(limit);
        this.maxWait = maxWait;
    }

    /** A connection that has not been closed. */
    public final class Open {

        private final AtomicBoolean counted;

        private Open(boolean counted) {
            this.counted = new AtomicBoolean(counted);
        }

        /** Marks the connection as closed; has no effect if it has been before. */
        public void close() {
            if (counted.compareAndSet(true, false)) {
                permits.release();
            }
        }
    }

    /** Returns how many connections may be accepted now. */
    int available() {
        return permits.availablePermits();
    }

    /** Waits until a connection may be accepted, and counts it as open. */
    public Open await() {
        boolean counted = false;
        try {
            counted = permits.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Open(counted);
    }
}
