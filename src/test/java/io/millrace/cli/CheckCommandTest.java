package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        assertThat(out).hasToString("Fine: 1 pipelines, 2 regions.\n");
        assertThat(err).hasToString("");
    }

    @ParameterizedTest
    @CsvSource({
        "'file: %s',                    radius-accounting, brings records that all have one",
        "'pcap: { path: %s }',          trade,             feed=pcap brings packets",
    })
    void shouldTellWhereASchemaDoesNotFitTheFeed(String feed, String schema, String reason) throws IOException {
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
            value = {
                "layout: blocks, retain: { age: 500ms }                | retain.age=PT0.5S is below PT1S",
                "layout: blocks, retain: { age: 0 }                    | retain.age=PT0S is below PT1S",
                "layout: blocks, retain: { size: 0B }                  | retain.size=0 is below 1 byte",
                "layout: blocks, retain: { size: 100KB }               | retain.size=102400 is less than a full block, 159744 bytes",
                "layout: entries, key: id, retain: { size: 1GB }       | retain.size=1073741824 needs the layout blocks",
                "layout: blocks, retain: { age: }                      | millrace.regions.kept.retain.age",
                "layout: blocks, retain: { age: long }                 | millrace.regions.kept.retain.age",
                "layout: blocks, retain: { time: 1h }                  | millrace.regions.kept.retain.time",
                "layout: blocks, max-memory: 1KB                           | memory=1024 is below 1048576 bytes",
                "layout: blocks, max-memory: some                          | millrace.regions.kept.max-memory",
            })
    void shouldTellWhatARegionCanNotKeep(String region, String reason) throws IOException {
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
        assertThat(out).hasToString("Fine: 1 pipelines, 2 regions.\n");
        assertThat(check(onlyRead("layout: entries, key: id"))).isOne();
        assertThat(err.toString())
                .contains(
                        "millrace.regions.old",
                        "no pipeline sends records to it",
                        "name its schema: millrace.regions.old.schema");
        assertThat(check(onlyRead("layout: entries, key: idd, schema: trade"))).isOne();
        assertThat(err.toString()).contains("key=idd is no stored field of schema trade");
        assertThat(check(onlyRead("layout: entries, key: id, schema: trde"))).isOne();
        assertThat(err.toString()).contains("millrace.regions.old.schema", "did you mean trade?");
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
                        "schema 'trade' is not that of the records that are sent to it: field 'notional' was added");
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
                .contains("millrace.tables.desks.file (", "config.yml:3:20", "nowhere.csv", "can't be read")
                .contains("millrace.regions.buys (", "so it needs a key")
                .contains("millrace.regions.idle", "no pipeline sends records to it")
                .contains(
                        "millrace.pipelines.trades.steps[0].filter (",
                        "config.yml:12:19",
                        "currency3",
                        "currency1",
                        "^")
                .contains("millrace.pipelines.trades.steps[1].set[id]")
                .contains("steps[2].enrich.table", "table=desk is not defined")
                .contains("steps[3].route[0].when", "Buz")
                .contains("steps[3].route[0].to", "region=buyz", "did you mean buys?");
    }

    @Test
    void shouldTellWhatIsWrongWithTheFormOfAPipeline() throws IOException {
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
                .contains("trades.feed", "is more than one of these: file, generator, radius, pcap, tcp")
                .contains("trades.feed.generator.rate", "value=-1 is negative")
                .contains("trades.schema", "is missing")
                .contains("trades.steps[0]", "is more than one of these: filter, enrich, set, measure, route, to");
    }

    @Test
    void shouldTellWhatIsWrongWithACapture() throws IOException {
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
                .contains("nowhere.feed.pcap.path", "file=nowhere.pcap is not there or can't be read")
                .contains("nowhere.feed.pcap.port", "value=70000 is not between 1 and 65535")
                .contains("nowhere.feed.pcap.speed", "value=2.0 means nothing without `pace: true`")
                .contains("nowhere.feed.pcap.secret", "is empty: leave it out to take requests unchecked")
                .contains("missing.feed.pcap.path", "is missing: the capture file")
                .contains("missing.feed.pcap.port", "value=0 is not between 1 and 65535")
                .contains("missing.feed.pcap.speed", "value=0.0 is not greater than 0");
    }

    @Test
    void shouldNameTheSidesThatAPortCanStandOn() throws IOException {
        assertThat(check("millrace: { pipelines: { all: { feed: { pcap: { side: both } } } } }"))
                .isOne();
        assertThat(err.toString()).contains("all.feed.pcap.side", "value=both", "destination", "source", "either");
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
                .contains("trades.steps[0].to", "no step can come after it")
                .contains("trades.steps[1].filter", "keeps nothing");
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
                .contains("millrace.regions.buys.layuot", "config.yml:3:21", "means nothing here")
                .contains("millrace.pipelinez");
    }

    @Test
    void shouldNameAValueThatCannotBeUsed() throws IOException {
        assertThat(check("millrace: { regions: { buys: { layout: piles } } }")).isOne();
        assertThat(err.toString())
                .contains("millrace.regions.buys.layout", "value=piles", "blocks", "entries", "config.yml:1:40");
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
                .contains("region=millrace-positions begins with millrace-", "config.yml:3:")
                .contains("region=a/b is no name for a region")
                .contains("region=__a is no name for a region")
                .contains("trades.rejects", "region=millrace-definitions begins with millrace-");
    }

    @Test
    void shouldRefuseABrokenFile() throws IOException {
        assertThat(check("millrace: [")).isOne();
        assertThat(err.toString()).contains("can't be read");
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
