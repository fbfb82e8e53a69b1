package io.millrace.pipeline;

import java.util.List;
import java.util.Optional;
import org.springframework.context.SmartLifecycle;

/** All pipelines of this service, started after everything that may listen on their channels, stopped before it. */
public final class Pipelines implements SmartLifecycle {

    private final List<Pipeline> pipelines;
    private volatile boolean running;

    public Pipelines(List<Pipeline> pipelines) {
        this.pipelines = List.copyOf(pipelines);
    }

    /** All of them, in the order of the configuration. */
    public List<Pipeline> all() {
        return pipelines;
    }

    /** The pipeline of this name. */
    public Optional<Pipeline> named(String name) {
        return pipelines.stream()
                .filter(pipeline -> pipeline.name().equals(name))
                .findFirst();
    }

    /** Whether no pipeline will take another record from its feed. */
    public boolean ended() {
        return pipelines.stream().allMatch(Pipeline::ended);
    }

    @Override
    public void start() {
        running = true;
        // All listen before any sends: a channel without listeners would lose what one pipeline sends to another.
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

    /** A pipeline that has ended is not begun again, so a context that is only paused goes on. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
