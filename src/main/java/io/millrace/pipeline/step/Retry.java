package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a thing to the store again and again until it succeeds, with growing pauses: while the store is down the feed
 * waits, and nothing is dropped. Ends early, with the failure, once it is {@linkplain #stop() stopped}.
 *
 * <p>Pauses are waits on a latch, never interrupts: an interrupted thread would close the files of Geode's disk store.
 */
public final class Retry {

    private static final Logger LOG = LoggerFactory.getLogger(Retry.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final String pipeline;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Counter failures = new Counter();
    private volatile boolean waiting;

    public Retry(String pipeline) {
        this.pipeline = pipeline;
    }

    /** Does it until it succeeds. */
    public void run(Runnable action) {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                action.run();
                waiting = false;
                return;
            } catch (StoreException e) {
                failures.add(1);
                waiting = true;
                LOG.warn(
                        "{}: the store does not take records, next try in {} ms: {}",
                        pipeline,
                        pause.toMillis(),
                        e.getMessage());
                if (pausedUntilStopped(pause)) {
                    throw e;
                }
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
        }
    }

    private boolean pausedUntilStopped(Duration pause) {
        boolean interrupted = false;
        try {
            long deadline = System.nanoTime() + pause.toNanos();
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

    /** Makes the current and later tries the last. */
    public void stop() {
        stopped.countDown();
    }

    /** Whether the last try failed. */
    public boolean waiting() {
        return waiting;
    }

    /** How many tries have failed. */
    public Counter failures() {
        return failures;
    }
}
