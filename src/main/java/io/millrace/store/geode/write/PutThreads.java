package io.millrace.store.geode.write;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads of which each put has one of its own until it succeeds. A server ignores an attempt that arrives late if it
 * knows a later one of the same thread, but stores it if the later one came from another thread. Thread-safe.
 */
public final class PutThreads implements PutExecutor, AutoCloseable {

    /** Time after which an idle thread ends. Longer than the time from a failed attempt to the next one. */
    private static final long KEEP_ALIVE_MINUTES = 5;

    private final ThreadFactory factory =
            Thread.ofPlatform().daemon().name("geode-put-", 0).factory();
    private final Deque<ExecutorService> idle = new ConcurrentLinkedDeque<>();

    @Override
    public Executor acquire() {
        ExecutorService thread = idle.poll();
        return thread == null
                ? new ThreadPoolExecutor(
                        0, 1, KEEP_ALIVE_MINUTES, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), factory)
                : thread;
    }

    @Override
    public void release(Executor thread) {
        idle.push((ExecutorService) thread);
    }

    /** Ends the idle threads. Those of puts that have not succeeded end when they have been idle for a while. */
    @Override
    public void close() {
        for (ExecutorService thread = idle.poll(); thread != null; thread = idle.poll()) {
            thread.shutdown();
        }
    }
}
