package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.schema.Field;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** RADIUS accounting through every kind of step, into both kinds of regions. */
class AccountingPipelineTest {

    private static final int EVENTS = 3 * 4096;

    @TempDir
    Path folder;

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class));

    @Test
    void shouldTakePacketsThroughEveryKindOfStep() {
        configured("""
                millrace:
                  tables:
                    cells: { file: %s, key: id }
                  regions:
                    lost: { layout: blocks }
                    others: { layout: blocks, keep-added: false }
                  pipelines:
                    network:
                      feed: { generator: { count: %d, seed: 34 } }
                      schema: radius-accounting
                      steps:
                        - filter: rat == 'EUTRAN' and network == '00101'
                        - enrich: { table: cells, key: cell, add: { district: district } }
                        - set: { octets: inputTotal + outputTotal }
                        - route:
                            - { when: terminateCause == 'Lost-Carrier', to: lost }
                            - { otherwise: others }
                """.formatted(Path.of("examples/reference/cells.csv").toAbsolutePath(), EVENTS))
                .run(context -> {
                    PipelineStatus status = done(context);
                    assertThat(status.in()).isEqualTo(EVENTS);
                    assertThat(status.kept()).isBetween(1L, EVENTS - 1L);
                    assertThat(status.kept() + status.dropped()).isEqualTo(EVENTS);
                    assertThat(status.rejected()).isZero();

                    List<Map<String, @Nullable Object>> lost = query(context, "lost", null);
                    assertThat(lost).isNotEmpty().allSatisfy(event -> {
                        assertThat(event)
                                .containsEntry("status", "Stop")
                                .containsEntry("terminateCause", "Lost-Carrier")
                                .containsEntry("locationType", "ECGI")
                                .containsKeys("imsi", "qos", "ggsn", "framedIp");
                        assertThat(String.valueOf(event.get("district"))).isNotEmpty();
                        long total = number(event, "inputOctets")
                                + number(event, "outputOctets")
                                + (number(event, "outputGigawords") << 32);
                        assertThat(event).containsEntry("octets", total);
                    });
                    assertThat(query(context, "others", "outputTotal > 4294967296L and status == 'Stop'"))
                            .isNotEmpty()
                            .allSatisfy(event -> {
                                assertThat(number(event, "outputGigawords")).isPositive();
                                assertThat(event).doesNotContainKey("octets");
                            });
                    long kept = context.getBean(Store.class).info("lost").records()
                            + context.getBean(Store.class).info("others").records();
                    assertThat(kept).isEqualTo(status.kept());
                });
    }

    @Test
    void shouldLookForNoMoreFieldsThanAreUsed() {
        configured("""
                millrace:
                  regions:
                    sessions: { layout: entries, key: [nasIp, sessionId], remove: status == 'Stop' }
                  pipelines:
                    network:
                      feed: { generator: { count: 4196, seed: 34 } }
                      schema: radius-accounting
                      steps:
                        - filter: cell != null
                        - to: sessions
                """).run(context -> {
            done(context);
            PipelinePlan plan = context.getBean(Pipelines.class)
                    .named("network")
                    .orElseThrow()
                    .plan();
            assertThat(plan.schema().fields().stream().map(Field::name).collect(Collectors.toSet()))
                    .isEqualTo(Set.of("eci", "ci", "sac", "nasIp", "sessionId", "status", "proxyStates"));
        });
    }

    @Test
    void shouldKeepTheLatestStateOfOpenSessions() {
        configured("""
                millrace:
                  regions:
                    sessions: { layout: entries, key: [nasIp, sessionId], remove: status == 'Stop' }
                  pipelines:
                    network:
                      feed: { generator: { count: %d, seed: 34 } }
                      schema: radius-accounting
                      steps:
                        - to: sessions
                """.formatted(2 * 4096 + 1000)).run(context -> {
            PipelineStatus status = done(context);
            assertThat(status.kept()).isEqualTo(2 * 4096 + 1000);
            assertThat(status.inFlight()).isZero();
            assertThat(context.getBean(Store.class).info("sessions").records()).isEqualTo(4096 - 1000);
            assertThat(query(context, "sessions", "status != 'Interim-Update'")).isEmpty();
        });
    }

    private static long number(Map<String, @Nullable Object> event, String name) {
        return event.get(name) instanceof Long number ? number : 0;
    }

    private static List<Map<String, @Nullable Object>> query(BeanFactory beans, String region, @Nullable String where) {
        return beans.getBean(Store.class)
                .query(region, new Query(where, List.of(), List.of(), Query.MAX_LIMIT))
                .records();
    }

    private ApplicationContextRunner configured(String yaml) {
        try {
            Path config = Files.writeString(folder.resolve("config.yml"), yaml);
            return context.withInitializer(new ConfigDataApplicationContextInitializer())
                    .withPropertyValues(
                            "spring.config.location=" + config.toUri(), "millrace.data=" + folder.resolve("data"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PipelineStatus done(BeanFactory beans) {
        Pipeline pipeline = beans.getBean(Pipelines.class).named("network").orElseThrow();
        await().until(() -> pipeline.state() == PipelineState.DONE);
        return PipelineStatus.of(pipeline);
    }
}
