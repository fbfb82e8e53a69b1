package io.millrace.feed.tcp;

import io.millrace.feed.FairShare;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of received but unread bytes for each connection, for each sender and for all together. A
 * connection that reaches a limit is paused until half of the limit is free. The last read may exceed the limit.
 *
 * <p>A sender may use a {@linkplain FairShare share} of the memory left free by others, so that the largest senders
 * pause first. A sender that uses no memory is always read, so that none starves.
 */
final class ReadLimits {

    private final long maxEach;
    private final long maxOfAll;
    private final FairShare share;
    private final AtomicLong heldByAll = new AtomicLong();

    /**
     * @param maxEach limit of one connection in bytes
     * @param maxOfAll limit of all connections in bytes
     * @param share that one sender may use of what others leave free
     */
    ReadLimits(long maxEach, long maxOfAll, FairShare share) {
        this.maxEach = maxEach;
        this.maxOfAll = maxOfAll;
        this.share = share;
    }

    /** Returns the memory of all connections in bytes, which each connection updates. */
    AtomicLong heldByAll() {
        return heldByAll;
    }

    /** Pauses a connection that has reached a limit. Called on the event loop after bytes were received. */
    void added(TcpConnection connection) {
        Sender sender = connection.sender();
        long heldBySender = sender.held().get();
        if (connection.arrivals().held() >= maxEach || heldBySender >= limit(heldBySender)) {
            connection.pause();
            sender.paused().add(connection);
            // The pipeline thread may have read everything in between, and then would not resume it.
            if (senderMayResume(sender)) {
                resumeIfFree(connection);
            }
        }
    }

    /**
     * Resumes connections of a sender after bytes of one of them were read. Called by the pipeline thread.
     *
     * <p>Checks the sender's connections only: a paused connection of another sender still has unread bytes and is
     * checked when they are read.
     */
    void removed(TcpConnection connection) {
        Sender sender = connection.sender();
        if (!sender.paused().isEmpty() && senderMayResume(sender)) {
            sender.paused().forEach(this::resumeIfFree);
        }
    }

    /** Removes a connection that receives no more bytes. Thread-safe. */
    void forget(TcpConnection connection) {
        connection.sender().paused().remove(connection);
    }

    private long limit(long heldBySender) {
        return share.limit(maxOfAll, heldByAll.get() - heldBySender);
    }

    private boolean senderMayResume(Sender sender) {
        long heldBySender = sender.held().get();
        return heldBySender <= limit(heldBySender) / 2;
    }

    private void resumeIfFree(TcpConnection connection) {
        if (connection.arrivals().held() <= maxEach / 2
                && connection.sender().paused().remove(connection)) {
            connection.resume();
        }
    }
}
