package io.millrace.pipeline;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a pipeline, with its use of time and memory. Thread-safe. */
final class PipelineThread {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineThread.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String pipeline;
    private final Thread thread;
    private volatile long startedNanos = System.nanoTime();
    private volatile long allocatedAtEnd;

    PipelineThread(String pipeline, Runnable loop) {
        this.pipeline = pipeline;
        this.thread = new Thread(() -> run(loop), "pipeline-" + pipeline);
    }

    private void run(Runnable loop) {
        try {
            loop.run();
        } finally {
            allocatedAtEnd = THREADS.getCurrentThreadAllocatedBytes();
        }
    }

    void start() {
        startedNanos = System.nanoTime();
        thread.start();
    }

    /** Waits until it has ended, but not for ever. */
    void awaitEnd() {
        try {
            if (!thread.join(STOP_TIMEOUT)) {
                LOG.warn("Pipeline {} did not stop in time: timeout={}", pipeline, STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean ended() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    long startedNanos() {
        return startedNanos;
    }

    long allocatedBytes() {
        // The JVM returns -1 for a thread that has ended.
        long allocated = THREADS.getThreadAllocatedBytes(thread.threadId());
        return allocated < 0 ? allocatedAtEnd : allocated;
    }
}
