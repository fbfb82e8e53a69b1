package io.millrace.feed.tcp;

import io.millrace.background.LogLimit;
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
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.netty.NettyPipeline;

/**
 * The open connections of a feed, and the senders that have something to be read, each once, in the order in which they
 * are to be read. Event loops add, the pipeline's thread takes.
 */
final class Connections {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final TcpLimits limits;
    private final ReadLimits readLimits;
    private final TcpCounters counters;
    private final BiFunction<Sender, Channel, TcpConnection> maker;
    private final Senders senders;
    private final BlockingQueue<Sender> ready = new LinkedBlockingQueue<>();
    private final Set<TcpConnection> all = ConcurrentHashMap.newKeySet();
    private final Map<CloseReason, LogLimit> warnings = new EnumMap<>(CloseReason.class);

    Connections(
            TcpLimits limits,
            ReadLimits readLimits,
            TcpCounters counters,
            BiFunction<Sender, Channel, TcpConnection> maker) {
        this.limits = limits;
        this.senders = new Senders(limits);
        for (CloseReason reason : CloseReason.values()) {
            warnings.put(reason, new LogLimit());
        }
        this.readLimits = readLimits;
        this.counters = counters;
        this.maker = maker;
    }

    /** How many are open, or have something left to be read. Any thread. */
    int open() {
        return senders.open();
    }

    /** Takes a new connection, or closes it where there are too many. Event loop. */
    void accept(Channel channel) {
        counters.accepted().increment();
        Sender sender = senders.admit(channel.remoteAddress(), reason -> refuse(channel, reason));
        if (sender == null) {
            return;
        }
        TcpConnection connection = maker.apply(sender, channel);
        all.add(connection);
        channel.pipeline()
                .addBefore(
                        NettyPipeline.ReactiveBridge,
                        "records",
                        new ConnectionHandler(connection, this, limits.idleTimeout()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing can be done where even this fails
    private void refuse(Channel channel, CloseReason reason) {
        channel.close();
        note(new Peer(channel.remoteAddress()), reason);
    }

    /** Bytes have come. Event loop. */
    void received(TcpConnection connection, ByteBuf buffer) {
        counters.bytes().add(buffer.readableBytes());
        connection.arrivals().add(buffer);
        enqueue(connection);
        readLimits.added(connection);
    }

    /** The sender will send no more. Event loop. */
    void inputEnded(TcpConnection connection) {
        connection.endInput();
        enqueue(connection);
    }

    /** The channel is closed; what has come is read still. Event loop. */
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
     * Its channel is closed, or all that it brought is read: once both are, it gives way to another one. Any thread.
     */
    void partEnded(TcpConnection connection) {
        if (connection.lastPartEnded()) {
            all.remove(connection);
            senders.release(connection.sender());
        }
    }

    /** Something may be left to be read. Any thread. */
    void enqueue(TcpConnection connection) {
        if (connection.enqueue() && connection.sender().enqueue(connection)) {
            ready.add(connection.sender());
        }
    }

    /** The connection whose turn it is, or null where none has anything within the time given. */
    @Nullable
    TcpConnection next(Duration maxWait) throws InterruptedException {
        return next(ready.poll(maxWait.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** The connection whose turn it is, or null. */
    @Nullable
    TcpConnection next() {
        return next(ready.poll());
    }

    /** Senders have turns, and the connections of each one share its turns. */
    private @Nullable TcpConnection next(@Nullable Sender sender) {
        if (sender == null) {
            return null;
        }
        TcpConnection connection = sender.next();
        if (sender.hasMore()) {
            ready.add(sender);
        }
        return connection;
    }

    /** Closes all, after what was written to them is sent. Any thread. */
    void closeAll() {
        all.forEach(connection -> connection.close(CloseReason.STOPPED));
    }

    /** Lets go what will not be read. Once no event loop is at work any more. */
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
