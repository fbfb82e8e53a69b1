package io.millrace.web.page;

import io.millrace.background.BackgroundTask;
import io.millrace.background.BackgroundTasks;
import io.millrace.metrics.Sample;
import io.millrace.metrics.SampleListener;
import io.millrace.store.region.Regions;
import io.millrace.web.request.Workers;
import io.millrace.web.stream.EventBytes;
import io.millrace.web.stream.EventHub;
import io.millrace.web.stream.EventSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts each sample to a moment while there are listeners, once for all of them, and always adds it to the history.
 * Thread-safe.
 */
final class LiveMoments implements SampleListener, ApplicationListener<ContextClosedEvent>, BackgroundTasks {

    private final JsonMapper mapper;
    private final SeenRegions regions;
    private final History history = new History();
    /** Stores only the last moment, since older ones are out of date. */
    private final EventHub<byte[]> hub = new EventHub<>("live", 1);

    private final BackgroundTask task = new BackgroundTask("live-moments");
    private final AtomicBoolean making = new AtomicBoolean();
    private volatile @Nullable Sample last;
    /** Time of the sample in {@link #event}. */
    private long encodedTime;

    private byte[] event = new byte[0];

    LiveMoments(Regions openRegions, JsonMapper mapper) {
        this.mapper = mapper;
        this.regions = new SeenRegions(openRegions);
    }

    @Override
    public void sampled(Sample sample) {
        last = sample;
        history.add(sample);
        // A slow store blocks one worker, but neither the sampler nor a second worker.
        if (hub.heard() && making.compareAndSet(false, true)) {
            try {
                Workers.SCHEDULER.schedule(this::make);
            } catch (Throwable e) { // such as no memory for a worker: retried in the next second
                making.set(false);
                throw e;
            }
        }
    }

    private void make() {
        task.run(() -> {
            byte[] moment = latest();
            if (moment != null) {
                hub.publish(moment);
            }
        });
        making.set(false);
    }

    @Override
    public List<BackgroundTask> backgroundTasks() {
        return List.of(task, hub.task());
    }

    /**
     * Returns the moment of the last sample as an event; null before the first sample. May read the metrics of regions.
     */
    synchronized byte @Nullable [] latest() {
        Sample sample = last;
        if (sample == null) {
            return null;
        }
        if (sample.time() != encodedTime) {
            event = EventBytes.data(mapper.writeValueAsBytes(Moment.of(sample, regions.views())));
            encodedTime = sample.time();
        }
        return event;
    }

    /** @param first is sent before all others; null for none */
    EventSource listen(byte @Nullable [] first) {
        return hub.listen(Function.identity(), first);
    }

    Map<String, Object> history() {
        return history.view();
    }

    /** Ends the streams before the server waits for its responses to complete: streams do not end by themselves. */
    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        hub.close();
    }
}
