package io.millrace.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Has the garbage collector look for memory outside the heap that nothing refers to any more. What lies there does not
 * fill the heap, and so brings about no collection by itself. Thread-safe.
 *
 * <p>A collection comes when twice as much is held as was left after the last one, so that garbage takes no more than
 * what is in use, and collections become rare as that grows. (The JDK limits its own direct memory likewise.)
 */
final class GcPressure {

    /** Held without a collection, in bytes. */
    static final long LEAST = 256 << 20;

    private final Runnable collection;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong limit = new AtomicLong(LEAST);

    /** @param collection asks for one; what it finds is told by {@link #released} then or later */
    GcPressure(Runnable collection) {
        this.collection = collection;
    }

    /** So many bytes are about to be taken. */
    void taking(long bytes) {
        long now = held.addAndGet(bytes);
        if (now > limit.get()) {
            limit.set(2 * now);
            collection.run();
        }
    }

    /** So many bytes were given back, or could not be taken. */
    void released(long bytes) {
        long left = held.addAndGet(-bytes);
        limit.accumulateAndGet(Math.max(LEAST, 2 * left), Math::min);
    }
}
