package io.millrace.pipeline.step;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Pauses that end when a stop is requested. Does not interrupt threads, because an interrupt would close the files of
 * Geode's disk store. Thread-safe.
 */
public final class StopLatch implements Pauses {

    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Requests a stop: ends the current pause and all later ones immediately. */
    public void stop() {
        stopped.countDown();
    }

    @Override
    public boolean pause(Duration time) {
        boolean interrupted = false;
        try {
            long deadline = System.nanoTime() + time.toNanos();
            while (true) {
                try {
                    return stopped.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
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
