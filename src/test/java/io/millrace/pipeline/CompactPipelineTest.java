package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** JSON lines through a pipeline, as compact records, into both kinds of regions. */
class CompactPipelineTest {

    private static final Path EXAMPLE = Path.of("examples/swap").toAbsolutePath();

    @TempDir
    Path folder;

    private ApplicationContextRunner example(Path lines) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues(
                        "spring.config.location=" + EXAMPLE.resolve("swaps.yml").toUri(),
                        "millrace.schemas=" + EXAMPLE.resolve("schemas"),
                        "millrace.pipelines.swaps.feed.json-lines=" + lines,
                        "millrace.data=" + folder.resolve("data"));
    }

    private static PipelineStatus done(BeanFactory beans) {
        Pipeline pipeline = beans.getBean(Pipelines.class).named("swaps").orElseThrow();
        await().until(() -> pipeline.state() == PipelineState.DONE);
        return PipelineStatus.of(pipeline);
    }

    private static List<Map<String, @Nullable Object>> query(
            BeanFactory beans, String region, @Nullable String where, String... select) {
        return beans.getBean(Store.class)
                .query(region, new Query(where, List.of(select), List.of(), Query.MAX_LIMIT))
                .records();
    }

    @Test
    void shouldStoreAndShowNestedRecords() {
        example(EXAMPLE.resolve("swaps.jsonl")).run(context -> {
            PipelineStatus status = done(context);
            assertThat(status.in()).isEqualTo(4);
            assertThat(status.kept()).isEqualTo(3);
            assertThat(status.dropped()).isEqualTo(1);
            Map<String, @Nullable Object> large = query(context, "large", null).getFirst();
            assertThat(large)
                    .containsEntry("id", "S-1001")
                    .containsEntry("tradeDate", LocalDate.parse("2026-03-02"))
                    .containsEntry("cleared", null)
                    .containsEntry("broker", null)
                    .containsEntry("books", List.of("rates", "emea"))
                    .containsOnlyKeys("id", "tradeDate", "status", "cleared", "buyer", "broker", "legs", "books");
            assertThat(large.get("buyer"))
                    .isEqualTo(Map.of("name", "Alster Bank", "lei", "529900AAAAAAAAAAAA01", "country", "DE"));
            assertThat((List<?>) large.get("legs"))
                    .hasSize(2)
                    .first()
                    .satisfies(leg -> assertThat((Map<?, ?>) leg)
                            .hasFieldOrPropertyWithValue("notional", new BigDecimal("25000000.00"))
                            .hasFieldOrPropertyWithValue("fixedRate", 0.0275));
            assertThat(query(context, "small", "buyer.country == 'FR'", "buyer.name", "legs"))
                    .singleElement()
                    .satisfies(record -> {
                        assertThat(record)
                                .containsOnlyKeys("buyer.name", "legs")
                                .containsEntry("buyer.name", "Société Rive");
                        assertThat((List<?>) record.get("legs")).hasSize(2);
                    });
        });
    }

    @Test
    void shouldRejectLinesThatAreNotRecords() throws IOException {
        List<String> lines = Files.readAllLines(EXAMPLE.resolve("swaps.jsonl"));
        String file = "{\"id\":1}\n\n" + lines.get(0) + "\nnot JSON\n" + lines.get(1) + "\r\n" + lines.get(2) + "\n[]";
        example(Files.writeString(folder.resolve("some.jsonl"), file)).run(context -> {
            PipelineStatus status = done(context);
            assertThat(status.kept()).isEqualTo(3);
            assertThat(status.rejected()).isEqualTo(3);
            List<Map<String, @Nullable Object>> rejects = rejects(context);
            assertThat(rejects)
                    .extracting(reject -> reject.get("position"))
                    .containsExactlyInAnyOrder(
                            0L,
                            (long) file.substring(0, file.indexOf("not JSON")).getBytes(StandardCharsets.UTF_8).length,
                            (long) file.getBytes(StandardCharsets.UTF_8).length - 2);
        });
    }

    @Test
    void shouldReadStoredRecordsAfterFieldsWereAppended() throws IOException {
        List<String> lines = Files.readAllLines(EXAMPLE.resolve("swaps.jsonl"));
        Path file = Files.writeString(folder.resolve("some.jsonl"), lines.get(0) + "\n");
        String schema = Files.readString(EXAMPLE.resolve("schemas/swap.yml"));
        Path schemas = Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(schemas.resolve("swap.yml"), schema);
        ApplicationContextRunner persistent = example(file)
                .withPropertyValues(
                        "millrace.schemas=" + schemas,
                        "millrace.regions.large.persistent=true",
                        "millrace.regions.small.persistent=true",
                        "millrace.regions.swaps-rejected.persistent=true");
        persistent.run(context -> assertThat(done(context).kept()).isEqualTo(1));

        Files.writeString(
                schemas.resolve("swap.yml"),
                schema.stripTrailing() + "\n  - { name: note, type: string, length: 20, optional: true }\n");
        String later = lines.get(0).replace("S-1001", "S-2001").replaceFirst("\\{", "{\"note\":\"amended\",");
        Files.writeString(file, lines.get(0) + "\n" + later + "\n");
        persistent.run(context -> {
            done(context);
            assertThat(query(context, "large", null, "id", "note"))
                    .extracting(record -> record.get("id") + " " + record.get("note"))
                    .containsExactlyInAnyOrder("S-1001 null", "S-2001 amended");
        });

        Files.writeString(schemas.resolve("swap.yml"), schema);
        persistent.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("version 1 of 2 is configured, and records of later versions are stored"));
    }

    @Test
    void shouldStoreALineThatIsNotARecordOnceAfterRestarts() throws IOException {
        String line = Files.readAllLines(EXAMPLE.resolve("swaps.jsonl")).getFirst();
        Path file = Files.writeString(folder.resolve("some.jsonl"), line + "\nnot JSON\n\n[1");
        ApplicationContextRunner persistent = example(file)
                .withPropertyValues(
                        "millrace.regions.large.persistent=true",
                        "millrace.regions.small.persistent=true",
                        "millrace.regions.swaps-rejected.persistent=true");
        for (int start = 0; start < 3; start++) {
            persistent.run(context -> {
                done(context);
                assertThat(rejects(context)).hasSize(2);
                assertThat(query(context, "large", null)).hasSize(1);
            });
        }
    }

    private static List<Map<String, @Nullable Object>> rejects(BeanFactory beans) {
        return beans.getBean(Store.class)
                .query("swaps-rejected", new Query(null, List.of(), List.of(), Query.MAX_LIMIT))
                .records();
    }
}
