package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection, as the pipeline's thread sees it, which calls all methods but those that say otherwise. What arrives
 * is added by the connection's event loop.
 */
final class TcpConnection {

    /** It is over once its channel is closed and all that it brought is read. */
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
    /** Whether reading was stopped since the event loop last checked; the event loop's own. */
    private boolean wasPaused;

    /** Whether reading is stopped; the event loop's own. */
    private boolean paused;

    /** When it was last seen to wait for the feed; the event loop's own. */
    private long waitedNanos = System.nanoTime();

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

    /** Whose connection it is. Any thread. */
    Sender sender() {
        return sender;
    }

    /** Any thread. */
    Arrivals arrivals() {
        return arrivals;
    }

    /** Its records: taken, stored, acknowledged. */
    ReceivedCount count() {
        return count;
    }

    /** Whether this call made it wait for its turn: it waits once only. Any thread. */
    boolean enqueue() {
        return queued.compareAndSet(false, true);
    }

    /** Nothing more will arrive. Event loop. */
    void endInput() {
        inputEnded = true;
    }

    /** Whether nothing more will arrive. Any thread. */
    boolean inputEnded() {
        return inputEnded;
    }

    /**
     * For how long the sender has brought no complete record, though the feed was ready for it. Event loop.
     *
     * @param now as {@link System#nanoTime()}
     */
    long idleNanos(long now) {
        if (paused || wasPaused || arrivals.held() > 0 || count.pending()) {
            wasPaused = false;
            waitedNanos = now;
        }
        return Math.min(now - waitedNanos, now - count.lastTakenNanos());
    }

    /** Stops reading from the network. Event loop. */
    void pause() {
        channel.config().setAutoRead(false);
        paused = true;
        wasPaused = true;
    }

    /** Reads from the network again, unless there is nothing more to be read. Any thread. */
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

    /** Takes at most so many records, in order. Says whether more may be here. */
    boolean take(BatchBuffer into, int most) {
        // In this order: what comes or ends after the first line queues it again, what came before the end is seen
        // below.
        queued.set(false);
        boolean ended = inputEnded;
        if (finished) {
            arrivals.clear();
            return false;
        }
        int left = most;
        ByteBuf first = arrivals.first();
        while (first != null && left > 0 && !into.full() && reader.wrong() == null) {
            left -= reader.read(first, into, left);
            if (first.isReadable()) {
                break;
            }
            arrivals.removeFirst();
            first = arrivals.first();
        }
        count.take(most - left);
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

    /** Whether all that it brought, and ever will, was taken. */
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

    /** Closes for a reason; the first one given counts. Any thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // its end is told as any other
    void close(CloseReason reason) {
        closeReason.compareAndSet(null, reason);
        channel.close();
    }

    /** Notes why it will be closed, unless a reason is known. Any thread. */
    void noteReason(CloseReason reason) {
        closeReason.compareAndSet(null, reason);
    }

    /** Why it is closed. Any thread, once it is. */
    CloseReason closeReason() {
        CloseReason reason = closeReason.get();
        return reason == null ? CloseReason.ENDED : reason;
    }

    /** Whether this was the last of the two parts that were open. Any thread. */
    boolean lastPartEnded() {
        return partsOpen.decrementAndGet() == 0;
    }

    /** Address and port of the sender. */
    @Override
    public String toString() {
        return peer.toString();
    }
}
