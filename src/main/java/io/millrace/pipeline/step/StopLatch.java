package io.millrace.pipeline.step;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Pauses that end when a stop is requested. Does not interrupt threads, because an interrupt would close the files of
 * Geode's disk store. Thread-safe.
 */
public final class StopLatch implements StoppablePauses {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean stopped;

    @Override
    public void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Pauses orWhile(BooleanSupplier condition) {
        return new Pauses() {
            @Override
            public boolean pause(Duration time) {
                return await(time, condition);
            }

            @Override
            public long nanoTime() {
                return StopLatch.this.nanoTime();
            }
        };
    }

    @Override
    public boolean pause(Duration time) {
        return await(time, () -> false);
    }

    /** Returns whether a stop is requested or the condition holds, waiting for it until the time is over. */
    private boolean await(Duration time, BooleanSupplier condition) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + time.toNanos();
        lock.lock();
        try {
            while (!stopped && !condition.getAsBoolean()) {
                long nanos = deadline - System.nanoTime();
                if (nanos <= 0) {
                    return false;
                }
                try {
                    var _ = changed.awaitNanos(nanos);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
