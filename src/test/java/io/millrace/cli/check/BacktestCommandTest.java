package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code backtest}, which compares rules on recorded data. */
class BacktestCommandTest {

    private static final int RECORDS = 50_000;

    private static final String CONFIG = """
            millrace:
              tables:
                desks: { file: "classpath:samples/desks.csv", key: id }
              regions:
                buys: { layout: blocks }
                sells: { layout: blocks }
              pipelines:
                trades:
                  feed: FEED
                  schema: trade
                  steps:
                    - filter: id % 3 != 0
                    - enrich: { table: desks, key: id % 10, add: { desk: name } }
                    - measure: { name: volume, every: 1m, by: [ currency1 ], values: { trades: count() } }
                    - route: [ { when: buySell == 'Buy', to: buys }, { otherwise: sells } ]
            """;

    private static final String OTHER = """
            steps:
              - filter: id % 5 != 0 and 100 / (id % 7) > 0
              - enrich: { table: desks, key: id % 10, add: { desk: name } }
              - measure: { name: volume, every: 1m, by: [ currency1 ], values: { trades: count() } }
              - route: [ { when: buySell == 'Buy' or id % 2 == 0, to: buys }, { otherwise: sells } ]
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private List<Trade> trades;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        trades = TradeFile.random(RECORDS, 7);
        file = TradeFile.write(folder.resolve("trades.bin"), trades);
    }

    private int backtest(String feed, String rules, String... options) throws IOException {
        Path config = Files.writeString(folder.resolve("config.yml"), CONFIG.replace("FEED", feed));
        Path other = Files.writeString(folder.resolve("rules.yml"), rules);
        return new CommandLine(new BacktestCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of(config.toString(), "--rules", other.toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    private long count(Predicate<Trade> condition) {
        return trades.stream().filter(condition).count();
    }

    private static boolean dropped(Trade trade) {
        return trade.id() % 5 == 0;
    }

    private static boolean rejected(Trade trade) {
        return !dropped(trade) && trade.id() % 7 == 0;
    }

    private static boolean kept(Trade trade) {
        return !dropped(trade) && !rejected(trade);
    }

    private static boolean keptBefore(Trade trade) {
        return trade.id() % 3 != 0;
    }

    @Test
    void shouldCountEachDifferenceAsComputedByHand() throws IOException {
        assertThat(backtest("{ file: " + file + " }", OTHER, "--json", "--by", "buySell"))
                .as(err.toString())
                .isZero();
        JsonNode result = JsonMapper.shared().readTree(out.toString());
        JsonNode differences = result.path("differences");
        assertThat(result.path("records").asLong()).isEqualTo(RECORDS);
        assertThat(result.has("skipped")).as("a backtest skips nothing").isFalse();
        assertThat(differences.path("newly-kept").asLong())
                .isEqualTo(count(trade -> kept(trade) && !keptBefore(trade)));
        assertThat(differences.path("newly-dropped").asLong())
                .isEqualTo(count(trade -> dropped(trade) && keptBefore(trade)));
        assertThat(differences.path("newly-rejected").asLong()).isEqualTo(count(BacktestCommandTest::rejected));
        assertThat(differences.path("other-target").asLong())
                .isEqualTo(count(trade -> kept(trade) && keptBefore(trade) && !trade.buy() && trade.id() % 2 == 0));
        assertThat(differences.path("other-values").asLong()).isZero();
        long all = differences.properties().stream()
                .mapToLong(entry -> entry.getValue().asLong())
                .sum();
        assertThat(result.path("same").asLong()).isEqualTo(RECORDS - all);

        JsonNode groups = result.path("groups");
        assertThat(groups.valueStream().map(group -> group.at("/by/buySell").asString()))
                .containsExactlyInAnyOrder("Buy", "Sell");
        groups.forEach(group -> {
            boolean buy = group.at("/by/buySell").asString().equals("Buy");
            assertThat(group.at("/differences/newly-rejected").asLong())
                    .isEqualTo(count(trade -> trade.buy() == buy && rejected(trade)));
            assertThat(group.at("/differences/newly-dropped").asLong())
                    .isEqualTo(count(trade -> trade.buy() == buy && dropped(trade) && keptBefore(trade)));
        });
        result.path("examples").forEach(example -> {
            long id = example.at("/live/values/id").asLong();
            assertThat(example.path("position").asLong()).isEqualTo((id - 1) * TradeFile.LENGTH);
            assertThat(example.at("/shadow/values/id").asLong()).isEqualTo(id);
        });
        assertThat(result.path("examples")).hasSize(20);
    }

    @Test
    void shouldPrintCountsGroupsAndExamples() throws IOException {
        assertThat(backtest("{ file: " + file + " }", OTHER, "--records", "1000", "--by", "buySell"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .startsWith("trades: 1000 records in ")
                .containsPattern("(?m)^  same            \\d+ \\(\\d+\\.\\d\\d %\\)$")
                .containsPattern("(?m)^  newly-dropped   134 \\(13\\.40 %\\)$")
                .containsPattern("(?m)^  buySell=Buy: .*newly-kept \\d+")
                .containsPattern("(?m)^  live    kept in buys: id=\\d+, .*desk=")
                .containsPattern("(?m)^  shadow  rejected, expression: No result of .*: division by zero");
    }

    @Test
    void shouldCountRecordsOfTooManyGroupsTogether() throws IOException {
        assertThat(backtest("{ file: " + file + " }", OTHER, "--by", "id,buySell,id"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .contains("  id=(other groups), buySell=(other groups): ", "  and 9951 other groups, see --json")
                .doesNotContain("  =");
    }

    @Test
    void shouldFindNoDifferenceBetweenEqualRules() throws IOException {
        assertThat(backtest("{ file: " + file + " }", CONFIG.replace("FEED", "{ file: other.bin }")))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("  same            50000 (100.00 %)");
    }

    @Test
    void shouldReadGeneratedRecordsAtFullSpeedAndIncompleteOnes() throws IOException {
        assertThat(backtest("{ generator: { rate: 10, count: 20000 } }", OTHER))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).startsWith("trades: 20000 records in ");
        Files.write(file, new byte[7], StandardOpenOption.APPEND);
        assertThat(backtest("{ file: " + file + " }", OTHER)).as(err.toString()).isZero();
        assertThat(out.toString()).contains("trades: 50000 records in ", "Pieces of the feed that are not records: 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { file: FILE }                 | steps: [ { to: nowhere } ]        | -                  | 'nowhere'
            { file: FILE }                 | steps: [ { to: buys } ]           | -                  | Measure 'volume' can't be removed
            { file: FILE }                 | OTHER                             | --by=amount9       | Unknown field 'amount9' in schema 'trade'
            { file: FILE }                 | OTHER                             | --pipeline=trade   | Unknown pipeline 'trade'. Did you mean 'trades'?
            { file: FILE }                 | OTHER                             | --records=0        | Invalid value '0' for option --records. Use 1 or more.
            { generator: { rate: 10 } }    | OTHER                             | -                  | The feed of pipeline 'trades' has no end. Set a maximum number of records, with --records. [shadow-not-possible]
            { tcp: { port: 0 } }           | OTHER                             | -                  | The feed of pipeline 'trades' can't be read again. Use a configuration whose feed is a file. [shadow-not-possible]
            { file: none.bin }             | OTHER                             | -                  | none.bin
            """)
    void shouldSayWhatIsWrong(String feed, String rules, String option, String message) throws IOException {
        String[] options = option.equals("-") ? new String[0] : option.split("=", 2);
        assertThat(backtest(feed.replace("FILE", file.toString()), rules.equals("OTHER") ? OTHER : rules, options))
                .isNotZero();
        assertThat(err.toString()).contains(message);
        assertThat(out.toString()).isEmpty();
    }
}
