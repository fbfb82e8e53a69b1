package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.millrace.codec.RecordBatch;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.feed.ChannelFeed;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedCheck;
import io.millrace.feed.FeedContext;
import io.millrace.feed.FeedDefinition;
import io.millrace.feed.FeedFactory;
import io.millrace.metrics.PipelineReporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What pipelines cost that have little or nothing to do. */
@ExtendWith(OutputCaptureExtension.class)
class QuietPipelinesTest {

    @TempDir
    Path folder;

    /** A feed without records, which remembers how long it may wait for one. */
    static class QuietFeed implements Feed {

        private static volatile Duration longest = Duration.ZERO;
        private static final AtomicLong POLLS = new AtomicLong();

        @Override
        public void open(long position) {
            // nothing to open
        }

        @Override
        public Poll poll(RecordBatch batch, Duration maxWait) {
            longest = maxWait.compareTo(longest) > 0 ? maxWait : longest;
            POLLS.incrementAndGet();
            return Poll.NOTHING_YET;
        }

        @Override
        public long lag() {
            return 0;
        }

        @Override
        public boolean replayable() {
            return false;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    /** A feed without records whose waits a request ends. */
    static final class WakingFeed extends QuietFeed {

        private static final AtomicLong WAKES = new AtomicLong();
        private final ChannelFeed channel = new ChannelFeed();

        @Override
        public Poll poll(RecordBatch batch, Duration maxWait) {
            super.poll(batch, maxWait);
            return channel.poll(batch, maxWait);
        }

        @Override
        public boolean wake() {
            WAKES.incrementAndGet();
            return channel.wake();
        }
    }

    /** The feed without properties. */
    record Quiet(boolean wakes) implements FeedDefinition {

        @Override
        public String describe() {
            return "nothing";
        }

        @Override
        public Feed create(FeedContext context) {
            return wakes ? new WakingFeed() : new QuietFeed();
        }
    }

    /** The kind of feed. */
    static final class QuietFactory implements FeedFactory<String> {

        @Override
        public String name() {
            return "quiet";
        }

        @Override
        public Class<String> propertiesType() {
            return String.class;
        }

        @Override
        public FeedDefinition define(String properties, FeedCheck check) {
            return new Quiet(properties.equals("wakes"));
        }
    }

    @Configuration
    static class QuietFeeds {
        @Bean
        FeedFactory<String> quiet() {
            return new QuietFactory();
        }
    }

    @BeforeEach
    void resetFeed() {
        QuietFeed.longest = Duration.ZERO;
        QuietFeed.POLLS.set(0);
        WakingFeed.WAKES.set(0);
    }

    @AfterEach
    void resetLevel() {
        ((Logger) LoggerFactory.getLogger(PipelineReporter.class)).setLevel(null);
    }

    private ApplicationContextRunner quiet() {
        return runner().withUserConfiguration(QuietFeeds.class)
                .withPropertyValues(
                        "millrace.latency=2ms",
                        "millrace.flush=150ms",
                        "millrace.pipelines.quiet.schema=trade",
                        "millrace.pipelines.quiet.feed.quiet=any");
    }

    private ApplicationContextRunner waking() {
        return quiet().withPropertyValues(
                        "millrace.pipelines.quiet.feed.quiet=wakes", "millrace.pipelines.quiet.steps[0].to=kept");
    }

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withPropertyValues("millrace.data=" + folder, "millrace.regions.kept.layout=blocks");
    }

    /** Returns the pipeline with a measure that has an idle timeout. */
    private ApplicationContextRunner withIdleTimeout() throws IOException {
        Path schemas = Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("event.yml"), """
                schema: event
                fields:
                  - { name: time, type: instant, as: i64, unit: ms }
                """);
        String measure = "millrace.pipelines.quiet.steps[0].measure.";
        return quiet().withPropertyValues(
                        "millrace.schemas=" + schemas,
                        "millrace.pipelines.quiet.schema=event",
                        measure + "name=volume",
                        measure + "values.trades=count()",
                        measure + "every=10s",
                        measure + "time=time",
                        measure + "idle-timeout=1s",
                        "millrace.pipelines.quiet.steps[1].to=kept");
    }

    @Test
    void shouldPollAFeedUntilTheNextFlushOnly() {
        quiet().withPropertyValues("millrace.pipelines.quiet.steps[0].to=kept").run(_ -> {
            await().until(() -> QuietFeed.longest.toMillis() >= 100);
            assertThat(QuietFeed.longest.toMillis()).isLessThanOrEqualTo(150);
        });
    }

    /** The time that the feed has waited is counted only if it had no records, so waits must be short. */
    @Test
    void shouldPollAFeedOftenForAnIdleTimeout() throws IOException {
        withIdleTimeout().run(context -> {
            assertThat(context).hasNotFailed();
            await().until(() -> QuietFeed.POLLS.get() > 1000);
            assertThat(QuietFeed.longest.toMillis()).isLessThanOrEqualTo(2);
        });
    }

    /** Otherwise a stop would be noticed after an hour. */
    @Test
    void shouldPollAFeedForAShortTimeWhateverTheLimits() throws IOException {
        withIdleTimeout()
                .withPropertyValues("millrace.latency=1h", "millrace.flush=1h")
                .run(_ -> {
                    await().until(() -> QuietFeed.POLLS.get() > 1000);
                    assertThat(QuietFeed.longest.toMillis()).isEqualTo(200);
                });
    }

    @Test
    void shouldPollRarelyIfRequestsEndTheWait() {
        waking().run(_ -> await().until(() -> QuietFeed.longest.equals(Duration.ofSeconds(1))));
    }

    /** Windows end with time. */
    @Test
    void shouldPollUntilTheNextFlushWithAMeasure() throws IOException {
        withIdleTimeout()
                .withPropertyValues("millrace.pipelines.quiet.feed.quiet=wakes", "millrace.latency=1h")
                .run(_ -> {
                    await().until(() -> QuietFeed.POLLS.get() > 10);
                    assertThat(QuietFeed.longest.toMillis()).isLessThanOrEqualTo(150);
                });
    }

    @Test
    void shouldEndTheWaitForARecordOfAnotherSender() {
        waking().run(context -> {
            await().until(() -> QuietFeed.longest.equals(Duration.ofSeconds(1)));
            Pipeline pipeline = context.getBean(Pipelines.class).all().getFirst();
            long polls = QuietFeed.POLLS.get();
            // The thread waits most of the time, but not always.
            await().until(() -> {
                long before = WakingFeed.WAKES.get();
                pipeline.send(new byte[pipeline.plan().schema().baseLength()]);
                return WakingFeed.WAKES.get() > before;
            });
            await().until(() -> QuietFeed.POLLS.get() > polls);
        });
    }

    @Test
    void shouldEndTheWaitForARestartAndForAStop() {
        waking().run(context -> {
            await().until(() -> QuietFeed.POLLS.get() > 2);
            Pipeline pipeline = context.getBean(Pipelines.class).all().getFirst();
            long before = WakingFeed.WAKES.get();
            var _ = pipeline.restart();
            assertThat(WakingFeed.WAKES).hasValueGreaterThan(before);
            long beforeStop = WakingFeed.WAKES.get();
            pipeline.stop();
            assertThat(WakingFeed.WAKES).hasValueGreaterThan(beforeStop);
        });
    }

    @Test
    void shouldEndTheWaitForAChangeOfTheRules() {
        waking().run(context -> {
            await().until(() -> QuietFeed.POLLS.get() > 2);
            Pipeline pipeline = context.getBean(Pipelines.class).all().getFirst();
            long before = WakingFeed.WAKES.get();
            pipeline.rules().change(1, pipeline.plan()).join();
            assertThat(WakingFeed.WAKES).hasValueGreaterThan(before);
        });
    }

    @Test
    void shouldLogOneLineForManyPipelines(CapturedOutput output) {
        ((Logger) LoggerFactory.getLogger(PipelineReporter.class)).setLevel(Level.INFO);
        runner().withPropertyValues(IntStream.range(0, 20)
                        .boxed()
                        .flatMap(i -> Stream.of(
                                "millrace.pipelines.p" + i + ".schema=trade",
                                "millrace.pipelines.p" + i + ".feed.generator.rate=1000",
                                "millrace.pipelines.p" + i + ".steps[0].to=kept"))
                        .toArray(String[]::new))
                .run(_ -> await().until(() -> output.getOut().contains("20 pipelines: in=")));
    }
}
