package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.file.FileDefinition;
import io.millrace.metrics.CollectorPause;
import io.millrace.metrics.GarbageCollection;
import io.millrace.metrics.PipelineReporter;
import io.millrace.metrics.PipelineSample;
import io.millrace.metrics.ProcessSample;
import io.millrace.metrics.Sample;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.run.PipelineLimits;
import io.millrace.pipeline.step.route.Branch;
import io.millrace.pipeline.step.route.RouteDefinition;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.write.RegionWriter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Whoever sees that a pipeline is done sees its final counts, at whatever moment the pipeline ends. */
@ExtendWith(OutputCaptureExtension.class)
class FinalCountsTest {

    private static final int TRADES = 1_000;

    @TempDir
    Path folder;

    /** Runs once, when the counters of the second region are about to be read. */
    private final AtomicReference<Runnable> beforeSecondRegion = new AtomicReference<>(FinalCountsTest::nothing);

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
            // Opens the regions; nothing is sent to this pipeline.
            .withPropertyValues(
                    "millrace.regions.buys.layout=blocks",
                    "millrace.regions.sells.layout=blocks",
                    "millrace.pipelines.opens.schema=trade",
                    "millrace.pipelines.opens.rejects=trades-rejected",
                    "millrace.pipelines.opens.steps[0].route[0].when=buySell == 'Buy'",
                    "millrace.pipelines.opens.steps[0].route[0].to=buys",
                    "millrace.pipelines.opens.steps[0].route[1].otherwise=sells");

    @AfterEach
    void resetLevel() {
        ((Logger) LoggerFactory.getLogger(PipelineReporter.class)).setLevel(null);
    }

    @Test
    void shouldBeFinalWherePipelineEndsWhileTheyAreRead() {
        context.withPropertyValues("millrace.data=" + folder).run(beans -> {
            Pipeline pipeline = assemble(beans.getSourceApplicationContext());
            beforeSecondRegion.set(() -> {
                pipeline.start();
                await().until(() -> pipeline.state() == PipelineState.DONE);
            });
            PipelineStatus during = PipelineStatus.of(pipeline);
            if (during.state().equals("done")) {
                assertThat(during.inFlight()).isZero();
                assertThat(during.in()).isEqualTo(TRADES);
            }
            PipelineStatus after = PipelineStatus.of(pipeline);
            assertThat(after.state()).isEqualTo("done");
            assertThat(after.ended()).isTrue();
            assertThat(after.in()).isEqualTo(TRADES);
            assertThat(after.inFlight()).isZero();
            pipeline.stop();
        });
    }

    @Test
    void shouldSummarizeFinalCountsWherePipelineEndsAfterASample(CapturedOutput output) {
        ((Logger) LoggerFactory.getLogger(PipelineReporter.class)).setLevel(Level.INFO);
        context.withPropertyValues("millrace.data=" + folder).run(beans -> {
            Pipeline pipeline = assemble(beans.getSourceApplicationContext());
            PipelineStatus before = PipelineStatus.of(pipeline);
            pipeline.start();
            await().until(() -> pipeline.state() == PipelineState.DONE);
            new PipelineReporter()
                    .sampled(new Sample(
                            System.currentTimeMillis(),
                            List.of(new PipelineSample(pipeline, before, true, 0, 0, 0, 0)),
                            GarbageCollection.now(),
                            List.<CollectorPause>of(),
                            new ProcessSample(0, 0, 0, 0, 1)));
            assertThat(output.getAll())
                    .containsPattern("Pipeline trades completed: in=1000 made=0 kept=1000 .* inFlight=0 ");
            pipeline.stop();
        });
    }

    private Pipeline assemble(ConfigurableApplicationContext beans) throws IOException {
        Path file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(TRADES, 1));
        PipelineDefinition definition = new PipelineDefinition(
                "trades",
                new FileDefinition(file),
                "trade",
                List.of(new RouteDefinition(List.of(
                        new Branch("buySell == 'Buy'", List.of("buys"), List.of()),
                        new Branch(null, List.of(), List.of("sells"))))),
                null,
                List.of(),
                RejectThresholds.DEFAULT,
                LateThresholds.DEFAULT,
                false,
                false,
                Parallelism.NONE);
        PipelinePlan plan = new PipelinePlanner(
                        definition,
                        Schemas.builtIn().get("trade"),
                        Map.of(),
                        Set.of("buys", "sells"),
                        FunctionRegistry.empty(),
                        problem -> {
                            throw new AssertionError(problem);
                        })
                .plan();
        Pipeline pipeline = new PipelineAssembler(
                        beans.getBeanFactory(),
                        hooked(beans.getBean(Store.class)),
                        Map.of(),
                        new PipelineLimits(2048, Duration.ofMillis(5), Duration.ofMillis(200), null),
                        _ -> {
                            throw new AssertionError("no TLS here");
                        },
                        "here",
                        Set.of("trades"))
                .assemble(plan);
        pipeline.listen();
        return pipeline;
    }

    /** The real store; its writer to the second region runs the hook before it gives its counters. */
    private Store hooked(Store store) {
        return delegating(Store.class, store, (method, result) -> {
            if (result instanceof RegionWriter writer && writers++ == 1) {
                return delegating(RegionWriter.class, writer, (called, counters) -> {
                    if (called.equals("counters")) {
                        beforeSecondRegion.getAndSet(FinalCountsTest::nothing).run();
                    }
                    return counters;
                });
            }
            return result;
        });
    }

    private int writers;

    private static void nothing() {}

    private interface After {
        Object apply(String method, Object result);
    }

    private static <T> T delegating(Class<T> type, T delegate, After after) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    try {
                        return after.apply(method.getName(), method.invoke(delegate, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
