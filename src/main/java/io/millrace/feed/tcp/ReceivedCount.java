package io.millrace.feed.tcp;

import io.millrace.codec.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Counts one connection's records, from its first on. Updated by the pipeline thread. */
final class ReceivedCount {

    private final Counter taken = new Counter();
    private final Counter stored = new Counter();
    private long acknowledged;
    private volatile long lastTakenNanos = System.nanoTime();
    private boolean unsettled;
    private boolean lagging;

    void take(int records) {
        if (records > 0) {
            taken.add(records);
            lastTakenNanos = System.nanoTime();
        }
    }

    /** Returns the number of records taken. */
    long taken() {
        return taken.get();
    }

    /** Marks all taken records as stored. */
    void store() {
        stored.set(taken.get());
    }

    /** Returns whether taken records are not stored yet. Thread-safe. */
    boolean pending() {
        return taken.get() > stored.get();
    }

    /** Returns the number of stored records that are not acknowledged yet. */
    long unacknowledged() {
        return stored.get() - acknowledged;
    }

    /**
     * Returns when the last record was taken, or when the connection was created, as {@link System#nanoTime()}.
     * Thread-safe.
     */
    long lastTakenNanos() {
        return lastTakenNanos;
    }

    /** Creates a message with the number of stored records, and marks them as acknowledged. */
    ByteBuf acknowledgement(ByteBufAllocator allocator) {
        acknowledged = stored.get();
        return allocator.buffer(Long.BYTES).writeLong(acknowledged);
    }

    /** Marks the connection as waiting for the store. Returns whether it was not marked before. */
    boolean unsettle() {
        boolean first = !unsettled;
        unsettled = true;
        return first;
    }

    void settle() {
        unsettled = false;
    }

    /** Marks the connection as waiting for a later acknowledgement. Returns whether it was not marked before. */
    boolean lag() {
        boolean first = !lagging;
        lagging = true;
        return first;
    }

    void caughtUp() {
        lagging = false;
    }
}
