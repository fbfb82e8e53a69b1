package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that one connection received and that were not read yet, oldest first: the connection's event loop adds, the
 * pipeline's thread takes. Each counts with the memory that it holds, not only with the bytes in it.
 */
final class Arrivals {

    /** About what a buffer costs in addition to its memory: senders of single bytes are bounded too. */
    private static final int BUFFER_OVERHEAD = 128;

    private final Queue<ByteBuf> buffers = new ConcurrentLinkedQueue<>();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong heldBySender;
    private final AtomicLong heldByAll;

    /**
     * @param heldBySender counts what all connections of the sender hold
     * @param heldByAll counts what all connections hold
     */
    Arrivals(AtomicLong heldBySender, AtomicLong heldByAll) {
        this.heldBySender = heldBySender;
        this.heldByAll = heldByAll;
    }

    /** Adds a buffer, which belongs to this from now on. */
    void add(ByteBuf buffer) {
        count(cost(buffer));
        buffers.add(buffer);
    }

    /** The oldest buffer, which stays here. */
    @Nullable
    ByteBuf first() {
        return buffers.peek();
    }

    /** Lets the oldest buffer go. */
    void removeFirst() {
        ByteBuf buffer = buffers.poll();
        if (buffer != null) {
            long cost = cost(buffer);
            buffer.release();
            count(-cost);
        }
    }

    private void count(long bytes) {
        held.addAndGet(bytes);
        heldBySender.addAndGet(bytes);
        heldByAll.addAndGet(bytes);
    }

    /** Lets all buffers go. */
    void clear() {
        while (first() != null) {
            removeFirst();
        }
    }

    /** Bytes of memory held. */
    long held() {
        return held.get();
    }

    private static long cost(ByteBuf buffer) {
        return (long) buffer.capacity() + BUFFER_OVERHEAD;
    }
}
