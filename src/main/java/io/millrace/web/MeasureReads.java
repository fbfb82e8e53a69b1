package io.millrace.web;

import io.millrace.background.OutOfMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Reads of measures and alerts. One thread makes all results, and those of one measure at most ten times a second and
 * in a twentieth of the time, so that clients don't slow down the pipeline, however many read in a loop.
 *
 * <p>A result is never older than the read: reads that arrive during the pause after a result wait for the next one and
 * share it. They hold no thread. Thread-safe.
 */
final class MeasureReads implements AutoCloseable {

    /** Least pause between two results of a measure. */
    static final Duration PAUSE_MIN = Duration.ofMillis(100);

    /** A pause is at least so many times as long as it took to make the result before. */
    static final int PAUSE_TO_WORK = 20;

    /** Reads of one measure that wait. */
    static final int WAITING_MAX = 1000;

    /** Reads of one measure that wait and differ in their parameters, so that each needs a result of its own. */
    static final int DIFFERENT_MAX = 16;

    private static final int RETRY_AFTER_SECONDS = 1;

    private final Clock clock;
    private final Map<String, Source> sources = new HashMap<>();

    /** Time, and the thread that makes results. */
    interface Clock extends AutoCloseable {

        /** As {@link System#nanoTime}. */
        long nanoTime();

        /** Runs a task in the thread, once some time has passed. */
        void schedule(Runnable task, long delayNanos);

        @Override
        void close();

        /** Returns the real time and a thread of its own. */
        static Clock real() {
            ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("measure-reads").daemon().factory());
            return new Clock() {
                @Override
                public long nanoTime() {
                    return System.nanoTime();
                }

                @Override
                public void schedule(Runnable task, long delayNanos) {
                    var _ = thread.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
                }

                @Override
                public void close() {
                    thread.shutdownNow();
                }
            };
        }
    }

    MeasureReads(Clock clock) {
        this.clock = clock;
    }

    /**
     * Reads once it is subscribed to.
     *
     * @param source what is read, such as a measure
     * @param parameters reads of the same source with equal parameters share a result
     * @param making makes the result, in the thread of all reads
     * @return the result; a {@link BusyException} where too many reads wait
     */
    Mono<byte[]> read(String source, Object parameters, Callable<byte[]> making) {
        return Mono.create(sink -> of(source).add(parameters, making, sink));
    }

    /** Returns the response that a result in JSON makes. */
    static ResponseEntity<byte[]> json(byte[] result) {
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(result);
    }

    private Source of(String name) {
        synchronized (sources) {
            return sources.computeIfAbsent(name, Source::new);
        }
    }

    @Override
    public void close() {
        clock.close();
    }

    /** Reads that wait for the same result. */
    private record Shared(Callable<byte[]> making, List<MonoSink<byte[]>> sinks) {}

    /** What is read. */
    private final class Source {

        private final String name;
        private final Map<Object, Shared> waiting = new LinkedHashMap<>();
        private int waitingReads;
        private boolean scheduled;
        /** When the next result may be made. */
        private long dueNanos = clock.nanoTime();

        Source(String name) {
            this.name = name;
        }

        synchronized void add(Object parameters, Callable<byte[]> making, MonoSink<byte[]> sink) {
            Shared shared = waiting.get(parameters);
            if (waitingReads == WAITING_MAX || (shared == null && waiting.size() == DIFFERENT_MAX)) {
                sink.error(new BusyException(
                        "Too many reads of '" + name + "' at a time. Repeat the request later.", RETRY_AFTER_SECONDS));
                return;
            }
            if (shared == null) {
                shared = new Shared(making, new ArrayList<>());
                waiting.put(parameters, shared);
            }
            shared.sinks().add(sink);
            waitingReads++;
            sink.onDispose(() -> remove(parameters, sink));
            schedule();
        }

        /** The client has gone, or has its result. */
        private synchronized void remove(Object parameters, MonoSink<byte[]> sink) {
            Shared shared = waiting.get(parameters);
            if (shared != null && shared.sinks().remove(sink)) {
                waitingReads--;
                if (shared.sinks().isEmpty()) {
                    waiting.remove(parameters);
                }
            }
        }

        private void schedule() {
            if (!scheduled && !waiting.isEmpty()) {
                clock.schedule(this::make, Math.max(0, dueNanos - clock.nanoTime()));
                scheduled = true;
            }
        }

        /** Makes a result for each group of reads that have arrived so far. */
        private void make() {
            List<Shared> arrived = take();
            long startNanos = clock.nanoTime();
            try {
                arrived.forEach(Source::answer);
            } finally {
                long endNanos = clock.nanoTime();
                pause(endNanos, endNanos - startNanos);
            }
        }

        private synchronized List<Shared> take() {
            List<Shared> arrived = List.copyOf(waiting.values());
            waiting.clear();
            waitingReads = 0;
            return arrived;
        }

        private synchronized void pause(long nowNanos, long workNanos) {
            dueNanos = nowNanos + Math.max(PAUSE_MIN.toNanos(), PAUSE_TO_WORK * workNanos);
            scheduled = false;
            schedule();
        }

        private static void answer(Shared shared) {
            Consumer<MonoSink<byte[]>> answer;
            try {
                byte[] result = Workers.answering(shared.making());
                answer = sink -> sink.success(result);
            } catch (Throwable e) { // errors included: else the client would wait for ever
                answer = sink -> sink.error(e);
            }
            for (MonoSink<byte[]> sink : shared.sinks()) {
                try {
                    answer.accept(sink);
                } catch (Throwable e) { // One that fails must not keep the result from the others.
                    OutOfMemory.report(e);
                }
            }
        }
    }
}
