package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.metrics.PipelineMeters;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A record near the smallest instant: it is stored, and measured by none of the kinds of windows. */
class ExtremeTimePipelineTest {

    @TempDir
    Path folder;

    @Test
    void shouldCountARecordAsFailedThatNoWindowCanHold() throws Exception {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/ev.yml"), """
                schema: ev
                fields:
                  - { name: id, type: i32 }
                  - { name: t,  type: instant, as: i64, unit: ms }
                """);
        Files.writeString(folder.resolve("events.jsonl"), """
                {"id":1,"t":"-292275055-05-16T16:47:04.193Z"}
                {"id":2,"t":"2026-09-21T14:13:20Z"}
                """);
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: FOLDER/schemas
                  data: FOLDER/data
                  flush: 20ms
                  regions:
                    events: { layout: blocks }
                  pipelines:
                    events:
                      feed: { json-lines: FOLDER/events.jsonl, final: true }
                      schema: ev
                      steps:
                        - measure: { name: hours, time: t, every: 1h, values: { n: count() } }
                        - measure: { name: sliding, time: t, every: 1h, window: 3h, values: { n: count() } }
                        - measure:
                            name: days
                            time: t
                            daily: { start: "06:30", zone: Europe/Istanbul }
                            allowed-lateness: 36500d
                            values: { n: count() }
                        - to: events
                """.replace("FOLDER", folder.toString()));

        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + config.toUri())
                .run(context -> {
                    Pipeline pipeline =
                            context.getBean(Pipelines.class).named("events").orElseThrow();
                    await().until(pipeline::ended);
                    assertThat(pipeline.state()).isEqualTo(PipelineState.DONE);
                    SimpleMeterRegistry registry = new SimpleMeterRegistry();
                    context.getBean(PipelineMeters.class).bindTo(registry);
                    assertThat(pipeline.measures()).hasSize(3);
                    for (RunningMeasure measure : pipeline.measures()) {
                        assertThat(measure.counts().counted().get()).isOne();
                        assertThat(measure.counts().failed().get()).isOne();
                        assertThat(measure.firstFailure())
                                .startsWith("Invalid event time '-292275055-05-16T16:47:04.193Z'.");
                        Instant start = Instant.ofEpochMilli(
                                measure.closedWindows().getLast().start());
                        assertThat(start).isAfter("2026-09-20T00:00:00Z");
                        assertThat(registry.get("millrace.measure.records")
                                        .tags("measure", measure.plan().name(), "outcome", "failed")
                                        .functionCounter()
                                        .count())
                                .isOne();
                    }
                    List<Map<String, @Nullable Object>> stored = context.getBean(Store.class)
                            .query("events", new Query("t < '1970-01-01T00:00:00Z'", List.of(), List.of(), 10))
                            .records();
                    assertThat(Objects.requireNonNull(stored.getFirst().get("t")))
                            .isEqualTo(Instant.ofEpochMilli(Long.MIN_VALUE + 1));
                });
    }
}
