package io.millrace.metrics;

import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Once a second writes a line for each pipeline whose records pass, and a summary when a feed has ended. */
public final class PipelineReporter implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineReporter.class);

    private final Pipelines pipelines;
    private final Map<String, Sample> samples = new ConcurrentHashMap<>();
    private final long startedNanos = System.nanoTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("reporter").daemon().factory());
    private @Nullable Future<?> next;
    private volatile boolean running;

    public PipelineReporter(Pipelines pipelines) {
        this.pipelines = pipelines;
    }

    /** Records that came in a second, over the last whole second. */
    public double eventsPerSecond(String pipeline) {
        Sample sample = samples.get(pipeline);
        return sample == null ? 0 : sample.eventsPerSecond;
    }

    /** A report that fails must not be the last. */
    private void reportAndGoOn() {
        try {
            report();
        } catch (RuntimeException e) {
            LOG.warn("a report failed", e);
        }
    }

    private void report() {
        GarbageCollection gc = GarbageCollection.now();
        for (Pipeline pipeline : pipelines.all()) {
            PipelineStatus status = PipelineStatus.of(pipeline);
            boolean ended = pipeline.state() == PipelineState.DONE || pipeline.state() == PipelineState.FAILED;
            Sample last = samples.getOrDefault(pipeline.name(), new Sample(startedNanos, 0, 0, 0, false, gc));
            Sample now = last.next(System.nanoTime(), status, ended, gc);
            samples.put(pipeline.name(), now);
            if (status.in() > last.in && !ended) {
                LOG.info("{}", line(status, now, gc.since(last.gc)));
            } else if (ended && !last.ended) {
                LOG.info("{}", summary(status, pipeline.elapsedNanos() / 1e9, gc));
            }
        }
    }

    private static String line(PipelineStatus status, Sample now, GarbageCollection gc) {
        return String.format(
                Locale.ROOT,
                "%s: %,.0f events/s, in %,d, kept %,d, dropped %,d, rejected %,d, gc %d ms, %.1f B/event",
                status.name(),
                now.eventsPerSecond,
                status.in(),
                status.kept(),
                status.dropped(),
                status.rejected(),
                gc.pauseMs(),
                now.bytesPerEvent);
    }

    private static String summary(PipelineStatus status, double seconds, GarbageCollection gc) {
        return String.format(
                Locale.ROOT,
                "%s: %s after %.2f s, %,.0f events/s: in %,d = kept %,d + dropped %,d + rejected %,d + in flight %,d;"
                        + " %.2f B/event allocated beyond stored values; gc: %d pauses, %d ms",
                status.name(),
                status.state(),
                seconds,
                status.in() / seconds,
                status.in(),
                status.kept(),
                status.dropped(),
                status.rejected(),
                status.inFlight(),
                status.allocatedPerRecord(),
                gc.pauses(),
                gc.pauseMs());
    }

    @Override
    public void start() {
        running = true;
        next = timer.scheduleAtFixedRate(this::reportAndGoOn, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void stop() {
        running = false;
        if (next != null) {
            next.cancel(false);
        }
        timer.shutdown();
        reportAndGoOn();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    /** Before the pipelines begin, and until after they have ended. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }

    /** A pipeline's figures at one moment, and the rates since the one before. */
    private record Sample(
            long nanos,
            long in,
            long allocated,
            double eventsPerSecond,
            double bytesPerEvent,
            boolean ended,
            GarbageCollection gc) {

        Sample(long nanos, long in, long allocated, double eventsPerSecond, boolean ended, GarbageCollection gc) {
            this(nanos, in, allocated, eventsPerSecond, 0, ended, gc);
        }

        Sample next(long at, PipelineStatus status, boolean hasEnded, GarbageCollection gcNow) {
            long records = status.in() - in;
            return new Sample(
                    at,
                    status.in(),
                    status.allocatedBytes(),
                    records * 1e9 / Math.max(1, at - nanos),
                    records == 0 ? 0 : (double) (status.allocatedBytes() - allocated) / records,
                    hasEnded,
                    gcNow);
        }
    }
}
