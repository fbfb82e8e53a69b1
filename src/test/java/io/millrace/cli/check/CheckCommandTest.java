package io.millrace.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CheckCommandTest {

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path trades;

    @BeforeEach
    void makeAFeed() throws IOException {
        trades = Files.write(folder.resolve("trades.bin"), new byte[39]);
    }

    @Test
    void shouldFindARightConfigurationFine() throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    buys: { layout: blocks }
                    sells: { layout: entries, key: id }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - filter: currency1 != 'JPY' and amount1 > 1000000
                        - set: { notional: amount1 * exchangeRate }
                        - route:
                            - { when: buySell == 'Buy' and notional > 1, to: buys }
                            - { otherwise: sells }
                """)).isZero();
        assertThat(out).hasToString("Fine: 1 pipeline, 2 regions.\n");
        assertThat(err).hasToString("");
    }

    @Test
    void shouldWarnAboutComparisonsThatAreProbablyMistakes() throws IOException {
        Files.writeString(folder.resolve("reading.yml"), """
                schema: reading
                layout: fixed
                byte-order: big
                fields:
                  - { name: level, type: u8,  at: 0 }
                  - { name: value, type: f32, at: 1 }
                """);
        Files.write(trades, new byte[5]);
        assertThat(check("""
                millrace:
                  schemas: %s
                  regions:
                    hot: { layout: blocks }
                  pipelines:
                    readings:
                      feed: { file: %s }
                      schema: reading
                      steps:
                        - filter: level < 300 and value >= 26.3
                        - to: hot
                """.formatted(folder, trades))).isZero();
        assertThat(out).hasToString("Fine: 1 pipeline, 1 region.\n");
        assertThat(err).hasToString("""
                Warning: readings.1-filter: 'level < 300' is always true: 'level' holds 0 to 255.
                Warning: readings.1-filter: 'value >= 26.3' excludes records with 26.3: an f32 stores it as \
                26.299999237060547. Compare with 26.299999237060547.
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "json-lines | id,name\\n1,a\\n                      | is text, not JSON lines: no line begins with '{'.",
                "json-lines | [\\n  {\\n    \"id\": 1\\n  }\\n]\\n | is a JSON array, not JSON lines.",
                "json-lines | [{\"id\":1},{\"id\":2}]              | is a JSON array, not JSON lines.",
                "json-lines | {\\n  \"id\": 1\\n}\\n             | is JSON whose objects have several lines",
                "csv        | {\"id\":1}\\n                        | is JSON, not CSV.",
                "csv        | Ident,TradeDate\\r1,x\\r             | line 1: Unknown column 1: 'Ident'.",
            })
    void shouldReportWhatTheFileOfAFeedContains(String feed, String content, String reason) throws IOException {
        Files.writeString(trades, content.strip().translateEscapes());
        assertThat(check(pipeline("feed: { %s: %s }".formatted(feed, trades), "trade")))
                .isOne();
        assertThat(err.toString()).contains("millrace.pipelines.events.feed." + feed, reason, "[wrong-content]");
    }

    @Test
    void shouldAcceptJsonLinesOfWhichSomeAreInvalid() throws IOException {
        for (String content : List.of("", "garbage\n{\"id\":1}\n", "[1]\n {\"id\":1}\n", "{", "\uFEFF\r{\"id\":1}\r")) {
            Files.writeString(trades, content);
            assertThat(check(pipeline("feed: { json-lines: %s }".formatted(trades), "trade")))
                    .as(content)
                    .isZero();
        }
    }

    private static String pipeline(String feed, String schema) {
        return """
                millrace:
                  regions:
                    kept: { layout: blocks }
                  pipelines:
                    events:
                      FEED
                      schema: SCHEMA
                      steps:
                        - to: kept
                """.replace("FEED", feed).replace("SCHEMA", schema);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "csv", "json-lines"})
    void shouldNameAVariableThatIsNotSet(String feed) throws IOException {
        assertThat(check(pipeline("feed: { " + feed + ": \"${MILLRACE_FEED_FILE}\" }", "trade")))
                .isOne();
        assertThat(err.toString())
                .contains("Undefined variable in '${MILLRACE_FEED_FILE}' for 'millrace.pipelines.events.feed." + feed
                        + "'. Set the variable, or write a default, such as ${NAME:FILE}. [undefined-variable]")
                .doesNotContain("File not found");
    }

    @Test
    void shouldNameASchemaThatCanNotBeRead() throws IOException {
        Files.createDirectories(folder.resolve("schemas/event.yml"));
        assertThat(check(pipeline("feed: { generator: { count: 1 } }", "event")
                        .replace("millrace:", "millrace:\n  schemas: " + folder.resolve("schemas"))))
                .isOne();
        assertThat(err.toString())
                .contains("millrace.pipelines.events.schema", "event.yml' is a folder. Name a file. [unreadable-file]")
                .doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource({
        "'csv: %s',                     radius-accounting, delivers fixed or compact records",
        "'pcap: { path: %s }',          trade,             the feed 'pcap' delivers packets",
    })
    void shouldReportWhereASchemaDoesNotFitTheFeed(String feed, String schema, String reason) throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    kept: { layout: blocks }
                  pipelines:
                    events:
                      feed: { %s }
                      schema: %s
                      steps:
                        - to: kept
                """.formatted(feed, schema))).isOne();
        assertThat(err.toString()).contains("events.schema", reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "layout: blocks, retain: { age: 500ms }                | Invalid retain.age '500ms'. Use 1s or more.",
                "layout: blocks, retain: { age: 0 }                    | Invalid retain.age '0s'.",
                "layout: blocks, retain: { size: 0B }                  | Invalid retain.size '0B'.",
                "layout: blocks, retain: { size: 100KB }               | Invalid retain.size '102400B' of region 'kept'. Use at least 159744B",
                "layout: entries, key: id, retain: { size: 1GB }       | 'retain.size' has no effect in region 'kept'. Use 'layout: blocks'",
                "layout: blocks, retain: { age: }                      | millrace.regions.kept.retain.age",
                "layout: blocks, retain: { age: long }                 | millrace.regions.kept.retain.age",
                "layout: blocks, retain: { time: 1h }                  | millrace.regions.kept.retain.time",
                "layout: blocks, max-memory: 1KB                           | Invalid max-memory '1024B'. Use 1MB or more.",
                "layout: blocks, max-memory: some                          | millrace.regions.kept.max-memory",
            })
    void shouldReportWhatARegionCanNotKeep(String region, String reason) throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    kept: { %s }
                  pipelines:
                    trades:
                      feed: { generator: { count: 1 } }
                      schema: trade
                      steps:
                        - to: kept
                """.formatted(region.strip()))).isOne();
        assertThat(err.toString()).contains("millrace.regions.kept", reason);
    }

    @Test
    void shouldTakeARegionThatIsOnlyReadByItsSchema() throws IOException {
        assertThat(check(onlyRead("layout: entries, key: id, schema: trade"))).isZero();
        assertThat(out).hasToString("Fine: 1 pipeline, 2 regions.\n");
        assertThat(check(onlyRead("layout: entries, key: id"))).isOne();
        assertThat(err.toString())
                .contains(
                        "millrace.regions.old",
                        "No pipeline sends records to region 'old'",
                        "set 'millrace.regions.old.schema'");
        assertThat(check(onlyRead("layout: entries, key: idd, schema: trade"))).isOne();
        assertThat(err.toString()).contains("Unknown key 'idd' of region 'old' in schema 'trade'");
        assertThat(check(onlyRead("layout: entries, key: id, schema: trde"))).isOne();
        assertThat(err.toString()).contains("millrace.regions.old.schema", "Did you mean 'trade'?");
    }

    private static String onlyRead(String region) {
        return """
                millrace:
                  regions:
                    buys: { layout: blocks, schema: trade }
                    old: { %r }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - to: buys
                """.replace("%r", region);
    }

    @Test
    void shouldRefuseASchemaThatIsNotThatOfTheRecords() throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    buys: { layout: blocks, schema: trade }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - set: { notional: amount1 * exchangeRate }
                        - to: buys
                """)).isOne();
        assertThat(err.toString())
                .contains(
                        "millrace.regions.buys.schema (config.yml:3:37)",
                        "Schema 'trade' is not that of the records that are sent to the region: field 'notional' was added");
    }

    @Test
    void shouldListEveryMistakeWithItsPlace() throws IOException {
        assertThat(check("""
                millrace:
                  tables:
                    desks: { file: nowhere.csv, key: id }
                  regions:
                    buys: { layout: entries }
                    idle: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - filter: currency3 == 'GBP'
                        - set: { id: exchangeRate }
                        - enrich: { table: desk, key: id, add: { desk: name } }
                        - route:
                            - { when: buySell == 'Buz', to: buyz }
                            - { otherwise: buys }
                """)).isOne();
        assertThat(err.toString())
                .contains("mistakes:")
                .contains("millrace.tables.desks.file (", "config.yml:3:20", "File not found: 'nowhere.csv'")
                .contains("millrace.regions.buys (", "Missing 'key'")
                .contains("millrace.regions.idle", "No pipeline sends records to")
                .contains(
                        "millrace.pipelines.trades.steps[0].filter (",
                        "config.yml:12:19",
                        "currency3",
                        "currency1",
                        "^")
                .contains("millrace.pipelines.trades.steps[1].set[id]")
                .contains("steps[2].enrich.table", "Unknown table 'desk'")
                .contains("steps[3].route[0].when", "Buz")
                .contains("steps[3].route[0].to", "Unknown region 'buyz'", "Did you mean 'buys'?");
    }

    @Test
    void shouldReportWhatIsWrongWithTheFormOfAPipeline() throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    buys: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s, generator: { rate: -1 } }
                      steps:
                        - { filter: id > 1, to: buys }
                        - to: buys
                        - filter: id > 1
                """)).isOne();
        assertThat(err.toString())
                .contains(
                        "trades.feed",
                        "Too many properties. Use exactly one of: file, generator, radius, pcap, tcp, json-lines, csv, kafka.")
                .contains("trades.feed.generator.rate", "Invalid number '-1'. Use 0 or more.")
                .contains("trades.schema", "Missing value")
                .contains(
                        "trades.steps[0]",
                        "exactly one of: validate, filter, enrich, set, unnest, measure, route, to.");
    }

    @Test
    void shouldReportWhatIsWrongWithACapture() throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    all: { layout: blocks }
                  pipelines:
                    nowhere:
                      feed: { pcap: { path: nowhere.pcap, port: 70000, speed: 2, secret: '' } }
                      schema: trade
                      steps: [ { to: all } ]
                    missing:
                      feed: { pcap: { port: 0, pace: true, speed: 0 } }
                      schema: trade
                      steps: [ { to: all } ]
                """)).isOne();
        assertThat(err.toString())
                .contains("nowhere.feed.pcap.path", "File not found: 'nowhere.pcap'")
                .contains("nowhere.feed.pcap.port", "Invalid port '70000'. Use 1 to 65535.")
                .contains("nowhere.feed.pcap.speed", "'speed' has no effect without 'pace: true'")
                .contains("nowhere.feed.pcap.secret", "Empty secret.")
                .contains("missing.feed.pcap.path", "Missing value: the path of the capture file.")
                .contains("missing.feed.pcap.port", "Invalid port '0'. Use 1 to 65535.")
                .contains("missing.feed.pcap.speed", "Invalid speed '0.0'. Use a number above 0.");
    }

    @Test
    void shouldNameTheSidesThatAPortCanStandOn() throws IOException {
        assertThat(check("millrace: { pipelines: { all: { feed: { pcap: { side: both } } } } }"))
                .isOne();
        assertThat(err.toString())
                .contains("all.feed.pcap.side", "Invalid value 'both'", "destination", "source", "either");
    }

    @Test
    void shouldNameStepsThatCannotStandWhereTheyStand() throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    buys: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - to: buys
                        - filter: id > 1
                """)).isOne();
        assertThat(err.toString())
                .contains("trades.steps[0].to", "Steps after this one get no records.")
                .contains("trades.steps[1].filter", "The last step has no target.");
    }

    @Test
    void shouldNameWordsThatMeanNothing() throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    buys: { layuot: blocks }
                  pipelinez: { a: 1 }
                """)).isOne();
        assertThat(err.toString())
                .contains("millrace.regions.buys.layuot", "config.yml:3:13", "Unknown property 'layuot'")
                .contains("millrace.pipelinez");
    }

    @Test
    void shouldNameAValueThatCannotBeUsed() throws IOException {
        assertThat(check("millrace: { regions: { buys: { layout: piles } } }")).isOne();
        assertThat(err.toString())
                .contains(
                        "millrace.regions.buys.layout",
                        "Invalid value 'piles'",
                        "blocks",
                        "entries",
                        "config.yml:1:40");
    }

    @Test
    void shouldRefuseNamesThatRegionsCannotHave() throws IOException {
        assertThat(check("""
                millrace:
                  regions:
                    millrace-positions: { layout: blocks }
                    "[a/b]": { layout: blocks }
                    "[__a]": { layout: blocks }
                    "[a.B_c-1]": { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - route:
                            - { when: id == 1, to: millrace-positions }
                            - { when: id == 2, to: a/b }
                            - { when: id == 3, to: __a }
                            - { otherwise: a.B_c-1 }
                      rejects: millrace-definitions
                """)).isOne();
        assertThat(err.toString())
                .contains("4 mistakes")
                .contains("Invalid region name 'millrace-positions'", "config.yml:3:")
                .contains("Invalid region name 'a/b'")
                .contains("Invalid region name '__a'")
                .contains("trades.rejects", "Invalid region name 'millrace-definitions'");
    }

    @Test
    void shouldRefuseABrokenFile() throws IOException {
        assertThat(check("millrace: [")).isOne();
        assertThat(err.toString()).contains("config.yml:1:12", "Invalid YAML.");
    }

    @Test
    void shouldReadAConfigurationFromStandardInput() throws IOException {
        String yaml = """
                millrace:
                  regions:
                    kept: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps:
                        - filter: amount1 > 1
                        - to: kept
                """;
        assertThat(checkStandardInput(yaml, "-")).isZero();
        assertThat(out).hasToString("Fine: 1 pipeline, 1 region.\n");
        assertThat(checkStandardInput(yaml.replace("amount1", "amount"), "-")).isOne();
        assertThat(err.toString()).contains("(stdin:9:19)", "amount");
        assertThat(checkStandardInput("{", "-")).isOne();
        assertThat(err.toString()).contains("stdin:1:2", "[invalid-yaml]");
        assertThat(checkStandardInput("a: b", "-")).isOne();
        assertThat(checkStandardInput("", "-")).isOne();
        assertThat(err.toString()).contains("No pipelines are configured in stdin.");
    }

    @Test
    void shouldRefuseToReadStandardInputTwice() throws IOException {
        assertThat(checkStandardInput("", "-", "-")).isEqualTo(2);
        assertThat(err.toString()).contains("Duplicate file '-'. The standard input can be read once.");
    }

    private int checkStandardInput(String yaml, String... files) {
        InputStream before = System.in;
        System.setIn(
                new ByteArrayInputStream(yaml.replace("%s", trades.toString()).getBytes(StandardCharsets.UTF_8)));
        try {
            return new CommandLine(new CheckCommand())
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(err, true))
                    .execute(files);
        } finally {
            System.setIn(before);
        }
    }

    private int check(String yaml) throws IOException {
        Path file = folder.resolve("config.yml");
        Files.writeString(file, yaml.replace("%s", trades.toString()));
        return new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(file.toString());
    }
}
