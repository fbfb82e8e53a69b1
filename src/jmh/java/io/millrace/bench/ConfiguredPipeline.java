package io.millrace.bench;

import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.plan.Setup;
import io.millrace.config.plan.SetupPlanner;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.pipeline.Pipeline;
import io.millrace.pipeline.PipelineAssembler;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.run.PipelineLimits;
import io.millrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.integration.config.EnableIntegration;

/** A pipeline of Millrace, assembled from configuration, with its channels and a store, which it closes. */
final class ConfiguredPipeline implements AutoCloseable {

    private static final long WAIT_NS = 200_000;

    private final AnnotationConfigApplicationContext context;
    private final Store store;
    private final Pipelines pipelines;

    /** Spring Integration, as {@code MillraceAutoConfiguration} sets it up. */
    @Configuration
    @EnableIntegration
    static class Integration {}

    /** What a configuration asks for, compiled once, so that the JIT compiler has seen it before it is measured. */
    record Planned(Setup setup, MillraceProperties properties) {

        static Planned of(Path file) throws IOException {
            ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
            MillraceProperties properties = PropertyBinding.bind(environment);
            return new Planned(
                    new SetupPlanner(properties, PipelineReader.of(environment), FunctionRegistry.empty()).plan(),
                    properties);
        }
    }

    ConfiguredPipeline(Planned planned, Store store) {
        this.store = store;
        planned.setup.regions().forEach(store::open);
        planned.setup.statePersistence().forEach(store::openStates);
        context = new AnnotationConfigApplicationContext(Integration.class);
        MillraceProperties properties = planned.properties;
        PipelineAssembler assembler = new PipelineAssembler(
                context.getBeanFactory(),
                store,
                planned.setup.outputs(),
                new PipelineLimits(properties.batchRecords(), properties.latency(), properties.flush(), null),
                bundle -> {
                    throw new IllegalArgumentException("no connection here is secured");
                },
                "here",
                properties.pipelines().keySet());
        pipelines = new Pipelines(
                planned.setup.pipelines().stream().map(assembler::assemble).toList());
    }

    Store store() {
        return store;
    }

    Pipeline pipeline() {
        return pipelines.all().getFirst();
    }

    /** Returns its status; fails if it has failed. */
    PipelineStatus status() {
        if (pipeline().error() != null) {
            throw new IllegalStateException(pipeline().error());
        }
        return PipelineStatus.of(pipeline());
    }

    void start() {
        pipelines.start();
    }

    /** Starts it, and returns once all of its feed is stored. */
    void run() {
        start();
        while (!pipelines.ended()) {
            pause();
        }
    }

    boolean ended() {
        return pipelines.ended();
    }

    /** Waits for a moment. */
    static void pause() {
        LockSupport.parkNanos(WAIT_NS);
    }

    @Override
    public void close() {
        pipelines.stop();
        context.close();
        store.close();
    }
}
