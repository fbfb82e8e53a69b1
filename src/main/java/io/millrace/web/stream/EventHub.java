package io.millrace.web.stream;

import io.millrace.background.BackgroundTask;
import io.millrace.background.OutOfMemory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * Publishes events to all listeners without waiting for any of them. While there are listeners, one buffer for all of
 * them stores the last events; a listener that is too slow misses events. Thread-safe.
 */
public final class EventHub<T> {

    private final int maxRecent;
    private final BackgroundTask task;
    private final Deque<T> recent = new ArrayDeque<>();
    private final Set<Listener<T>> listeners = new HashSet<>();
    private long published;
    private boolean waking;
    private boolean closed;

    /**
     * @param name unique within the application, for health checks
     * @param maxRecent number of events that are stored for slow listeners
     */
    public EventHub(String name, int maxRecent) {
        this.maxRecent = maxRecent;
        this.task = new BackgroundTask("events-" + name);
    }

    /** Returns the task that wakes the listeners, for health checks. */
    public BackgroundTask task() {
        return task;
    }

    /** Publishes an event. Returns at once, whatever the listeners do. */
    public synchronized void publish(T event) {
        if (listeners.isEmpty()) {
            return;
        }
        if (recent.size() == maxRecent) {
            recent.removeFirst();
        }
        recent.addLast(event);
        published++;
        wakeSoon();
    }

    /**
     * Returns events from now on, until the hub is {@linkplain #close closed}.
     *
     * @param encoding encodes an event as a {@linkplain EventBytes server-sent} one
     * @param first is sent before all others; null for none
     */
    public synchronized EventSource listen(Function<T, byte[]> encoding, @Nullable T first) {
        return listen(new Listener<>(this, encoding, first, published, Duration.ZERO));
    }

    /**
     * Returns the latest event at each interval, and skips those before it.
     *
     * @param encoding encodes an event as a {@linkplain EventBytes server-sent} one
     * @param interval minimum time between two events
     */
    public synchronized EventSource sample(Function<T, byte[]> encoding, Duration interval) {
        return listen(new Listener<>(this, encoding, null, published, interval));
    }

    private EventSource listen(Listener<T> listener) {
        listeners.add(listener);
        return listener;
    }

    /** Returns whether there are listeners. */
    public synchronized boolean heard() {
        return !listeners.isEmpty();
    }

    /** Ends the streams of all listeners. */
    public synchronized void close() {
        closed = true;
        wakeSoon();
    }

    /** Wakes the listeners in another thread, so that the publisher does not encode events. */
    private void wakeSoon() {
        if (!waking) {
            // Set last, so that the next event retries a schedule that failed.
            Schedulers.parallel().schedule(this::wake);
            waking = true;
        }
    }

    private void wake() {
        task.run(() -> {
            List<Runnable> calls = takeCalls();
            Throwable first = null;
            for (Runnable call : calls) {
                try {
                    call.run();
                } catch (Throwable e) { // a listener that fails must not stop the event for others
                    OutOfMemory.report(e);
                    first = first == null ? e : first;
                }
            }
            if (first != null) {
                throw new IllegalStateException("An event could not be sent to a client: " + first, first);
            }
        });
    }

    private synchronized List<Runnable> takeCalls() {
        List<Runnable> calls = new ArrayList<>();
        waking = false;
        for (Listener<T> listener : listeners) {
            MonoSink<T> sink = listener.waiting;
            if (sink != null) {
                answer(listener, sink, calls);
            }
        }
        return calls;
    }

    /**
     * Adds a call that delivers the next event or the end to a listener, to be run outside the lock. If there is
     * neither, the listener waits.
     */
    private void answer(Listener<T> listener, MonoSink<T> sink, List<Runnable> calls) {
        T event = take(listener);
        if (event == null && !closed) {
            listener.waiting = sink;
            return;
        }
        listener.waiting = null;
        calls.add(event == null ? sink::success : () -> sink.success(event));
    }

    private @Nullable T take(Listener<T> listener) {
        T first = listener.first;
        if (first != null) {
            listener.first = null;
            return first;
        }
        if (listener.next == published) {
            return null;
        }
        listener.next = Math.max(listener.next, listener.sampling() ? published - 1 : published - recent.size());
        int index = (int) (listener.next++ - (published - recent.size()));
        for (T event : recent) {
            if (index-- == 0) {
                return event;
            }
        }
        throw new AssertionError("of " + recent.size() + " events one more was asked for");
    }

    private void await(Listener<T> listener, MonoSink<T> sink) {
        List<Runnable> calls = new ArrayList<>();
        synchronized (this) {
            answer(listener, sink, calls);
        }
        calls.forEach(Runnable::run);
    }

    @SuppressWarnings("ReferenceEquality") // only this subscription
    private synchronized void giveUp(Listener<T> listener, MonoSink<T> sink) {
        if (listener.waiting == sink) {
            listener.waiting = null;
        }
    }

    private synchronized void remove(Listener<T> listener) {
        listeners.remove(listener);
        listener.waiting = null;
        if (listeners.isEmpty()) {
            recent.clear();
        }
    }

    /** A listener; the hub's lock guards its state. */
    private static final class Listener<T> implements EventSource {
        private final EventHub<T> hub;
        private final Function<T, byte[]> encoding;
        private @Nullable T first;
        /** Number of the next event to deliver. */
        private long next;

        private @Nullable MonoSink<T> waiting;

        /** Minimum time between two events; zero to receive all. */
        private final Duration interval;

        private volatile long dueNanos = System.nanoTime();

        Listener(EventHub<T> hub, Function<T, byte[]> encoding, @Nullable T first, long next, Duration interval) {
            this.hub = hub;
            this.encoding = encoding;
            this.first = first;
            this.next = next;
            this.interval = interval;
        }

        boolean sampling() {
            return !interval.isZero();
        }

        @Override
        public Mono<byte[]> next() {
            return (sampling() ? Mono.defer(this::whenDue) : soonest()).map(encoding);
        }

        private Mono<T> soonest() {
            return Mono.create(sink -> {
                sink.onDispose(() -> hub.giveUp(this, sink));
                hub.await(this, sink);
            });
        }

        private Mono<T> whenDue() {
            Duration wait = Duration.ofNanos(Math.max(0, dueNanos - System.nanoTime()));
            return Mono.delay(wait)
                    .then(soonest())
                    .doOnNext(event -> dueNanos = System.nanoTime() + interval.toNanos());
        }

        @Override
        public void end() {
            hub.remove(this);
        }
    }
}
