package io.millrace.feed.tcp;

import io.millrace.codec.Counter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** How far one connection's records have come, counted from its first. The pipeline's thread changes it. */
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

    /** Records taken. */
    long taken() {
        return taken.get();
    }

    /** All that were taken are stored. */
    void store() {
        stored.set(taken.get());
    }

    /** Whether records were taken that are not stored yet. Any thread. */
    boolean pending() {
        return taken.get() > stored.get();
    }

    /** Stored records that are not acknowledged yet. */
    long unacknowledged() {
        return stored.get() - acknowledged;
    }

    /** When the last record was taken, or the connection was made, as {@link System#nanoTime()}. Any thread. */
    long lastTakenNanos() {
        return lastTakenNanos;
    }

    /** The message with the number of stored records. */
    ByteBuf acknowledgement(ByteBufAllocator allocator) {
        acknowledged = stored.get();
        return allocator.buffer(Long.BYTES).writeLong(acknowledged);
    }

    /** Whether this call put it among those that wait for the store. */
    boolean unsettle() {
        boolean first = !unsettled;
        unsettled = true;
        return first;
    }

    void settle() {
        unsettled = false;
    }

    /** Whether this call put it among those whose sender is to be acknowledged later. */
    boolean lag() {
        boolean first = !lagging;
        lagging = true;
        return first;
    }

    void caughtUp() {
        lagging = false;
    }
}
