package io.millrace.feed.tcp;

import io.millrace.background.LogLimit;
import io.millrace.feed.SourceNetwork;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a feed, and a queue of the senders that have bytes to read. Each sender is queued once. Event
 * loops add to the queue, the pipeline thread removes from it.
 */
final class Connections {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final ReadLimits readLimits;
    private final TcpCounters counters;
    private final BiFunction<Sender, Channel, TcpConnection> maker;
    private final Senders senders;
    private final BlockingQueue<Sender> ready = new LinkedBlockingQueue<>();
    /** An element of the queue that ends a wait and has no connections. */
    private final Sender wake = new Sender(new SourceNetwork(0, 0));

    /** Whether the queue has that element. */
    private final AtomicBoolean woken = new AtomicBoolean();

    private final Set<TcpConnection> all = ConcurrentHashMap.newKeySet();
    private final Map<CloseReason, LogLimit> warnings = new EnumMap<>(CloseReason.class);

    Connections(
            Senders senders,
            ReadLimits readLimits,
            TcpCounters counters,
            BiFunction<Sender, Channel, TcpConnection> maker) {
        this.senders = senders;
        for (CloseReason reason : CloseReason.values()) {
            warnings.put(reason, new LogLimit());
        }
        this.readLimits = readLimits;
        this.counters = counters;
        this.maker = maker;
    }

    /** Returns the number of connections that are open or have bytes left to read. Thread-safe. */
    int open() {
        return senders.open();
    }

    /**
     * Registers a new connection, or closes it if there are too many. Called on the event loop.
     *
     * @return the connection, or null if it was closed
     */
    @Nullable
    TcpConnection accept(Channel channel) {
        counters.accepted().increment();
        Sender sender = senders.admit(channel.remoteAddress(), reason -> refuse(channel, reason));
        if (sender == null) {
            return null;
        }
        TcpConnection connection = maker.apply(sender, channel);
        all.add(connection);
        return connection;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure to close needs no handling
    private void refuse(Channel channel, CloseReason reason) {
        channel.close();
        note(new Peer(channel.remoteAddress()), reason);
    }

    /** Queues received bytes. Called on the event loop. */
    void received(TcpConnection connection, ByteBuf buffer) {
        counters.bytes().add(buffer.readableBytes());
        connection.arrivals().add(buffer);
        enqueue(connection);
        readLimits.added(connection);
    }

    /** Called on the event loop when the sender has closed its output. */
    void inputEnded(TcpConnection connection) {
        connection.endInput();
        enqueue(connection);
    }

    /** Called on the event loop when the channel is closed. Bytes received before are still read. */
    void closed(TcpConnection connection) {
        if (!connection.inputEnded()) {
            connection.noteReason(CloseReason.BROKEN);
        }
        note(connection, connection.closeReason());
        readLimits.forget(connection);
        inputEnded(connection);
        partEnded(connection);
    }

    /**
     * Called when a connection's channel is closed, and when all its bytes are read. The second call frees its slot.
     * Thread-safe.
     */
    void partEnded(TcpConnection connection) {
        if (connection.lastPartEnded()) {
            all.remove(connection);
            senders.release(connection.sender());
        }
    }

    /** Queues a connection that may have bytes to read. Thread-safe. */
    void enqueue(TcpConnection connection) {
        if (connection.enqueue() && connection.sender().enqueue(connection)) {
            ready.add(connection.sender());
        }
    }

    /** Ends the wait for a connection to read, or the next one. Thread-safe. */
    void wake() {
        if (woken.compareAndSet(false, true)) {
            ready.add(wake);
        }
    }

    /**
     * Returns the next connection to read, or null if none has bytes to read within the time limit, or before the wait
     * is ended.
     */
    @Nullable
    TcpConnection next(Duration maxWait) throws InterruptedException {
        return next(ready.poll(maxWait.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Returns the next connection to read, or null. */
    @Nullable
    TcpConnection next() {
        return next(ready.poll());
    }

    /** Schedules senders round-robin, and the connections of a sender within its turns. */
    private @Nullable TcpConnection next(@Nullable Sender sender) {
        if (sender == null) {
            return null;
        }
        if (sender.equals(wake)) {
            woken.set(false);
            return null;
        }
        TcpConnection connection = sender.next();
        if (sender.hasMore()) {
            ready.add(sender);
        }
        return connection;
    }

    /** Closes all connections after pending writes. Thread-safe. */
    void closeAll() {
        all.forEach(connection -> connection.close(CloseReason.STOPPED));
    }

    /** Releases the buffers that will not be read. Must be called after the event loops have stopped. */
    void clear() {
        all.forEach(connection -> connection.arrivals().clear());
    }

    private void note(Object peer, CloseReason reason) {
        counters.closed(reason).increment();
        long leftOut = reason.brokenRule()
                ? Objects.requireNonNull(warnings.get(reason)).next(System.nanoTime())
                : LogLimit.LEFT_OUT;
        if (leftOut == LogLimit.LEFT_OUT) {
            LOG.debug("Closed a connection: sender={} reason={}", peer, reason.tag());
        } else {
            LOG.warn(
                    "Closed a connection: sender={} reason={} leftOut={}. Further ones of this reason are logged once a"
                            + " minute.",
                    peer,
                    reason.tag(),
                    leftOut);
        }
    }
}
