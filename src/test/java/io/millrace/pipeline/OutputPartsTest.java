package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.cli.stored.RegionsCommand;
import io.millrace.config.MillraceAutoConfiguration;
import io.millrace.output.OutputFactory;
import io.millrace.pipeline.OutputsTest.MemoryFactory;
import io.millrace.store.Rejects;
import io.millrace.store.Store;
import io.millrace.store.query.Query;
import io.millrace.store.reject.Reject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Rejects, rows and alerts in outputs: what their regions have, once, in files of their own. */
class OutputPartsTest {

    private static final int TRADES = 60_000;

    private static final String CONFIG = """
            millrace:
              data: FOLDER/data
              schemas: FOLDER/schemas
              batch-records: 1000
              flush: 20ms
              regions:
                latest:    { layout: entries, key: buySell, latest: time, persistent: true }
                turnovers: { layout: blocks, persistent: true }
                raised:    { layout: blocks, persistent: true }
              outputs:
                all: { file: { folder: FOLDER/all, format: json } }
              pipelines:
                trades:
                  partitions: 2
                  feed: { file: FOLDER/trades.bin }
                  schema: event
                  rejects: output:all
                  steps:
                    - filter: 100 / (day % 10) > 0
                    - measure:
                        name: turnover
                        time: time
                        every: 10s
                        by: buySell
                        values: { events: count(), sum: sum(amount1) }
                        to: [ turnovers, 'output:all' ]
                        alerts:
                          odd: { when: events % 2 == 1, to: [ raised, 'output:all' ] }
                    - to: [ latest, 'output:all' ]
            """;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @TempDir
    Path folder;

    private List<TradeFile.Trade> trades = List.of();

    @BeforeEach
    void writeFiles() throws IOException {
        Files.createDirectories(folder.resolve("schemas"));
        Files.writeString(folder.resolve("schemas/event.yml"), """
            schema: event
            layout: fixed
            length: 39
            fields:
              - { name: time,    type: instant, as: i64, unit: ms, at: 0 }
              - { name: day,     type: u16, at: 8 }
              - { name: buySell, type: enum, values: [Buy, Sell], at: 10 }
              - { name: amount1, type: decimal, scale: 2, as: i64, at: 12 }
            """);
        trades = TradeFile.random(TRADES, 23);
        TradeFile.write(folder.resolve("trades.bin"), trades.subList(0, TRADES / 2));
    }

    private ApplicationContextRunner runner(String config) throws Exception {
        Path written = Files.writeString(folder.resolve("config.yml"), config.replace("FOLDER", folder.toString()));
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IntegrationAutoConfiguration.class, MillraceAutoConfiguration.class))
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.config.location=" + written.toUri());
    }

    private void run(String config, Consumer<ApplicationContext> test) throws Exception {
        runner(config).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(pipeline(context)::ended);
            assertThat(pipeline(context).error()).isNull();
            test.accept(context);
        });
        requireReleased();
    }

    /** Another process could write to the files now. */
    private void requireReleased() throws IOException {
        List<Path> positions;
        try (Stream<Path> files = Files.list(folder.resolve("all"))) {
            positions =
                    files.filter(file -> file.toString().endsWith(".position")).toList();
        }
        assertThat(positions).hasSize(6);
        for (Path file : positions) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                assertThat(lock).as(file.toString()).isNotNull();
            }
        }
    }

    private static Pipeline pipeline(ApplicationContext context) {
        return context.getBean(Pipelines.class).named("trades").orElseThrow();
    }

    private static List<String> stored(ApplicationContext context, String region) {
        return context
                .getBean(Store.class)
                .query(region, new Query(null, List.of(), List.of(), 1_000_000))
                .records()
                .stream()
                .map(OutputPartsTest::text)
                .toList();
    }

    private static String text(Map<String, ?> row) {
        return row.get("start") + " " + row.get("buySell") + " " + row.get("events") + " " + row.get("sum") + " "
                + row.get("state");
    }

    private List<JsonNode> written(String file) {
        try {
            return Files.readAllLines(folder.resolve("all").resolve(file)).stream()
                    .map(JSON::readTree)
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(JsonNode row) {
        return Stream.of("start", "buySell", "events", "sum", "state")
                .map(name -> row.get(name) == null ? "null" : row.get(name).asString())
                .reduce((one, other) -> one + " " + other)
                .orElseThrow();
    }

    private List<JsonNode> ofBothPartitions(String name) {
        return Stream.of(0, 1)
                .map(partition -> written(name + "-" + partition + ".jsonl"))
                .flatMap(Collection::stream)
                .toList();
    }

    /** @param count number of trades in the file */
    private void requireAll(ApplicationContext context, int count) {
        List<TradeFile.Trade> rejected = trades.subList(0, count).stream()
                .filter(trade -> trade.tradeDay() % 10 == 0)
                .toList();
        assertThat(rejected).isNotEmpty();
        assertThat(ofBothPartitions("trades")).hasSize(count - rejected.size());
        List<JsonNode> rejects = ofBothPartitions("trades+rejects");
        List<Reject> inRegion = Rejects.of(context.getBean(Store.class), "trades-rejected");
        assertThat(rejects)
                .extracting(reject -> reject.get("position").asLong())
                .doesNotHaveDuplicates();
        assertThat(rejects.stream()
                        .map(reject -> reject.get("position").asLong())
                        .sorted()
                        .toList())
                .isEqualTo(inRegion.stream().map(Reject::position).toList());
        assertThat(rejects)
                .hasSize(rejected.size())
                .allSatisfy(
                        reject -> assertThat(reject.get("detail").asString()).contains("zero"));
        List<String> rows = written("trades+turnover-0.jsonl").stream()
                .map(OutputPartsTest::text)
                .toList();
        assertThat(rows).isNotEmpty().isEqualTo(stored(context, "turnovers"));
        assertThat(written("trades+turnover+odd-0.jsonl"))
                .extracting(OutputPartsTest::text)
                .isNotEmpty()
                .isEqualTo(stored(context, "raised"));
        assertThat(PipelineStatus.of(pipeline(context)).inFlight()).isZero();
    }

    @Test
    void shouldWriteRejectsRowsAndAlertsOnceAcrossRestarts() throws Exception {
        run(CONFIG, context -> requireAll(context, TRADES / 2));
        TradeFile.write(folder.resolve("trades.bin"), trades);
        run(CONFIG, context -> {
            requireAll(context, TRADES);
            assertThat(PipelineStatus.of(pipeline(context)).in()).isEqualTo(TRADES / 2);
        });
    }

    /** The state of the measure, in which rows have their numbers, is lost, but not the file. */
    @Test
    void shouldRefuseRowsUnderNumbersThatOthersHave() throws Exception {
        run(CONFIG, context -> requireAll(context, TRADES / 2));
        FileSystemUtils.deleteRecursively(folder.resolve("data"));
        String before = Files.readString(folder.resolve("all/trades+turnover-0.jsonl"));
        runner(CONFIG).run(context -> {
            await().until(() -> pipeline(context).state() == PipelineState.FAILED);
            assertThat(pipeline(context).error())
                    .contains("'output:all#turnover' contains rows of a state of the measure that no longer exists");
        });
        assertThat(folder.resolve("all/trades+turnover-0.jsonl")).hasContent(before);
    }

    @Test
    void shouldContinueInNewFiles() throws Exception {
        run(CONFIG, context -> requireAll(context, TRADES / 2));
        Files.move(folder.resolve("all"), folder.resolve("old"));
        TradeFile.write(folder.resolve("trades.bin"), trades);
        run(CONFIG, context -> {
            for (String name : List.of(
                    "trades-0",
                    "trades-1",
                    "trades+rejects-0",
                    "trades+rejects-1",
                    "trades+turnover-0",
                    "trades+turnover+odd-0")) {
                Path file = folder.resolve("all").resolve(name + ".jsonl");
                try {
                    assertThat(Files.readString(file)).isNotEmpty();
                    Files.writeString(
                            file,
                            Files.readString(folder.resolve("old").resolve(name + ".jsonl")) + Files.readString(file));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
            requireAll(context, TRADES);
        });
    }

    /** As the guide says: reset a measure, and move its files away. */
    @Test
    void shouldBeginAgainAfterAResetOfTheMeasure() throws Exception {
        run(CONFIG, context -> requireAll(context, TRADES / 2));
        assertThat(new CommandLine(new RegionsCommand())
                        .execute(
                                "remove",
                                "measure/trades.turnover",
                                folder.resolve("config.yml").toString(),
                                "--yes"))
                .isZero();
        for (String name : List.of("trades+turnover-0", "trades+turnover+odd-0")) {
            Files.delete(folder.resolve("all/" + name + ".jsonl"));
            Files.delete(folder.resolve("all/" + name + ".jsonl.position"));
        }
        run(CONFIG, context -> requireAll(context, TRADES / 2));
    }

    /** It does not have the pipeline read its feed again. */
    @Test
    void shouldBeginWithTheNextRejectsIfItIsNew() throws Exception {
        String without = CONFIG.replace("      rejects: output:all\n", "");
        assertThat(without).isNotEqualTo(CONFIG);
        runner(without).run(context -> await().until(pipeline(context)::ended));
        TradeFile.write(folder.resolve("trades.bin"), trades);
        run(CONFIG, context -> {
            assertThat(PipelineStatus.of(pipeline(context)).in()).isEqualTo(TRADES / 2);
            assertThat(ofBothPartitions("trades+rejects")).hasSize((int) trades.subList(TRADES / 2, TRADES).stream()
                    .filter(trade -> trade.tradeDay() % 10 == 0)
                    .count());
        });
    }

    /** Then the commit is that of another version, and has no position of the output. */
    @Test
    void shouldWriteTheNextRowsIfItIsNewAndTheRulesChange() throws Exception {
        String without = CONFIG.replace("[ turnovers, 'output:all' ]", "turnovers")
                .replace("[ raised, 'output:all' ]", "raised");
        runner(without).run(context -> await().until(pipeline(context)::ended));
        TradeFile.write(folder.resolve("trades.bin"), trades);
        run(CONFIG.replace("100 / (day", "200 / (day"), context -> {
            List<String> rows = stored(context, "turnovers");
            assertThat(written("trades+turnover-0.jsonl"))
                    .extracting(OutputPartsTest::text)
                    .isNotEmpty()
                    .isEqualTo(rows.subList(
                            rows.size() - written("trades+turnover-0.jsonl").size(), rows.size()));
            assertThat(written("trades+turnover-0.jsonl")).hasSizeGreaterThanOrEqualTo(rows.size() / 2);
        });
    }

    /** The region removes the reject when the rest of the record arrives, which an output can't. */
    @Test
    void shouldNotWriteARejectThatMayBeRemoved() throws Exception {
        Path file = folder.resolve("trades.bin");
        byte[] complete = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(complete, complete.length - 5));
        run(CONFIG, context -> {
            int written = ofBothPartitions("trades+rejects").size();
            assertThat(Rejects.of(context.getBean(Store.class), "trades-rejected"))
                    .hasSize(written + 1);
        });
        Files.write(file, complete);
        run(CONFIG, context -> requireAll(context, TRADES / 2));
    }

    /** The region has received the rows of an attempt before the output fails. */
    @Test
    void shouldStoreRowsOnceThoughAnotherTargetFails() throws Exception {
        String config = CONFIG.replace("file: { folder: FOLDER/all, format: json }", "memory: { failures: 10 }")
                .replace("      rejects: output:all\n", "")
                .replace("to: [ latest, 'output:all' ]", "to: latest");
        MemoryFactory factory = new MemoryFactory(new ArrayList<>(), new ConcurrentHashMap<>());
        runner(config).withBean(OutputFactory.class, () -> factory).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(pipeline(context)::ended);
            assertThat(pipeline(context).error()).isNull();
            assertThat(pipeline(context).storeRetries().get()).isEqualTo(10);
            List<String> rows = stored(context, "turnovers");
            assertThat(rows).hasSizeGreaterThan(4).doesNotHaveDuplicates();
            List<String> alerts = stored(context, "raised");
            assertThat(alerts).isNotEmpty().doesNotHaveDuplicates();
            assertThat(factory.ids()).hasSize(rows.size() + alerts.size());
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            rejects: output:all | rejects: output:al           | trades.rejects: Unknown output 'al'. Did you mean 'all'? Outputs are defined
            rejects: output:all | rejects: channel:mine        | trades.rejects: Invalid target 'channel:mine'. To receive rejected records, subscribe to the channel 'trades.rejected'.
            rejects: output:all | rejects: [ one, two ]        | trades.rejects: Too many regions: 'one, two'. Use one region for rejected records. Further targets have to be outputs.
            rejects: output:all | "rejects: [ 'output:all', 'output:all' ]" | trades.rejects: Duplicate target 'all'.
            rejects: output:all | rejects: ''                  | trades.rejects: Missing value: a target.
            [ turnovers, 'output:all' ] | "''"                           | measure.to: Missing value: a target.
            [ raised, 'output:all' ]    | "''"                           | measure.alerts.odd.to: Missing value: a target.
            name: turnover      | name: rejects                | measure.name: Invalid measure name 'rejects'. Outputs use it for rejected records.
            [ turnovers, 'output:all' ] | "[ turnovers, 'channel:mine' ]" | measure.to: Invalid target 'channel:mine'. Use the name of a region, or 'output:' and that of an output.
            [ turnovers, 'output:all' ] | "[ turnovers, turnovers ]"      | measure.to: Duplicate target 'turnovers'.
            [ raised, 'output:all' ]    | "[ raised, 'output:al' ]"       | measure.alerts[odd].to: Unknown output 'al'. Did you mean 'all'?
            """)
    void shouldRefuseMistakes(String text, String instead, String message) throws Exception {
        assertThat(CONFIG).contains(text);
        runner(CONFIG.replace(text, instead))
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining(message));
    }
}
