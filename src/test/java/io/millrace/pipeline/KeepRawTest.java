package io.millrace.pipeline;

import static io.millrace.pipeline.rules.RulesRunner.all;
import static io.millrace.pipeline.rules.RulesRunner.change;
import static io.millrace.pipeline.rules.RulesRunner.done;
import static io.millrace.pipeline.rules.RulesRunner.id;
import static io.millrace.pipeline.rules.RulesRunner.pipeline;
import static io.millrace.pipeline.rules.RulesRunner.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.pipeline.rules.RuleChanges;
import io.millrace.pipeline.rules.RulesException;
import io.millrace.pipeline.rules.RulesRunner;
import io.millrace.pipeline.rules.RulesRunner.Gate;
import io.millrace.pipeline.shadow.Difference;
import io.millrace.pipeline.shadow.ShadowReport;
import io.millrace.pipeline.shadow.Shadows;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** A pipeline that also stores the records before the first step. */
class KeepRawTest {

    private static final int RECORDS = 5_000;

    private static final String STEPS = """
        steps:
        - filter: id % 4 != 0 and 100 / (id % 7) > 0
        - set: { exchangeRate: '2.0' }
        - to: some
        """;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 1));
    }

    private ApplicationContextRunner runner(String raw, String steps) {
        return new RulesRunner(folder)
                .configured("""
                    some: { layout: blocks, persistent: true }
                    raw: %s
                    """.formatted(raw), "feed: { file: " + file + " }", steps, "keep-raw: raw");
    }

    /** Every record of the file once, as it is in the file. */
    private static void checkRaw(ApplicationContext context) {
        List<Map<String, Object>> raw = all(context, "raw");
        assertThat(raw.stream().mapToLong(RulesRunner::id))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, RECORDS).boxed().toList());
        List<TradeFile.Trade> trades = TradeFile.random(RECORDS, 1);
        assertThat(raw).allSatisfy(record -> {
            TradeFile.Trade trade = trades.get((int) id(record) - 1);
            assertThat(record.get("exchangeRate")).isEqualTo(trade.rate());
            assertThat(record.get("amount1")).isEqualTo(BigDecimal.valueOf(trade.cents1(), 2));
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ layout: blocks, persistent: true }",
                "{ layout: blocks, persistent: true, encoding: columns, block-records: 64 }"
            })
    void shouldStoreEachRecordAsItCame(String raw) {
        runner(raw, STEPS).run(context -> {
            assertThat(context).hasNotFailed();
            PipelineStatus status = done(context);
            checkRaw(context);
            assertThat(all(context, "some")).allMatch(record -> rate(record) == 2);
            // The raw records are in addition to those that are counted.
            assertThat(status.kept() + status.dropped() + status.rejected()).isEqualTo(RECORDS);
            assertThat(status.keptByRegion()).containsOnlyKeys("some");
            assertThat(Conservation.holds(pipeline(context))).isTrue();
        });
    }

    @Test
    void shouldStoreEachRecordOnceAcrossChangesOfRulesAndRestarts() throws IOException {
        byte[] records = Files.readAllBytes(file);
        String raw = "{ layout: blocks, persistent: true, block-records: 64 }";
        Files.write(file, Arrays.copyOf(records, 2_000 * TradeFile.LENGTH));
        runner(raw, STEPS).withBean(Gate.class).run(context -> {
            Gate gate = Gate.of(context);
            gate.pass(10);
            await().until(() -> PipelineStatus.of(pipeline(context)).in() >= 1_000);
            gate.passUntilChanged(context, "steps:\n- set: { exchangeRate: 'id % 3 == 0 ? 3.0 : 1.0' }\n- to: some\n");
            gate.open();
            done(context);
        });
        for (int count : new int[] {3_333, RECORDS}) {
            Files.write(file, Arrays.copyOf(records, count * TradeFile.LENGTH));
            runner(raw, STEPS).run(context -> {
                PipelineStatus status = done(context);
                assertThat(status.in()).isLessThan(count);
                if (count == RECORDS) {
                    checkRaw(context);
                }
            });
        }
    }

    /** The records that the live rules have dropped are there. */
    @Test
    void shouldShowInABacktestWhatWouldBeNewlyKept() {
        runner("{ layout: blocks }", STEPS).run(context -> {
            done(context);
            ShadowReport report = context.getBean(Shadows.class)
                    .backtest(
                            context.getBean(RuleChanges.class).of("trades").orElseThrow(),
                            STEPS.replace("id % 4", "id % 5"),
                            List.of())
                    .run(context.getBean(Store.class), "raw", null, Query.UNLIMITED, Duration.ofSeconds(60))
                    .comparison();
            assertThat(report.records()).isEqualTo(RECORDS);
            assertThat(Objects.requireNonNull(report.differences().get(Difference.NEWLY_KEPT)))
                    .isEqualTo(LongStream.rangeClosed(1, RECORDS)
                            .filter(id -> id % 4 == 0 && id % 5 != 0 && id % 7 != 0)
                            .count());
        });
    }

    @Test
    void shouldRefuseRulesThatSendRecordsToIt() {
        runner("{ layout: blocks, persistent: true }", STEPS).run(context -> {
            done(context);
            assertThatExceptionOfType(RulesException.class)
                    .isThrownBy(() -> change(context, "steps:\n- to: raw\n"))
                    .withMessageContaining("Region 'raw' stores the records of 'keep-raw'. Use another region.");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        keep-raw: rwa  | Unknown region 'rwa'. Did you mean 'raw'? Regions are defined under 'millrace.regions'.
        keep-raw: some | A step sends records to region 'some'. Use a region of its own for records before the first step.
        keep-raw: rows | Measure 'volume' is not alone in this region, which also receives records of pipelines.
        keep-raw: last | Region 'last' has 'layout: entries', which stores only the latest record of each key. Use 'layout: blocks'.
        """)
    void shouldSayWhatIsWrong(String keepRaw, String message) {
        new RulesRunner(folder)
                .configured("""
                    some: { layout: blocks }
                    raw: { layout: blocks, schema: trade }
                    rows: { layout: blocks }
                    last: { layout: entries, key: id, schema: trade }
                    """, "feed: { file: " + file + " }", """
                    steps:
                    - measure: { name: volume, every: 1m, values: { trades: count() }, to: rows }
                    - to: some
                    """, keepRaw)
                .run(context -> assertThat(context).getFailure().hasMessageContaining(message));
    }

    /** Nested records are stored as they came too, whatever the steps read of them. */
    @Test
    void shouldStoreNestedRecords() throws IOException {
        Path example = Path.of("examples/swap").toAbsolutePath();
        Path lines = Files.copy(example.resolve("swaps.jsonl"), folder.resolve("swaps.jsonl"));
        new RulesRunner(folder)
                .configured(
                        """
                        none: { layout: blocks }
                        raw: { layout: blocks }
                        """,
                        "feed: { json-lines: " + lines + " }",
                        "steps:\n- filter: 1 > 2\n- to: none\n",
                        "keep-raw: raw")
                .withPropertyValues(
                        "millrace.schemas=" + example.resolve("schemas"), "millrace.pipelines.trades.schema=swap")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    done(context);
                    Store store = context.getBean(Store.class);
                    Query all = new Query(null, List.of(), List.of(), 1000);
                    assertThat(store.query("raw", all).records())
                            .hasSize(Files.readAllLines(lines).size());
                    assertThat(store.query("none", all).records()).isEmpty();
                });
    }
}
