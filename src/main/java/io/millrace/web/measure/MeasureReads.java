package io.millrace.web.measure;

import io.millrace.background.OutOfMemory;
import io.millrace.web.request.BusyException;
import io.millrace.web.request.Workers;
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
 * Reads of measures and alerts. One thread computes all results, those of one measure at most ten times a second and in
 * at most a twentieth of the time, so that clients do not slow down the pipeline, however many read in a loop.
 *
 * <p>A result is never older than the read: reads that arrive during the pause after a result wait for the next one and
 * share it. They block no thread. Thread-safe.
 */
final class MeasureReads implements AutoCloseable {

    /** Minimum pause between two results of a measure. */
    static final Duration PAUSE_MIN = Duration.ofMillis(100);

    /** Minimum ratio of a pause to the time that it took to compute the previous result. */
    static final int PAUSE_TO_WORK = 20;

    /** Maximum number of reads of one measure that wait. */
    static final int WAITING_MAX = 1000;

    /**
     * Maximum number of reads of one measure that wait with different parameters, so that each needs a result of its
     * own.
     */
    static final int DIFFERENT_MAX = 16;

    private static final int RETRY_AFTER_SECONDS = 1;

    private final Clock clock;
    private final Map<String, Source> sources = new HashMap<>();

    /** The time, and the thread that computes results. */
    interface Clock extends AutoCloseable {

        /** As {@link System#nanoTime}. */
        long nanoTime();

        /** Runs a task in the thread after a delay. */
        void schedule(Runnable task, long delayNanos);

        @Override
        void close();

        /** Returns the system's time with a thread of its own. */
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
     * Reads when it is subscribed to.
     *
     * @param source name of what is read, such as a measure
     * @param parameters reads of the same source with equal parameters share a result
     * @param making computes the result, in the thread of all reads
     * @return the result; a {@link BusyException} if too many reads wait
     */
    Mono<byte[]> read(String source, Object parameters, Callable<byte[]> making) {
        return Mono.create(sink -> of(source).add(parameters, making, sink));
    }

    /** Returns a response with a result in JSON. */
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

    /** A measure, or the alerts, with the reads that wait. */
    private final class Source {

        private final String name;
        private final Map<Object, Shared> waiting = new LinkedHashMap<>();
        private int waitingReads;
        private boolean scheduled;
        /** Time from which the next result may be computed. */
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

        /** Removes a read whose client is gone or has its result. */
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

        /** Computes a result for each group of reads that have arrived so far. */
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
            } catch (Throwable e) { // includes Error: otherwise the client would wait forever
                answer = sink -> sink.error(e);
            }
            for (MonoSink<byte[]> sink : shared.sinks()) {
                try {
                    answer.accept(sink);
                } catch (Throwable e) { // a client that fails must not stop the result for others
                    OutOfMemory.report(e);
                }
            }
        }
    }
}
