package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.config.plan.Setup;
import io.millrace.extension.PropertyCheck;
import io.millrace.metrics.PipelineMeters;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.pipeline.step.StepMeter;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Schema;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A kind of step that is a bean of an application. */
class StepBeansTest {

    @TempDir
    Path folder;

    /** Keeps one of each so many records. */
    record Thin(@DefaultValue("2") int keepEvery) implements StepDefinition {

        @Override
        public String kind() {
            return "thin-out";
        }

        @Override
        public void validate(PropertyCheck check) {
            check.between("keep-every", keepEvery, 1, 100);
        }

        @Override
        public StepPlan plan(PlanContext context) {
            return context.plan(List.of(), List.of(), _ -> new ThinStep(context.name(), keepEvery));
        }

        @Override
        public List<String> rule(Schema records) {
            return List.of(kind(), String.valueOf(keepEvery));
        }
    }

    private static final class ThinStep extends BatchStep {

        private final int keepEvery;
        private final Counter dropped = new Counter();

        ThinStep(String name, int keepEvery) {
            super(name, "thin-out");
            this.keepEvery = keepEvery;
        }

        @Override
        protected void process(RecordBatch batch) {
            int before = batch.selected();
            int remaining = 0;
            for (int i = 0; i < before; i++) {
                int ordinal = batch.selection()[i];
                batch.selection()[remaining] = ordinal;
                remaining += batch.position(ordinal) / 39 % keepEvery == 0 ? 1 : 0;
            }
            batch.select(remaining);
            dropped.add(before - remaining);
        }

        @Override
        public Counter dropped() {
            return dropped;
        }

        @Override
        public List<StepMeter> meters() {
            return List.of(new StepMeter("acme.thinned", "Records that were thinned out.", dropped));
        }
    }

    /** @param name name of the kind */
    record ThinFactory(String name) implements StepFactory<Thin> {

        @Override
        public Type propertiesType() {
            return Thin.class;
        }

        @Override
        public StepDefinition define(Thin properties) {
            return properties;
        }
    }

    @Configuration
    static class ThinSteps {
        @Bean
        StepFactory<Thin> thinOut() {
            return new ThinFactory("thin-out");
        }
    }

    @Configuration
    static class OtherFilter {
        @Bean
        StepFactory<Thin> filter() {
            return new ThinFactory("filter");
        }
    }

    private ApplicationContextRunner runner(Class<?> configuration, String... step) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withUserConfiguration(configuration)
                .withPropertyValues(
                        "millrace.data=" + folder,
                        "millrace.regions.kept.layout=blocks",
                        "millrace.pipelines.My_Trades.feed.generator.count=100",
                        "millrace.pipelines.My_Trades.schema=trade",
                        "millrace.pipelines.My_Trades.steps[1].to=kept")
                .withPropertyValues(step);
    }

    private ThrowableAssert<?> failure(Class<?> configuration, String... step) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        runner(configuration, step).run(context -> failure.set(context.getStartupFailure()));
        return new ThrowableAssert<>(failure.get());
    }

    @Test
    void shouldProcessTheRecordsOfAPipeline() {
        runner(ThinSteps.class, "millrace.pipelines.My_Trades.steps[0].thin-out.keep-every=4")
                .run(context -> {
                    Pipelines pipelines = context.getBean(Pipelines.class);
                    await().until(pipelines::ended);

                    PipelineStatus status =
                            PipelineStatus.of(pipelines.named("My_Trades").orElseThrow());
                    assertThat(status.kept()).isEqualTo(25);
                    assertThat(status.dropped()).isEqualTo(75);
                    assertThat(status.inFlight()).isZero();
                    assertThat(context.containsBean("My_Trades.1-thin-out")).isTrue();
                });
    }

    @Test
    void shouldHaveItsOwnMeters() {
        runner(ThinSteps.class, "millrace.pipelines.My_Trades.steps[0].thin-out.keep-every=4")
                .run(context -> {
                    Pipelines pipelines = context.getBean(Pipelines.class);
                    await().until(pipelines::ended);
                    SimpleMeterRegistry registry = new SimpleMeterRegistry();
                    new PipelineMeters(pipelines).bindTo(registry);

                    assertThat(registry.get("acme.thinned")
                                    .tags("pipeline", "My_Trades", "step", "My_Trades.1-thin-out")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(75);
                });
    }

    @Test
    void shouldReportItsMistakesLikeThoseOfOtherKinds() {
        failure(ThinSteps.class, "millrace.pipelines.My_Trades.steps[0].thin-out.keep-every=0")
                .hasStackTraceContaining("steps[0].thin-out.keep-every: Invalid number '0'. Use 1 to 100.");
        failure(ThinSteps.class, "millrace.pipelines.My_Trades.steps[0].thin-out.keep-every=many")
                .hasStackTraceContaining("Invalid number 'many'");
        failure(ThinSteps.class, "millrace.pipelines.My_Trades.steps[0].thin-out.keep-evry=1")
                .hasStackTraceContaining("Unknown property 'keep-evry'. Did you mean 'keep-every'?");
        failure(ThinSteps.class, "millrace.pipelines.My_Trades.steps[0].thinout2.keep-every=1")
                .hasStackTraceContaining("Unknown property 'thinout2'. Did you mean 'thin-out'?"
                        + " Use one of: validate, filter, enrich, set, unnest, measure, route, to, thin-out.");
    }

    @Test
    void shouldChangeTheFingerprintOfTheRules() {
        assertThat(rules(4)).isEqualTo(rules(4)).isNotEqualTo(rules(5));
    }

    private String rules(int keepEvery) {
        AtomicReference<String> rules = new AtomicReference<>();
        runner(ThinSteps.class, "millrace.pipelines.My_Trades.steps[0].thin-out.keep-every=" + keepEvery)
                .run(context -> rules.set(
                        context.getBean(Setup.class).pipelines().getFirst().rules()));
        return Objects.requireNonNull(rules.get());
    }

    @Test
    void shouldRefuseASecondKindOfOneName() {
        failure(OtherFilter.class, "millrace.pipelines.My_Trades.steps[0].filter=id > 5")
                .hasStackTraceContaining("Duplicate kind of step 'filter'.");
    }
}
