package io.millrace.feed.tcp;

import io.millrace.feed.FairShare;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of what was received and not read yet, for each connection, for each sender and for all together: a
 * connection that reaches a bound is not read until half of the bound is free again. The last read can exceed the
 * bound.
 *
 * <p>A sender may hold a {@linkplain FairShare share} of what the others leave free, so those who hold most stop first.
 * One that holds nothing is always read, so none waits for another one.
 */
final class ReadLimits {

    private final long mostEach;
    private final long mostOfAll;
    private final FairShare share;
    private final AtomicLong heldByAll = new AtomicLong();

    ReadLimits(TcpLimits limits) {
        this.mostEach = limits.connectionBuffer();
        this.mostOfAll = limits.buffer();
        this.share = limits.sharePerAddress();
    }

    /** What all connections hold, in bytes; each one adds to it. */
    AtomicLong heldByAll() {
        return heldByAll;
    }

    /** Something was received. Event loop. */
    void added(TcpConnection connection) {
        Sender sender = connection.sender();
        long heldBySender = sender.held().get();
        if (connection.arrivals().held() >= mostEach || heldBySender >= limit(heldBySender)) {
            connection.pause();
            sender.paused().add(connection);
            // All may have been read in between, and then nobody else would look.
            if (senderMayResume(sender)) {
                resumeIfFree(connection);
            }
        }
    }

    /**
     * Something of a connection was read. The pipeline's thread.
     *
     * <p>Only its sender's connections can resume: one that is paused holds something, so its own turn will come.
     */
    void removed(TcpConnection connection) {
        Sender sender = connection.sender();
        if (!sender.paused().isEmpty() && senderMayResume(sender)) {
            sender.paused().forEach(this::resumeIfFree);
        }
    }

    /** It will read no more. Any thread. */
    void forget(TcpConnection connection) {
        connection.sender().paused().remove(connection);
    }

    private long limit(long heldBySender) {
        return share.limit(mostOfAll, heldByAll.get() - heldBySender);
    }

    private boolean senderMayResume(Sender sender) {
        long heldBySender = sender.held().get();
        return heldBySender <= limit(heldBySender) / 2;
    }

    private void resumeIfFree(TcpConnection connection) {
        if (connection.arrivals().held() <= mostEach / 2
                && connection.sender().paused().remove(connection)) {
            connection.resume();
        }
    }
}
