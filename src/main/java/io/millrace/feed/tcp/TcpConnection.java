package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection. The connection's event loop adds received bytes; the pipeline thread calls all methods that do not
 * state otherwise.
 */
final class TcpConnection {

    /** A connection ends when its channel is closed and all its bytes are read. */
    private static final int CHANNEL_AND_READING = 2;

    private final Channel channel;
    private final Object peer;
    private final Sender sender;
    private final Arrivals arrivals;
    private final FrameReader reader;
    private final AtomicBoolean queued = new AtomicBoolean();
    private final AtomicInteger partsOpen = new AtomicInteger(CHANNEL_AND_READING);
    private final AtomicReference<@Nullable CloseReason> closeReason = new AtomicReference<>();
    private final ReceivedCount count = new ReceivedCount();
    private volatile boolean inputEnded;
    /** Whether reading was paused since the last idle check; used on the event loop. */
    private boolean wasPaused;

    /** Whether reading is paused; used on the event loop. */
    private boolean paused;

    /** When an idle check last found the connection waiting for the feed; used on the event loop. */
    private long lastWaitNanos = System.nanoTime();

    private boolean finished;

    TcpConnection(Channel channel, Sender sender, Arrivals arrivals, FrameReader reader, Object peer) {
        this.channel = channel;
        this.sender = sender;
        this.arrivals = arrivals;
        this.reader = reader;
        this.peer = peer;
    }

    Channel channel() {
        return channel;
    }

    /** Returns the sender of the connection. Thread-safe. */
    Sender sender() {
        return sender;
    }

    /** Returns the received buffers. Thread-safe. */
    Arrivals arrivals() {
        return arrivals;
    }

    /** Returns the counts of taken, stored and acknowledged records. */
    ReceivedCount count() {
        return count;
    }

    /** Marks the connection as queued and returns whether it was not before, so that it is queued once. Thread-safe. */
    boolean enqueue() {
        return queued.compareAndSet(false, true);
    }

    /** Marks the end of the input. Called on the event loop. */
    void endInput() {
        inputEnded = true;
    }

    /** Returns whether the input has ended. Thread-safe. */
    boolean inputEnded() {
        return inputEnded;
    }

    /**
     * Returns for how long the sender has completed no record although the feed was ready, in nanoseconds. Called on
     * the event loop.
     *
     * @param now as {@link System#nanoTime()}
     */
    long idleNanos(long now) {
        if (paused || wasPaused || arrivals.held() > 0 || count.pending()) {
            wasPaused = false;
            lastWaitNanos = now;
        }
        return Math.min(now - lastWaitNanos, now - count.lastTakenNanos());
    }

    /** Pauses reading from the network. Called on the event loop. */
    void pause() {
        channel.config().setAutoRead(false);
        paused = true;
        wasPaused = true;
    }

    /** Resumes reading from the network unless the input has ended. Thread-safe. */
    void resume() {
        if (channel.eventLoop().inEventLoop()) {
            resumeNow();
        } else {
            channel.eventLoop().execute(this::resumeNow);
        }
    }

    private void resumeNow() {
        paused = false;
        if (!inputEnded) {
            channel.config().setAutoRead(true);
        }
    }

    /**
     * Reads records into a batch, in order, and returns whether more may have arrived.
     *
     * @param maxRecords maximum number of records
     */
    boolean take(BatchBuffer into, int maxRecords) {
        // The order matters: bytes or an end of input that arrive after the first line queue the connection again, and
        // bytes that arrived before the end are read below.
        queued.set(false);
        boolean ended = inputEnded;
        if (finished) {
            arrivals.clear();
            return false;
        }
        int remaining = maxRecords;
        ByteBuf first = arrivals.first();
        while (first != null && remaining > 0 && !into.full() && reader.wrong() == null) {
            remaining -= reader.read(first, into, remaining);
            if (first.isReadable()) {
                break;
            }
            arrivals.removeFirst();
            first = arrivals.first();
        }
        count.take(maxRecords - remaining);
        CloseReason wrong = reader.wrong();
        if (wrong != null) {
            arrivals.clear();
            close(wrong);
            reader.close();
            finished = true;
        } else if (ended && arrivals.first() == null) {
            reader.end(into);
            reader.close();
            finished = true;
        }
        return !finished && arrivals.first() != null;
    }

    /** Returns whether all records were taken and no more will arrive. */
    boolean finished() {
        return finished;
    }

    /** Sends the count of stored records. */
    void acknowledge() {
        channel.writeAndFlush(count.acknowledgement(channel.alloc()))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    /** Sends the count of stored records, then closes. */
    void acknowledgeAndClose() {
        channel.writeAndFlush(count.acknowledgement(channel.alloc())).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes the connection; the first reason given counts. Thread-safe. */
    @SuppressWarnings("FutureReturnValueIgnored") // the handler reports the end of the channel
    void close(CloseReason reason) {
        closeReason.compareAndSet(null, reason);
        channel.close();
    }

    /** Sets the reason for closing unless one is set. Thread-safe. */
    void noteReason(CloseReason reason) {
        closeReason.compareAndSet(null, reason);
    }

    /** Returns the reason for closing. Thread-safe, once the connection is closed. */
    CloseReason closeReason() {
        CloseReason reason = closeReason.get();
        return reason == null ? CloseReason.ENDED : reason;
    }

    /** Counts an ended part, channel or reading, and returns whether it was the last. Thread-safe. */
    boolean lastPartEnded() {
        return partsOpen.decrementAndGet() == 0;
    }

    /** Returns the sender's address and port. */
    @Override
    public String toString() {
        return peer.toString();
    }
}
