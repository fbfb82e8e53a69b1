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
 * Looks at all pipelines and at the process once a second, and once more when it stops, and tells those who listen. It
 * reads counters only; the pipelines know nothing of it.
 */
public final class Sampler implements SmartLifecycle, BackgroundTasks {

    private final Pipelines pipelines;
    private final List<ListenerTask> listeners;
    private final BackgroundTask task = new BackgroundTask("sampler");
    private final Map<String, Figures> last = new ConcurrentHashMap<>();
    private final Figures first = new Figures(System.nanoTime(), 0, 0, 0, 0);
    private final CollectorPauses pauses = new CollectorPauses();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sampler").daemon().factory());
    private @Nullable Future<?> next;
    private volatile boolean running;

    public Sampler(Pipelines pipelines, List<SampleListener> listeners) {
        this.pipelines = pipelines;
        this.listeners = listeners.stream().map(ListenerTask::of).toList();
    }

    /** A listener, and what calls it. */
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

    /** What rates are computed from. */
    private record Figures(long nanos, long in, long allocated, long stored, double eventsPerSecond) {}

    /** Records that came in a second, over the last whole second. */
    public double eventsPerSecond(String pipeline) {
        return last.getOrDefault(pipeline, first).eventsPerSecond;
    }

    /** A sample that fails must not be the last, nor a listener keep the others from it. */
    private void sampleAndGoOn() {
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
        Figures before = last.getOrDefault(pipeline.name(), first);
        long nanos = System.nanoTime();
        long records = status.in() - before.in;
        double eventsPerSecond = records * 1e9 / Math.max(1, nanos - before.nanos);
        last.put(
                pipeline.name(),
                new Figures(nanos, status.in(), status.allocatedBytes(), status.storedBytes(), eventsPerSecond));
        return new PipelineSample(
                pipeline,
                status,
                Conservation.holds(pipeline),
                records,
                eventsPerSecond,
                records == 0 ? 0 : (double) (status.allocatedBytes() - before.allocated) / records,
                records == 0 ? 0 : (double) (status.storedBytes() - before.stored) / records);
    }

    @Override
    public void start() {
        running = true;
        next = timer.scheduleAtFixedRate(this::sampleAndGoOn, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void stop() {
        running = false;
        if (next != null) {
            next.cancel(false);
        }
        timer.shutdown();
        sampleAndGoOn();
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

    /** Before the pipelines begin, and until after they have ended. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
