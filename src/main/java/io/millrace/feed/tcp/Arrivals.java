package io.millrace.feed.tcp;

import io.netty.buffer.ByteBuf;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the buffers that one connection has received and that are not read yet. The connection's event loop adds
 * buffers, the pipeline thread removes them. A buffer counts with its allocated memory, not only with its bytes.
 */
final class Arrivals {

    /** Approximate cost of a buffer object in bytes, in addition to its memory: bounds senders of single bytes too. */
    private static final int BUFFER_OVERHEAD = 128;

    private final Queue<ByteBuf> buffers = new ConcurrentLinkedQueue<>();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong heldBySender;
    private final AtomicLong heldByAll;

    /**
     * @param heldBySender counts the memory of all connections of the sender
     * @param heldByAll counts the memory of all connections
     */
    Arrivals(AtomicLong heldBySender, AtomicLong heldByAll) {
        this.heldBySender = heldBySender;
        this.heldByAll = heldByAll;
    }

    /** Adds a buffer and takes ownership of it. */
    void add(ByteBuf buffer) {
        count(cost(buffer));
        buffers.add(buffer);
    }

    /** Returns the oldest buffer without removing it. */
    @Nullable
    ByteBuf first() {
        return buffers.peek();
    }

    /** Removes and releases the oldest buffer. */
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

    /** Removes and releases all buffers. */
    void clear() {
        while (first() != null) {
            removeFirst();
        }
    }

    /** Returns the memory of the buffers in bytes. */
    long held() {
        return held.get();
    }

    private static long cost(ByteBuf buffer) {
        return (long) buffer.capacity() + BUFFER_OVERHEAD;
    }
}
