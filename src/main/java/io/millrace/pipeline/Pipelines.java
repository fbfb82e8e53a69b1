package io.millrace.pipeline;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.springframework.context.SmartLifecycle;

/**
 * All pipelines of this service. They start after everything that may subscribe to their channels, and stop before it.
 */
@API(status = API.Status.STABLE)
public final class Pipelines implements SmartLifecycle {

    private final List<Pipeline> pipelines;
    private volatile boolean running;

    @API(status = API.Status.INTERNAL)
    public Pipelines(List<Pipeline> pipelines) {
        this.pipelines = List.copyOf(pipelines);
    }

    /** Returns all pipelines, in the order of the configuration. */
    public List<Pipeline> all() {
        return pipelines;
    }

    /** Returns the pipeline of this name. */
    public Optional<Pipeline> named(String name) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.name().equals(name))
                .findFirst();
    }

    /** Returns whether no pipeline takes further records from its feed. */
    public boolean ended() {
        return pipelines.stream().allMatch(Pipeline::ended);
    }

    @Override
    public void start() {
        running = true;
        // All subscribe before any sends: a channel without subscribers would lose records sent by another pipeline.
        pipelines.forEach(Pipeline::listen);
        pipelines.forEach(Pipeline::start);
    }

    @Override
    public void stop() {
        running = false;
        pipelines.forEach(Pipeline::askToStop);
        pipelines.forEach(Pipeline::stop);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns false: a pipeline that has stopped cannot start again, so it continues while the context is paused. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
