package io.millrace.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Triggers garbage collections for off-heap memory, whose allocation does not fill the heap and so triggers none.
 * Thread-safe.
 *
 * <p>A collection is triggered when twice as much is allocated as remained after the last one. Unreachable memory thus
 * takes no more than reachable memory, and collections become rare as memory in use grows. (The JDK limits its direct
 * memory in a similar way.)
 */
final class GcPressure {

    /** Bytes that may be allocated without a collection. */
    static final long LEAST = 256 << 20;

    private final Runnable collection;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong limit = new AtomicLong(LEAST);

    /**
     * @param collection requests a collection, which reports memory that it frees by {@link #released}, possibly later
     */
    GcPressure(Runnable collection) {
        this.collection = collection;
    }

    /** Counts bytes before their allocation, and triggers a collection if they exceed the limit. */
    void taking(long bytes) {
        long total = held.addAndGet(bytes);
        if (total > limit.get()) {
            limit.set(2 * total);
            collection.run();
        }
    }

    /** Counts bytes that were freed or could not be allocated. */
    void released(long bytes) {
        long remaining = held.addAndGet(-bytes);
        limit.accumulateAndGet(Math.max(LEAST, 2 * remaining), Math::min);
    }
}
