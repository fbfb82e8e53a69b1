package io.millrace.store.geode.query;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.geode.cache.execute.FunctionInvocationTargetException;

/**
 * The memory that a member may use for the parts of answers at a time. A client chooses how many queries run, how many
 * records each sorts, and whether it reads the answers. Thread-safe.
 */
final class QueryAdmission {

    private static final int KIB = 1024;
    private static final long TIMEOUT_SECONDS = 5;

    private final int total;
    private final Semaphore free;

    /** @param bytes that all queries may use; one query may run even if it needs more */
    QueryAdmission(long bytes) {
        total = Math.clamp(bytes / KIB, 1, Integer.MAX_VALUE);
        free = new Semaphore(total, true);
    }

    /** Returns one of a quarter of the heap. */
    static QueryAdmission ofHeap() {
        return new QueryAdmission(Runtime.getRuntime().maxMemory() / 4);
    }

    /**
     * Runs a query once there is memory for it.
     *
     * @param bytes that it may need
     * @throws FunctionInvocationTargetException if there is none in time, so that the client tries again
     */
    void run(long bytes, Runnable query) {
        int needed = Math.clamp(bytes / KIB, 1, total);
        try {
            if (!free.tryAcquire(needed, TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new FunctionInvocationTargetException("Too many queries run on this member.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FunctionInvocationTargetException("This member stops.", e);
        }
        try {
            query.run();
        } finally {
            free.release(needed);
        }
    }
}
