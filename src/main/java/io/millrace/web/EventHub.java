package io.millrace.web;

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
 * Hands events on to all who listen, without waiting for any of them: the last events are kept, once for all, while
 * anybody listens; who comes too late for one misses it. Thread-safe.
 */
public final class EventHub<T> {

    private final int most;
    private final BackgroundTask task;
    private final Deque<T> kept = new ArrayDeque<>();
    private final Set<Listener<T>> listeners = new HashSet<>();
    private long published;
    private boolean waking;
    private boolean closed;

    /**
     * @param name unique within the application, for health checks
     * @param most how many of the last events are kept for listeners that are slow
     */
    public EventHub(String name, int most) {
        this.most = most;
        this.task = new BackgroundTask("events-" + name);
    }

    /** Returns what wakes the listeners, for health checks. */
    public BackgroundTask task() {
        return task;
    }

    /** Hands on an event; returns at once, whoever listens. */
    public synchronized void publish(T event) {
        if (listeners.isEmpty()) {
            return;
        }
        if (kept.size() == most) {
            kept.removeFirst();
        }
        kept.addLast(event);
        published++;
        wakeSoon();
    }

    /**
     * Events from now on, until the {@linkplain #close end}.
     *
     * @param encoding of an event as a {@linkplain EventBytes server-sent} one
     * @param first comes before all others; null for none
     */
    public synchronized EventSource listen(Function<T, byte[]> encoding, @Nullable T first) {
        return listen(new Listener<>(this, encoding, first, published, Duration.ZERO));
    }

    /**
     * The latest event from time to time, and what came before it not at all.
     *
     * @param encoding of an event as a {@linkplain EventBytes server-sent} one
     * @param interval between two events at least
     */
    public synchronized EventSource sample(Function<T, byte[]> encoding, Duration interval) {
        return listen(new Listener<>(this, encoding, null, published, interval));
    }

    private EventSource listen(Listener<T> listener) {
        listeners.add(listener);
        return listener;
    }

    /** Whether anybody listens. */
    public synchronized boolean heard() {
        return !listeners.isEmpty();
    }

    /** Ends the streams of all who listen. */
    public synchronized void close() {
        closed = true;
        wakeSoon();
    }

    /** Elsewhere: who publishes has other things to do than to encode events. */
    private void wakeSoon() {
        if (!waking) {
            // Set last: after a schedule that failed the next event tries again.
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
                } catch (Throwable e) { // One that fails must not keep the event from the others.
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

    /** Gives a listener the next event or the end, where there is either, outside of the lock; else it waits. */
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
        listener.next = Math.max(listener.next, listener.sampling() ? published - 1 : published - kept.size());
        int index = (int) (listener.next++ - (published - kept.size()));
        for (T event : kept) {
            if (index-- == 0) {
                return event;
            }
        }
        throw new AssertionError("of " + kept.size() + " events one more was asked for");
    }

    private void await(Listener<T> listener, MonoSink<T> sink) {
        List<Runnable> calls = new ArrayList<>();
        synchronized (this) {
            answer(listener, sink, calls);
        }
        calls.forEach(Runnable::run);
    }

    @SuppressWarnings("ReferenceEquality") // this very wait is meant
    private synchronized void giveUp(Listener<T> listener, MonoSink<T> sink) {
        if (listener.waiting == sink) {
            listener.waiting = null;
        }
    }

    private synchronized void remove(Listener<T> listener) {
        listeners.remove(listener);
        listener.waiting = null;
        if (listeners.isEmpty()) {
            kept.clear();
        }
    }

    /** One who listens; its state is guarded by the hub. */
    private static final class Listener<T> implements EventSource {
        private final EventHub<T> hub;
        private final Function<T, byte[]> encoding;
        private @Nullable T first;
        /** Number of the event that it wants next. */
        private long next;

        private @Nullable MonoSink<T> waiting;

        /** Between two events at least; zero for one who wants all. */
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
