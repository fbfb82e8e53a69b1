package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.codec.RecordBatch;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.chain.PipelineChannel;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepFactory;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Schema;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.endpoint.EventDrivenConsumer;

/** How batches pass the channels of pipelines that are configured. */
class PipelineChannelsTest {

    /** More than calls within each other fit in a stack if each is a message. */
    private static final int FILTERS = 600;

    private static final AtomicInteger DEPTH = new AtomicInteger();

    @TempDir
    Path folder;

    /** A step that sets how many calls are on the stack. */
    record Depth(String of) implements StepDefinition {

        @Override
        public String kind() {
            return "depth";
        }

        @Override
        public StepPlan plan(PlanContext context) {
            return context.plan(List.of(), List.of(), _ -> new BatchStep(context.name(), kind()) {
                @Override
                protected void process(RecordBatch batch) {
                    DEPTH.set((int) (long) StackWalker.getInstance().walk(frames -> frames.count()));
                }
            });
        }

        @Override
        public List<String> rule(Schema records) {
            return List.of(kind(), of);
        }
    }

    @Configuration
    static class DepthStep {
        @Bean
        StepFactory<Depth> depth() {
            return new StepFactory<>() {
                @Override
                public String name() {
                    return "depth";
                }

                @Override
                public Type propertiesType() {
                    return Depth.class;
                }

                @Override
                public StepDefinition define(Depth properties) {
                    return properties;
                }
            };
        }
    }

    /** A channel of the application, which could do anything with a message. */
    @Configuration
    static class OwnChannel {
        @Bean("trades.1-filter")
        DirectChannel own() {
            return new DirectChannel();
        }
    }

    private ApplicationContextRunner runner(int filters) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withUserConfiguration(DepthStep.class)
                .withPropertyValues(
                        "millrace.data=" + folder,
                        "millrace.regions.kept.layout=blocks",
                        "millrace.pipelines.trades.feed.generator.count=100",
                        "millrace.pipelines.trades.schema=trade",
                        "millrace.pipelines.trades.steps[" + filters + "].depth.of=calls",
                        "millrace.pipelines.trades.steps[" + (filters + 1) + "].to=kept");
        for (int i = 0; i < filters; i++) {
            runner = runner.withPropertyValues("millrace.pipelines.trades.steps[" + i + "].filter=id > 0");
        }
        return runner;
    }

    private static void run(ApplicationContextRunner runner, ContextConsumer<ApplicationContext> verification) {
        runner.run(context -> {
            Pipelines pipelines = context.getBean(Pipelines.class);
            await().until(pipelines::ended);
            PipelineStatus status = PipelineStatus.of(pipelines.named("trades").orElseThrow());
            assertThat(status.error()).isNull();
            assertThat(status.kept()).isEqualTo(100);
            verification.accept(context);
        });
    }

    @Test
    void shouldCallStepsInALoopWithoutMessages() {
        run(runner(1), _ -> {});
        int one = DEPTH.getAndSet(0);
        run(runner(FILTERS), context -> {
            assertThat(DEPTH.get()).isEqualTo(one);
            assertThat(context.getBean("trades.1-filter")).isInstanceOf(PipelineChannel.class);
        });
    }

    @Test
    void shouldSendMessagesToAChannelOfTheApplication() {
        run(runner(1), _ -> {});
        int without = DEPTH.getAndSet(0);
        run(
                runner(1).withUserConfiguration(OwnChannel.class),
                _ -> assertThat(DEPTH.get()).isGreaterThan(without));
    }

    /** As Spring Integration creates one for an endpoint that finds none. */
    @Configuration
    static class OwnSubscriber {
        @Bean("trades.to-kept")
        DirectChannel own() {
            return new DirectChannel();
        }

        @Bean
        EventDrivenConsumer consumer(@Qualifier("trades.to-kept") DirectChannel own) {
            return new EventDrivenConsumer(own, _ -> {});
        }
    }

    /** Each batch would reach one of the two only. */
    @Test
    void shouldRefuseAChannelThatTakesBatchesAway() {
        runner(1)
                .withUserConfiguration(OwnSubscriber.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("has another subscriber than step 'trades.to-kept'")
                        .hasMessageEndingWith("Define it as a bean of PublishSubscribeChannel."));
    }

    /** With all regions for each pipeline, a thousand pipelines would have a million channels. */
    @Test
    void shouldDefineTheChannelsOfTheTargetsOfEachPipeline() {
        ApplicationContextRunner runner = runner(1)
                .withPropertyValues(
                        "millrace.regions.raw.schema=trade",
                        "millrace.outputs.copy.file.folder=" + folder.resolve("copy"),
                        "millrace.pipelines.others.feed.generator.count=1",
                        "millrace.pipelines.others.schema=trade",
                        "millrace.pipelines.others.steps[0].route[0].when=id > 0",
                        "millrace.pipelines.others.steps[0].route[0].to=kept, output: copy",
                        "millrace.pipelines.others.steps[0].route[1].otherwise[0]=raw");
        List<String> channels = new ArrayList<>();
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(beans -> Arrays.stream(beans.getBeanDefinitionNames())
                                .filter(bean -> bean.contains(".to-"))
                                .forEach(channels::add)))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(channels)
                .containsExactlyInAnyOrder(
                        "trades.to-kept", "others.to-kept", "others.to-raw", "others.to-output:copy");
    }
}
