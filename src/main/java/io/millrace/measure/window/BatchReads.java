package io.millrace.measure.window;

import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs reads of what a pipeline's thread writes, between two batches. Thread-safe.
 *
 * <p>A read runs under the lock if it is free. Otherwise the pipeline's thread runs the read after its batch: a thread
 * that waited for the lock of a busy pipeline would be woken after each batch and compete for the processor.
 */
public final class BatchReads {

    /** How long a read waits for the end of a batch, in milliseconds. */
    private static final long BATCH_WAIT_MS = 20;

    private final ReentrantLock lock;
    /** Reads that wait for the end of a batch. */
    private final Queue<FutureTask<?>> waiting = new ConcurrentLinkedQueue<>();

    /** @param lock held by the pipeline's thread during each batch */
    public BatchReads(ReentrantLock lock) {
        this.lock = lock;
    }

    /** Runs a read, on this thread or on the pipeline's, and returns its result. */
    <T> @Nullable T run(Callable<@Nullable T> read) {
        FutureTask<@Nullable T> task = new FutureTask<>(read);
        if (lock.tryLock()) {
            try {
                task.run();
            } finally {
                lock.unlock();
            }
        } else {
            waiting.add(task);
            if (!isDoneSoon(task)) { // no batch arrives
                lock.lock();
                try {
                    task.run();
                } finally {
                    lock.unlock();
                }
                waiting.remove(task);
            }
        }
        return task.resultNow();
    }

    private static boolean isDoneSoon(FutureTask<?> read) {
        try {
            read.get(BATCH_WAIT_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The open window could not be read: " + e.getCause(), e.getCause());
        }
    }

    /** Runs the reads that wait. The pipeline's thread calls it after a batch, while it holds the lock. */
    public void serve() {
        for (FutureTask<?> read = waiting.poll(); read != null; read = waiting.poll()) {
            read.run();
        }
    }
}
