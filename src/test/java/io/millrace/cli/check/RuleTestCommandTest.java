package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code test}, which runs the tests of rules. */
class RuleTestCommandTest {

    private static final String RULES = """
        millrace:
          tables:
            desks: { file: "classpath:samples/desks.csv", key: id }
          regions:
            buys: { layout: blocks }
            others: { layout: blocks }
          pipelines:
            trades:
              feed: { file: there-is-no-such-file.bin }
              schema: trade
              steps:
                - filter: currency1 != 'JPY'
                - enrich: { table: desks, key: id, add: { desk: name }, on-miss: reject }
                - set: { ratio: amount1 / amount2 }
                - measure:
                    name: volume
                    every: 1m
                    by: [ currency1 ]
                    values: { trades: count() }
                - route:
                    - { when: buySell == 'Buy', to: buys }
                    - { otherwise: others }
              tests:
        """;
    private static final String RECORD = """
        { id: ID, tradeDate: 21/07/2014, buySell: Buy, currency1: EUR, amount1: 3.00, exchangeRate: 1.5,
          currency2: USD, amount2: 2.00, settlementDate: 28/07/2014 }\
        """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldNotWatchStandardInput() throws IOException {
        assertThat(test("", "--watch", "-")).isEqualTo(2);
        assertThat(err.toString()).contains("Invalid file '-' for '--watch'. Name a file.");
    }

    @Test
    void shouldRunTheTestsOfAllFiles() throws IOException {
        String record = RECORD.replace("ID", "0").replace("\n", " ");
        String tests =
                """
                millrace:
                  pipelines:
                    trades:
                      tests:
                        - { name: NAME of yen, record: RECORD, expect: { dropped: true } }
                        - { name: NAME of euros, record: RECORD2, expect: { dropped: true } }
                """.replace("RECORD2", record).replace("RECORD", record.replace("currency1: EUR", "currency1: JPY"));
        Path first = Files.writeString(folder.resolve("first.yml"), tests.replace("NAME", "first"));
        Path second = Files.writeString(folder.resolve("second.yml"), tests.replace("NAME", "second"));
        String own = "- { name: own, record: " + record.replace("currency1: EUR", "currency1: JPY")
                + ", expect: { dropped: true } }\n";
        Files.writeString(folder.resolve("rules.yml"), RULES + own.indent(8));
        CommandLine command = new CommandLine(new TestCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        int code = command.execute(folder.resolve("rules.yml").toString(), first.toString(), second.toString());
        assertThat(out.toString())
                .as(err.toString())
                .startsWith("Pipeline trades: 3 passed, 2 failed")
                .contains("first of euros", "second of euros");
        assertThat(code).isOne();
    }

    private int test(String tests, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("config.yml"), RULES + tests.indent(8));
        CommandLine command = new CommandLine(new TestCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        String[] arguments = Arrays.copyOf(options, options.length + 1);
        arguments[options.length] = file.toString();
        return command.execute(arguments);
    }

    @Test
    void shouldRunAgainWhenAFileChanges() throws Exception {
        String tests = "- { record: RECORD, expect: { to: buys } }\n"
                .replace("RECORD", RECORD.replace("ID", "0").replace("\n", " "));
        Path file = folder.resolve("config.yml");
        Thread watching = Thread.ofPlatform().start(() -> {
            try {
                test(tests, "--watch");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            await().until(() -> out.toString().contains("1 passed, 0 failed"));
            Path changed = folder.resolve("changed.yml");
            Files.writeString(changed, Files.readString(file).replace("expect: { to: buys", "expect: { to: others"));
            Files.move(changed, file, StandardCopyOption.REPLACE_EXISTING);
            await().until(() -> out.toString().contains("0 passed, 1 failed"));
            Files.writeString(file, "millrace: [");
            await().until(() -> !err.toString().isEmpty());
            Files.writeString(file, RULES + tests.indent(8));
            await().until(() ->
                    out.toString().lastIndexOf("1 passed") > out.toString().indexOf("1 failed"));
        } finally {
            watching.interrupt();
            watching.join();
        }
    }

    @Test
    void shouldPassIfRecordsBecomeWhatIsExpected() throws IOException {
        assertThat(test("""
            - name: a buy
              record: RECORD
              expect: { to: buys, fields: { desk: Sydney Spot 1, ratio: 1.5, amount1: 3 } }
            - record: RECORD
              expect: { to: buys }
            """.replace("RECORD", RECORD.replace("ID", "0").replace("\n", " "))))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).startsWith("Pipeline trades: 2 passed, 0 failed\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "currency1: EUR | currency1: JPY  | to: buys           | expected to buys, was dropped by"
                        + " trades.1-filter",
                "id: ID         | id: 77777       | to: buys           | expected to buys, was rejected as no-match",
                "amount2: 2.00  | amount2: 0.00   | to: buys           | expected to buys, was rejected as expression",
                "id: ID         | id: 1           | rejected: no-match | expected rejected as no-match, was to buys"
                        + " (id=1, ",
                "id: ID         | id: 1           | dropped: true      | expected dropped, was to buys (id=1, ",
                "Buy            | Sell            | to: buys           | expected to buys, was to others (",
                "id: ID         | id: 1           | 'to: buys, fields: { ratio: 1.25, amount1: 4 }' | ratio: expected"
                        + " 1.25, was 1.5",
            })
    void shouldFailIfTheyBecomeAnythingElse(String from, String to, String expected, String message)
            throws IOException {
        assertThat(test("""
            - name: the only one
              record: RECORD
              expect: { EXPECTED }
            """.replace(
                        "RECORD", RECORD.replace(from, to).replace("ID", "1").replace("\n", " ")).replace(
                        "EXPECTED", expected)))
                .isOne();
        assertThat(out.toString())
                .contains(
                        "Pipeline trades: 0 passed, 1 failed",
                        "FAILED  the only one\n    millrace.pipelines.trades.tests[0]\n    ",
                        message);
    }

    @Test
    void shouldListConditionsThatNoTestCovers() throws IOException {
        assertThat(test("""
            - record: RECORD
              expect: { to: buys }
            """.replace("RECORD", RECORD.replace("ID", "1").replace("\n", " "))))
                .isZero();
        assertThat(out.toString())
                .contains(
                        "Conditions that the tests do not cover:",
                        "trades.1-filter never false: currency1 != 'JPY'",
                        "trades.5-route never false: buySell == 'Buy'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "record: { id: x }, expect: { to: buys }            | tests[0].record (config.yml:",
                "hex: 0g, expect: { to: buys }                      | Invalid hexadecimal text.",
                "hex: \"00\", expect: { to: buis }                      | The pipeline has no target 'buis'. Did you"
                        + " mean 'buys'?",
                "hex: \"00\", expect: { to: buys, fields: { dsk: 1 } }  | Unknown field 'dsk' in schema 'trade'. Did"
                        + " you mean 'desk'?",
                "hex: \"00\", expect: { to: buys, fields: { id: x } }   | tests[0].expect.fields.id",
                "hex: \"00\", expect: { rejected: no-mach }             | Unknown reason 'no-mach'. Did you mean"
                        + " 'no-match'?",
                "hex: \"00\", expect: { dropped: false }                | Invalid value 'false'. Use true",
                "hex: \"00\", expect: { dropped: true, to: buys }       | Too many properties. Use exactly one of: to,"
                        + " dropped, rejected.",
                "hex: \"00\"                                            | Missing property. Use exactly one of:"
                        + " expect, expect-each.",
                "hex: \"00\", json: x, expect: { dropped: true }        | Too many properties. Use exactly one of:"
                        + " record, json, csv, hex.",
                "json: '[]', expect: { dropped: true }              | Invalid record: not a JSON object.",
                "hexx: 00                                           | Unknown property 'hexx'. Did you mean 'hex'?",
            })
    void shouldReportMistakesInTests(String test, String message) throws IOException {
        assertThat(test("- { " + test + " }\n")).isOne();
        assertThat(err.toString()).contains("millrace.pipelines.trades.tests[0]", message);
    }

    @Test
    void shouldWriteResultsForOtherPrograms() throws IOException {
        Path xml = folder.resolve("reports/rules.xml");
        assertThat(test(
                        """
                        - name: passes
                          record: RECORD
                          expect: { to: buys }
                        - name: fails & <shows>
                          record: RECORD
                          expect: { dropped: true }
                        """.replace("RECORD", RECORD.replace("ID", "1").replace("\n", " ")),
                        "--json",
                        "--junit",
                        xml.toString()))
                .isOne();
        JsonNode report = new JsonMapper().readTree(out.toString()).get(0);
        assertThat(report.get("pipeline").asString()).isEqualTo("trades");
        assertThat(report.get("tests").get(0).get("differences")).isEmpty();
        assertThat(report.get("tests").get(1).get("differences")).hasSize(1);
        assertThat(report.get("uncovered")).isNotEmpty();
        assertThat(Files.readString(xml))
                .contains(
                        "<testsuite name=\"trades\" tests=\"2\" failures=\"1\">", "name=\"fails &amp; &lt;shows&gt;\"")
                .contains("<failure message=\"expected dropped, was to buys (");
    }

    @Test
    void shouldExpectEachRecordThatAStepMakes() throws IOException {
        Path config = Files.writeString(
                folder.resolve("swaps.yml"), """
                    millrace:
                      schemas: examples/swap/schemas
                      regions: { legs: { layout: blocks } }
                      pipelines:
                        swaps:
                          schema: swap
                          steps: [ { unnest: { list: legs } }, { filter: legs_index > 0 }, { to: legs } ]
                          tests:
                            - json: '%s'
                              expect-each: [ { to: legs, fields: { legs_index: 1 } }, { dropped: true } ]
                    """.formatted(Files.readString(Path.of("examples/swap/swaps.jsonl"))
                        .lines()
                        .findFirst()
                        .orElseThrow()));
        CommandLine command = new CommandLine(new TestCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        assertThat(command.execute(config.toString())).as(err.toString()).isZero();
    }

    @Test
    void shouldTakeNestedValues() throws IOException {
        Path config = Files.writeString(folder.resolve("swaps.yml"), """
            millrace:
              schemas: examples/swap/schemas
              regions: { legs: { layout: blocks } }
              pipelines:
                swaps:
                  schema: swap
                  steps:
                    - set: { total: '#sum(legs.![notional])' }
                    - unnest: { list: legs }
                    - filter: legs_index > 0
                    - route: [ { when: legs.notional > 5, to: "channel:large" }, { otherwise: legs } ]
                  tests:
                    - name: the second leg
                      record:
                        id: S-1
                        tradeDate: 2026-03-02
                        status: New
                        cleared:
                        buyer: { name: A, country: DE }
                        legs:
                          - { currency: EUR, notional: 25, payments: [ { date: 2026-09-02, amount: 3 } ] }
                          - { currency: EUR, notional: 25.5, payments: [] }
                        books: [ rates, emea ]
                      expect-each:
                        - { to: "channel:large", fields: { legs_index: 1, legs.notional: 25.50, total: 50.5 } }
                        - { dropped: true }
            """);
        CommandLine command = new CommandLine(new TestCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        assertThat(command.execute(config.toString())).as(err + "" + out).isZero();
    }

    @Test
    void shouldPassTheTestsOfTheExample() throws IOException {
        CommandLine command = new CommandLine(new TestCommand()).setOut(new PrintWriter(out, true));
        assertThat(command.execute("examples/trades.yml", "examples/trades-tests.yml"))
                .isZero();
        String guide = Files.readString(Path.of("docs/guides/rules.md"));
        assertThat(guide).contains(out.toString().lines().findFirst().orElseThrow());
        assertThat(Files.readString(Path.of("examples/trades-tests.yml")))
                .contains(guide.substring(guide.indexOf("      tests:\n"), guide.indexOf("expect: { dropped: true }")));
    }

    @Test
    void shouldRequireTestsAndKnownPipelines() throws IOException {
        assertThat(test("- { hex: \"00\", expect: { rejected: truncated } }\n", "--pipeline", "tardes"))
                .as(err.toString())
                .isEqualTo(2);
        assertThat(err.toString()).contains("Unknown pipeline 'tardes'. Did you mean 'trades'?");
        assertThat(test("- { hex: \"00\", expect: { rejected: truncated } }\n", "--pipeline", "trades"))
                .isZero();
        Path none = Files.writeString(folder.resolve("none.yml"), RULES.replace("      tests:\n", ""));
        CommandLine command = new CommandLine(new TestCommand()).setErr(new PrintWriter(err, true));
        assertThat(command.execute(none.toString())).isOne();
        assertThat(err.toString()).contains("No tests found.").endsWith(" [no-tests]\n");
    }
}
