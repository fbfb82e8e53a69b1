package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.netty.NettyPipeline;

/**
 * The open connections of a feed, and those among them that have something to be read, each once, in the order in which
 * they are to be read. Event loops add, the pipeline's thread takes.
 */
final class Connections {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final TcpLimits limits;
    private final ReadLimits readLimits;
    private final TcpCounters counters;
    private final BiFunction<Peer, Channel, TcpConnection> maker;
    private final BlockingQueue<TcpConnection> ready = new LinkedBlockingQueue<>();
    private final Set<TcpConnection> all = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();

    Connections(
            TcpLimits limits,
            ReadLimits readLimits,
            TcpCounters counters,
            BiFunction<Peer, Channel, TcpConnection> maker) {
        this.limits = limits;
        this.readLimits = readLimits;
        this.counters = counters;
        this.maker = maker;
    }

    /** How many are open, or have something left to be read. Any thread. */
    int open() {
        return open.get();
    }

    /** Takes a new connection, or closes it where there are too many. Event loop. */
    void accept(Channel channel) {
        counters.accepted().increment();
        Peer peer = new Peer(channel.remoteAddress());
        if (open.incrementAndGet() > limits.connections()) {
            open.decrementAndGet();
            refuse(channel, peer);
            return;
        }
        TcpConnection connection = maker.apply(peer, channel);
        all.add(connection);
        long idleMs = limits.idleTimeout().toMillis();
        channel.pipeline()
                .addBefore(
                        NettyPipeline.ReactiveBridge, "idle", new IdleStateHandler(idleMs, 0, 0, TimeUnit.MILLISECONDS))
                .addBefore(NettyPipeline.ReactiveBridge, "records", new ConnectionHandler(connection, this));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing can be done where even this fails
    private void refuse(Channel channel, Peer peer) {
        channel.close();
        note(peer, CloseReason.TOO_MANY);
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

    /** Nothing has come for the idle timeout. Event loop. */
    void idle(TcpConnection connection) {
        if (connection.idle()) {
            connection.close(CloseReason.IDLE);
        }
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
            open.decrementAndGet();
        }
    }

    /** Something may be left to be read. Any thread. */
    void enqueue(TcpConnection connection) {
        if (connection.enqueue()) {
            ready.add(connection);
        }
    }

    /** The connection whose turn it is, or null where none has anything within the time given. */
    @Nullable
    TcpConnection next(Duration maxWait) throws InterruptedException {
        return ready.poll(maxWait.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The connection whose turn it is, or null. */
    @Nullable
    TcpConnection next() {
        return ready.poll();
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
        if (reason.brokenRule()) {
            LOG.warn("connection from {} closed: {}", peer, reason.tag());
        } else {
            LOG.debug("connection from {} closed: {}", peer, reason.tag());
        }
    }
}
