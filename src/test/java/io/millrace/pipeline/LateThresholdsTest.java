package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.monitor.LateStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class LateThresholdsTest {

    private static final String WARNING = "Measure volume of pipeline events leaves out late records: ";

    /** Start of the windows, in milliseconds since 1970. */
    private static final long START = 1_795_000_000_000L;

    @TempDir
    Path folder;

    @BeforeEach
    void writeSchema() throws IOException {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/event.yml"), """
            schema: event
            fields:
              - { name: id,   type: i32 }
              - { name: time, type: instant, as: i64, unit: ms }
            """);
    }

    private ApplicationContextRunner context(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withPropertyValues(
                        "millrace.schemas=" + folder.resolve("schemas"),
                        "millrace.data=" + folder.resolve("data"),
                        "millrace.regions.stored.layout=blocks",
                        "millrace.regions.stored.persistent=true",
                        "millrace.pipelines.events.schema=event",
                        "millrace.pipelines.events.feed.json-lines=" + folder.resolve("events.jsonl"),
                        "millrace.pipelines.events.steps[0].measure.name=volume",
                        "millrace.pipelines.events.steps[0].measure.time=time",
                        "millrace.pipelines.events.steps[0].measure.every=1s",
                        "millrace.pipelines.events.steps[0].measure.values.events=count()",
                        "millrace.pipelines.events.steps[1].to=stored")
                .withPropertyValues(properties);
    }

    /** Writes events a millisecond apart, of which every n-th is a minute late. */
    private void write(int count, int every) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            long time = START + i - (i % every == every - 1 ? 60_000 : 0);
            lines.append("{\"id\":").append(i).append(",\"time\":\"");
            lines.append(Instant.ofEpochMilli(time)).append("\"}\n");
        }
        Files.writeString(folder.resolve("events.jsonl"), lines);
    }

    private static Pipeline ended(BeanFactory beans) {
        Pipeline pipeline = beans.getBean(Pipelines.class).named("events").orElseThrow();
        await().until(pipeline::ended);
        return pipeline;
    }

    @SuppressWarnings("unchecked") // as the indicator makes them
    private static Map<String, Object> details(BeanFactory beans) {
        Health health = Objects.requireNonNull(
                beans.getBean("pipelinesHealthIndicator", HealthIndicator.class).health());
        return Objects.requireNonNull((Map<String, Object>) health.getDetails().get("events"));
    }

    @Test
    void shouldWarnOnceOfLateRecords(CapturedOutput output) throws IOException {
        write(20_000, 50);
        context().run(beans -> {
            Pipeline pipeline = ended(beans);
            assertThat(output.getAll())
                    .containsOnlyOnce(WARNING)
                    .containsPattern("late=\\d+ records=\\d+ share=\\d.\\d\\d% allowedLateness=0s")
                    .contains("increase 'allowed-lateness'");
            assertThat(pipeline.lateStatus()).containsExactly(new LateStatus("volume", "warning", 0.02, 400, 20_000));
            assertThat(pipeline.state()).isEqualTo(PipelineState.DONE);
            assertThat(PipelineStatus.of(pipeline).lateStatus()).isEqualTo(pipeline.lateStatus());
            assertThat(details(beans)).containsEntry("late", pipeline.lateStatus());
        });
    }

    @Test
    void shouldNotWarnWhereTheLatenessIsAllowed() throws IOException {
        write(20_000, 50);
        context("millrace.pipelines.events.steps[0].measure.allowed-lateness=2m")
                .run(beans -> {
                    Pipeline pipeline = ended(beans);
                    assertThat(pipeline.lateStatus()).isEmpty();
                    assertThat(details(beans)).doesNotContainKey("late");
                });
    }

    @Test
    void shouldNotWarnBelowTheThreshold(CapturedOutput output) throws IOException {
        write(10_000, 200);
        context().run(beans -> {
            assertThat(ended(beans).lateStatus())
                    .containsExactly(new LateStatus("volume", "normal", 0.005, 50, 10_000));
            assertThat(output.getAll()).doesNotContain(WARNING);
        });
    }

    @Test
    void shouldFailAtTheThresholdAndStoreTheRecords() throws IOException {
        write(10_000, 50);
        context("millrace.pipelines.events.late-thresholds.fail-at=2%").run(beans -> {
            Pipeline pipeline = ended(beans);
            assertThat(pipeline.state()).isEqualTo(PipelineState.FAILED);
            assertThat(pipeline.error())
                    .startsWith("Too many late records of measure 'volume' for 'fail-at', 2.00%: late=")
                    .contains(" share=2.00%");
            await().until(pipeline::terminated);
            assertThat(Objects.requireNonNull(pipeline.writers().get("stored"))
                            .kept()
                            .get())
                    .isEqualTo(pipeline.arrived().get());
        });
    }

    @Test
    void shouldNotFailBelowTheThreshold() throws IOException {
        write(10_000, 50);
        context("millrace.pipelines.events.late-thresholds.fail-at=2.5%")
                .run(beans -> assertThat(ended(beans).state()).isEqualTo(PipelineState.DONE));
    }

    @Test
    void shouldNotWarnWithoutAThreshold(CapturedOutput output) throws IOException {
        write(10_000, 2);
        context("millrace.pipelines.events.late-thresholds.warn-at=none").run(beans -> {
            assertThat(ended(beans).lateStatus()).singleElement().satisfies(late -> {
                assertThat(late.reached()).isFalse();
                assertThat(late.late()).isEqualTo(5_000);
            });
            assertThat(output.getAll()).doesNotContain(WARNING);
        });
    }

    /** Counts of measures continue after a restart; the share is of what this process has read. */
    @Test
    void shouldNotEvaluateRecordsOfAnEarlierRunAgain(CapturedOutput output) throws IOException {
        write(10_000, 2);
        context().run(LateThresholdsTest::ended);
        assertThat(output.getAll()).containsOnlyOnce(WARNING);
        write(11_000, 20_000);
        Path file = folder.resolve("events.jsonl");
        String all = Files.readString(file);
        write(10_000, 2);
        String first = Files.readString(file);
        Files.writeString(
                file, first + all.lines().skip(10_000).map(line -> line + "\n").collect(Collectors.joining()));

        context().run(beans -> {
            Pipeline pipeline = ended(beans);
            assertThat(pipeline.measures().getFirst().counts().late().get()).isEqualTo(5_000);
            assertThat(pipeline.arrived().get()).isEqualTo(1_000);
            assertThat(pipeline.lateStatus()).isEmpty();
            assertThat(output.getAll()).containsOnlyOnce(WARNING);
        });
    }

    @Test
    void shouldRefuseAnInvalidPercentage() throws IOException {
        write(1, 2);
        context("millrace.pipelines.events.late-thresholds.warn-at=1")
                .run(beans -> assertThat(beans)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("millrace.pipelines.events.late-thresholds.warn-at")
                        .hasMessageContaining("Invalid percentage '1'. Use a number from 0 to 100"));
    }
}
