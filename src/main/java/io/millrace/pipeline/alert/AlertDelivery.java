package io.millrace.pipeline.alert;

import io.millrace.background.BackgroundTask;
import io.millrace.background.LogLimit;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.AlertListener;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events that wait for one listener, and the thread that delivers them in order. If the listener is so slow that
 * the queue is full, further events are dropped: the pipeline never waits. Thread-safe.
 */
public final class AlertDelivery implements AutoCloseable {

    /** Maximum number of events that wait for a listener. */
    public static final int QUEUE_CAPACITY = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(AlertDelivery.class);
    private static final long STOP_TIMEOUT_SECONDS = 5;

    private final String name;
    private final AlertListener listener;
    private final BackgroundTask task;
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final LogLimit dropLog = new LogLimit();
    private final ThreadPoolExecutor thread;

    /** @param name of the listener, unique within the application */
    AlertDelivery(String name, AlertListener listener) {
        this.name = name;
        this.listener = listener;
        task = new BackgroundTask("alert-" + name);
        thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE_CAPACITY),
                Thread.ofPlatform().daemon().name("alert-" + name).factory(),
                (_, _) -> drop());
    }

    /** Adds an event, without waiting. */
    void add(AlertEvent event) {
        thread.execute(() -> deliver(event));
    }

    private void deliver(AlertEvent event) {
        task.run(() -> {
            listener.onAlert(event);
            delivered.incrementAndGet();
        });
    }

    private void drop() {
        dropped.incrementAndGet();
        long suppressed = dropLog.next(System.nanoTime());
        if (suppressed != LogLimit.LEFT_OUT) {
            LOG.warn("Alert listener is too slow, events are dropped: listener={} dropped={}", name, dropped);
        }
    }

    /** Returns the name of the listener. */
    public String name() {
        return name;
    }

    /** Returns the task that calls the listener. */
    BackgroundTask task() {
        return task;
    }

    /** Returns the number of events that the listener has handled. */
    public long delivered() {
        return delivered.get();
    }

    /** Returns the number of events for which the listener has thrown an exception. */
    public long failed() {
        return task.status().failures();
    }

    /** Returns the number of events that were dropped because too many were waiting. */
    public long dropped() {
        return dropped.get();
    }

    /** Delivers the events that are waiting, for a few seconds at most. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                int left = thread.shutdownNow().size();
                LOG.warn("Alert listener did not stop in time, events are dropped: listener={} dropped={}", name, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
