package io.millrace.metrics;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.pipeline.Conservation;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Samples all pipelines and the process once a second, and once more when it stops, and passes the sample to the
 * listeners. It only reads counters; pipelines do not depend on it.
 */
public final class Sampler implements SmartLifecycle, BackgroundTasks {

    private final Pipelines pipelines;
    private final List<ListenerTask> listeners;
    private final BackgroundTask task = new BackgroundTask("sampler");
    private final Map<String, Numbers> last = new ConcurrentHashMap<>();
    private final Numbers first = new Numbers(System.nanoTime(), 0, 0, 0, 0);
    private final CollectorPauses pauses = new CollectorPauses();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sampler").daemon().factory());
    private @Nullable Future<?> next;
    private volatile boolean running;

    public Sampler(Pipelines pipelines, List<SampleListener> listeners) {
        this.pipelines = pipelines;
        this.listeners = listeners.stream().map(ListenerTask::of).toList();
    }

    /** A listener and the task that calls it. */
    private record ListenerTask(SampleListener listener, BackgroundTask task) {

        static ListenerTask of(SampleListener listener) {
            return new ListenerTask(
                    listener,
                    new BackgroundTask("sampler-" + listener.getClass().getSimpleName()));
        }

        void sampled(Sample sample) {
            task.run(() -> listener.sampled(sample));
        }
    }

    /** The counters that rates are computed from. */
    private record Numbers(long nanos, long in, long allocated, long stored, double eventsPerSecond) {}

    /** Returns the records that a pipeline received per second, over the last whole second. */
    public double eventsPerSecond(String pipeline) {
        return last.getOrDefault(pipeline, first).eventsPerSecond;
    }

    /** Samples once. Neither a failed sample nor a failed listener ends the schedule or affects other listeners. */
    private void sampleSafely() {
        task.run(() -> {
            Sample sample = sample();
            listeners.forEach(listener -> listener.sampled(sample));
        });
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return Stream.concat(Stream.of(task, pauses.task()), listeners.stream().map(ListenerTask::task))
                .toList();
    }

    private Sample sample() {
        List<PipelineSample> samples = new ArrayList<>();
        for (Pipeline pipeline : pipelines.all()) {
            samples.add(sample(pipeline));
        }
        return new Sample(
                System.currentTimeMillis(), samples, GarbageCollection.now(), pauses.take(), ProcessSample.now());
    }

    private PipelineSample sample(Pipeline pipeline) {
        PipelineStatus status = PipelineStatus.of(pipeline);
        Numbers previous = last.getOrDefault(pipeline.name(), first);
        long nanos = System.nanoTime();
        long records = status.in() - previous.in;
        double eventsPerSecond = records * 1e9 / Math.max(1, nanos - previous.nanos);
        last.put(
                pipeline.name(),
                new Numbers(nanos, status.in(), status.allocatedBytes(), status.storedBytes(), eventsPerSecond));
        return new PipelineSample(
                pipeline,
                status,
                Conservation.holds(pipeline),
                records,
                eventsPerSecond,
                records == 0 ? 0 : (double) (status.allocatedBytes() - previous.allocated) / records,
                records == 0 ? 0 : (double) (status.storedBytes() - previous.stored) / records);
    }

    @Override
    public void start() {
        running = true;
        next = timer.scheduleAtFixedRate(this::sampleSafely, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void stop() {
        running = false;
        if (next != null) {
            next.cancel(false);
        }
        timer.shutdown();
        sampleSafely();
        pauses.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    /** Starts before the pipelines and stops after them. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
