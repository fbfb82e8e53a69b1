package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.plan.Setup;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import io.millrace.feed.Split;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.Pipelines;
import java.nio.file.Path;
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

/** A kind of feed that is a bean of an application. */
class FeedBeansTest {

    @TempDir
    Path folder;

    /** A feed of as many generated records as its property says. */
    record Counted(@DefaultValue("7") int maxRecords) implements FeedDefinition {

        @Override
        public String describe() {
            return maxRecords + " records";
        }

        @Override
        public Feed create(FeedContext context) {
            return new GeneratorFeed(context.schema().base(), 1, maxRecords, 0, context.batchRecords(), Split.WHOLE);
        }
    }

    /** @param name name of the kind */
    record CountedFactory(String name) implements FeedFactory<Counted> {

        @Override
        public Class<Counted> propertiesType() {
            return Counted.class;
        }

        @Override
        public FeedDefinition define(Counted properties, FeedCheck check) {
            check.between("max-records", properties.maxRecords(), 1, 1000);
            return properties;
        }
    }

    @Configuration
    static class CountedFeeds {
        @Bean
        FeedFactory<Counted> counted() {
            return new CountedFactory("counted-records");
        }
    }

    @Configuration
    static class OtherFile {
        @Bean
        FeedFactory<Counted> file() {
            return new CountedFactory("file");
        }
    }

    private ApplicationContextRunner runner(Class<?> configuration, String... feed) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withUserConfiguration(configuration)
                .withPropertyValues(
                        "millrace.data=" + folder,
                        "millrace.regions.kept.layout=blocks",
                        "millrace.pipelines.My_Trades.schema=trade",
                        "millrace.pipelines.My_Trades.steps[0].to=kept")
                .withPropertyValues(feed);
    }

    private ThrowableAssert<?> failure(Class<?> configuration, String... feed) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        runner(configuration, feed).run(context -> failure.set(context.getStartupFailure()));
        return new ThrowableAssert<>(failure.get());
    }

    @Test
    void shouldDeliverRecordsToAPipeline() {
        runner(CountedFeeds.class, "millrace.pipelines.My_Trades.feed.counted-records.max-records=30")
                .run(context -> {
                    Pipelines pipelines = context.getBean(Pipelines.class);
                    await().until(pipelines::ended);

                    PipelineStatus status =
                            PipelineStatus.of(pipelines.named("My_Trades").orElseThrow());
                    assertThat(status.kept()).isEqualTo(30);
                    assertThat(status.position()).isEqualTo(30 * 39);
                    assertThat(context.getBean(Setup.class)
                                    .pipelines()
                                    .getFirst()
                                    .definition()
                                    .feed()
                                    .describe())
                            .isEqualTo("30 records");
                });
    }

    @Test
    void shouldReportItsMistakesLikeThoseOfOtherKinds() {
        failure(CountedFeeds.class, "millrace.pipelines.My_Trades.feed.counted-records.max-records=0")
                .hasStackTraceContaining("Invalid number '0'. Use 1 to 1000.");
        failure(CountedFeeds.class, "millrace.pipelines.My_Trades.feed.counted-records.max-records=many")
                .hasStackTraceContaining("Invalid number 'many'");
        failure(CountedFeeds.class, "millrace.pipelines.My_Trades.feed.counted-records.maxrecord=1")
                .hasStackTraceContaining("Unknown property 'maxrecord'. Did you mean 'max-records'?");
        failure(CountedFeeds.class, "millrace.pipelines.My_Trades.feed.counted.max-records=1")
                .hasStackTraceContaining("Unknown property 'counted'.")
                .hasStackTraceContaining(
                        "Use one of: file, generator, radius, pcap, tcp, json-lines, csv, kafka, counted-records, final.");
    }

    @Test
    void shouldRefuseASecondKindOfOneName() {
        failure(OtherFile.class).hasStackTraceContaining("Duplicate kind of feed 'file'.");
    }
}
