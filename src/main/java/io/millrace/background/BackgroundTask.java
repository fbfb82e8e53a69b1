package io.millrace.background;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs repeated work so that no failure ends the repetition: {@link #run} catches exceptions and errors, logs them, and
 * stores the last one for health checks. A failure that repeats run after run is logged once, and so is the first
 * success after it. An {@link OutOfMemoryError} is also {@linkplain OutOfMemory#report reported}.
 *
 * <p>Thread-safe.
 */
public final class BackgroundTask {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundTask.class);

    private final String name;
    private final AtomicLong failures = new AtomicLong();
    private volatile @Nullable Failure lastFailure;
    private volatile boolean failing;
    private volatile @Nullable Instant lastRun;

    /** @param name unique within the application, for logs and health checks */
    public BackgroundTask(String name) {
        this.name = name;
    }

    /** A run that failed. */
    private record Failure(String description, Instant time) {}

    /**
     * The state of a task at one moment.
     *
     * @param name name of the task
     * @param failing whether the last run failed
     * @param failures number of failed runs since the start
     * @param lastRun end of the last run; null before the first
     * @param lastFailure description of the last failure; null if no run has failed
     * @param lastFailureTime time of the last failure; null if no run has failed
     */
    public record Status(
            String name,
            boolean failing,
            long failures,
            @Nullable Instant lastRun,
            @Nullable String lastFailure,
            @Nullable Instant lastFailureTime) {}

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Runs the action. Never throws; a failure is logged and reported by {@link #status}. */
    public void run(Runnable action) {
        try {
            action.run();
            recordSuccess();
        } catch (Throwable e) { // Errors included: they would end the thread, or the schedule, without a trace.
            if (recordFailure(e)) {
                log(e);
            }
        }
    }

    /** Records a run that succeeded, for owners that run the work themselves. */
    public void recordSuccess() {
        lastRun = Instant.now();
        if (failing) {
            failing = false;
            LOG.info("Background task {} recovered: failures={}", name, failures);
        }
    }

    /**
     * Records a failure that its owner logs. Never throws, even if the JVM is out of memory.
     *
     * @return whether the failure differs from that of the previous run and should be logged
     */
    public boolean recordFailure(Throwable failure) {
        OutOfMemory.report(failure);
        boolean failedBefore = failing;
        failing = true;
        failures.incrementAndGet();
        try {
            Failure previous = lastFailure;
            Failure current = new Failure(failure.toString(), Instant.now());
            lastRun = current.time;
            lastFailure = current;
            return !failedBefore || previous == null || !previous.description.equals(current.description);
        } catch (Throwable more) { // If there is no memory for a description, there is none for a log line either.
            return false;
        }
    }

    private void log(Throwable failure) {
        try {
            LOG.error("Background task {} failed and continues with its next run: {}", name, failure, failure);
        } catch (Throwable more) { // The failure stays visible in the status.
            OutOfMemory.report(more);
        }
    }

    /** Returns the current state. */
    public Status status() {
        Failure last = lastFailure;
        return new Status(
                name,
                failing,
                failures.get(),
                lastRun,
                last == null ? null : last.description,
                last == null ? null : last.time);
    }
}
