package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.measure.AlertEvent;
import io.millrace.measure.AlertListener;
import io.millrace.metrics.AlertMeters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Listeners for alerts that are beans, in a running pipeline. */
class AlertListenerTest {

    private static final long START = Instant.parse("2026-03-01T06:00:00Z").toEpochMilli();
    private static final int CALLS_PER_SECOND = 10;

    @TempDir
    Path folder;

    /** Pages someone. */
    static class Pager {
        private final List<String> pages = new CopyOnWriteArrayList<>();

        void page(String text) {
            pages.add(text);
        }
    }

    @Configuration
    static class Listeners {

        private final List<AlertEvent> received = new CopyOnWriteArrayList<>();

        @Bean
        Pager pagerDevice() {
            return new Pager();
        }

        @Bean
        AlertListener pager(Pager pager) {
            return alert -> {
                if (alert.raised()) {
                    pager.page(alert.alert() + ": cell " + alert.row().get("cell"));
                }
            };
        }

        @Bean
        AlertListener broken() {
            return alert -> {
                received.add(alert);
                throw new IllegalStateException("the listener is broken");
            };
        }
    }

    /** Ten calls a second for a minute. Those of cell 7 are dropped in the second window of ten seconds. */
    private void writeCalls() throws IOException {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/call.yml"), """
                schema: call
                fields:
                  - { name: time,    type: instant, as: i64, unit: ms }
                  - { name: cell,    type: u16 }
                  - { name: dropped, type: boolean }
                """);
        int calls = 60 * CALLS_PER_SECOND;
        ByteBuffer file = ByteBuffer.allocate(calls * 11);
        for (int i = 0; i < calls; i++) {
            int cell = 6 + i % 2;
            boolean dropped = cell == 7 && i / (10 * CALLS_PER_SECOND) == 1;
            file.putLong(START + i * 1000L / CALLS_PER_SECOND)
                    .putShort((short) cell)
                    .put((byte) (dropped ? 1 : 0));
        }
        Files.write(folder.resolve("calls.bin"), file.array());
    }

    private ApplicationContextRunner runner() throws IOException {
        writeCalls();
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  schemas: %s
                  data: %s
                  regions:
                    calls: { layout: blocks }
                  pipelines:
                    calls:
                      feed: { file: %s }
                      schema: call
                      steps:
                        - measure:
                            name: cells
                            by: cell
                            time: time
                            every: 10s
                            values: { share: count(dropped) / count() }
                            alerts:
                              bad: { when: share > 0.5 }
                        - to: calls
                """.formatted(
                        folder.resolve("schemas"), folder.resolve("data"), folder.resolve("calls.bin")));
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withUserConfiguration(Listeners.class)
                .withPropertyValues("spring.config.location=" + config.toUri());
    }

    @Test
    void shouldReceiveEachAlertThatIsRaisedOrCleared() throws IOException {
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            List<AlertEvent> received = context.getBean(Listeners.class).received;
            await().until(() -> received.size() == 2);
            Pipeline pipeline = context.getBean(Pipelines.class).named("calls").orElseThrow();
            await().until(() -> pipeline.state() == PipelineState.DONE);

            assertThat(received).extracting(AlertEvent::raised).containsExactly(true, false);
            assertThat(received)
                    .extracting(AlertEvent::at)
                    .containsExactly(Instant.ofEpochMilli(START + 20_000), Instant.ofEpochMilli(START + 30_000));
            List<String> pages = context.getBean(Pager.class).pages;
            await().until(() -> !pages.isEmpty());
            assertThat(pages).containsExactly("bad: cell 7");

            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(AlertMeters.class).bindTo(registry);
            await().untilAsserted(() -> {
                assertThat(events(registry, "pager", "delivered")).isEqualTo(2);
                assertThat(events(registry, "broken", "failed")).isEqualTo(2);
            });
            assertThat(events(registry, "broken", "delivered")).isZero();
        });
    }

    private static double events(SimpleMeterRegistry registry, String listener, String outcome) {
        return registry.get("millrace.alert.events")
                .tags("listener", listener, "outcome", outcome)
                .functionCounter()
                .count();
    }
}
