package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.nemesis.Kills;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Totals;
import io.millrace.pipeline.TradeFile.Trade;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Rejects;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.geode.cache.CacheFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise of a file feed: whatever is killed, whenever, each kept record is in its region once, and once in the
 * files of an output. The packaged service is killed as {@code kill -9} does it, several times at random moments of its
 * way through one file, and started again each time; then its disk stores are opened and held against a computation of
 * the same file that shares no code with the service.
 */
class KillIT {

    private static final int KILLS = Kills.count(1);
    private static final int RECORDS = Math.min(4_000_000, KILLS * 1_500_000);
    private static final int LONGEST_LIFE_MILLIS = 400;

    private static final Totals NONE = new Totals(0, new BigDecimal("0.00"), 0);

    @TempDir
    Path folder;

    @Test
    void shouldKeepEachRecordOnceWheneverItIsKilled() throws Exception {
        killOften(1, "entries, key: id", Layout.ENTRIES);
    }

    @Test
    void shouldKeepEachRecordOnceInSeveralPartitionsWheneverItIsKilled() throws Exception {
        killOften(8, "blocks", Layout.BLOCKS);
    }

    private void killOften(int partitions, String sellsLayout, Layout sells) throws Exception {
        long seed = Kills.seed();
        byte[] records = new byte[RECORDS * TradeFile.LENGTH];
        RecordGenerator.of(Schemas.builtIn().get("trade"), seed).fill(records, 0, RECORDS);
        records[TradeFile.LENGTH * 12_345 + 11] = 77; // no currency has this code: a reject
        Files.write(folder.resolve("trades.bin"), records);
        Files.writeString(
                folder.resolve("config.yml"), """
            millrace:
              outputs:
                copies: { file: { folder: copies, format: binary } }
                errors: { file: { folder: errors } }
              regions:
                buys: { layout: blocks, persistent: true, block-records: 20 }
                sells: { layout: %s, persistent: true }
                raw: { layout: blocks, persistent: true }
              pipelines:
                trades:
                  partitions: %d
                  lanes: %d
                  feed: { file: trades.bin }
                  schema: trade
                  keep-raw: raw
                  rejects: output:errors
                  steps:
                    - filter: currency1 != 'JPY' and amount1 > 1000000 and id %% 16 < 9
                    - route:
                        - { when: buySell == 'Buy', to: [ buys, 'output:copies' ] }
                        - { when: id %% 16 == 0, to: sells }
            """.formatted(sellsLayout, partitions, Math.min(2, partitions)));

        Kills.onTheWay(folder, "trades", KILLS, LONGEST_LIFE_MILLIS, seed);
        String[] arguments = {"run", "config.yml", "--server.port=0", "--exit-when-done"};
        assertThat(MillraceProcess.run(folder, arguments)).isZero();

        verify(TradeFile.read(records), sells);
    }

    private void verify(List<Trade> trades, Layout sells) throws Exception {
        Schema schema = Schemas.builtIn().get("trade");
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder.resolve("data")))) {
            store.open(new RegionDefinition("buys", Layout.BLOCKS, 0, true, schema, List.of(), 20));
            boolean entries = sells == Layout.ENTRIES;
            List<String> key = entries ? List.of("id") : List.of();
            store.open(new RegionDefinition("sells", sells, 0, true, schema, key, entries ? 1 : 4096));
            store.open(new RegionDefinition("raw", Layout.BLOCKS, 0, true, schema, List.of(), 4096));
            store.open(Rejects.region("trades-rejected", true));
            assertThat(blocks("raw")).isEqualTo(totals(trades.stream().filter(trade -> trade.id() != 12_346)));
            assertThat(blocks("buys")).isEqualTo(expected(trades, true));
            assertThat(copies()).isEqualTo(expected(trades, true));
            assertThat(entries ? entries() : blocks("sells")).isEqualTo(expected(trades, false));
            assertThat(Rejects.of(store, "trades-rejected"))
                    .singleElement()
                    .satisfies(reject -> assertThat(reject.position()).isEqualTo(12_345L * TradeFile.LENGTH));
        }
        assertThat(errors()).singleElement().asString().contains("\"position\":" + 12_345L * TradeFile.LENGTH);
    }

    /** The lines of the output of rejects, which has a file for each partition. */
    private List<String> errors() throws Exception {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.resolve("errors"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".jsonl")).toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    /** What the blocks hold, read by hand as docs/reference/formats.md draws them. */
    private static Totals blocks(String region) {
        BitSet seen = new BitSet(RECORDS + 1);
        Totals totals = NONE;
        for (Object value : CacheFactory.getAnyInstance().getRegion(region).values()) {
            byte[] block = (byte[]) value;
            List<Trade> trades = TradeFile.read(Arrays.copyOfRange(block, 88, block.length));
            assertThat(trades).hasSize(ByteBuffer.wrap(block).getInt(32));
            for (Trade trade : trades) {
                assertThat(seen.get((int) trade.id()))
                        .as("stored twice: " + trade)
                        .isFalse();
                seen.set((int) trade.id());
                totals = totals.plus(TradeFile.totals(trade));
            }
        }
        return totals;
    }

    /** What the files of the output contain, one for each partition. */
    private Totals copies() throws Exception {
        BitSet seen = new BitSet(RECORDS + 1);
        Totals totals = NONE;
        try (Stream<Path> files = Files.list(folder.resolve("copies"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".bin")).toList()) {
                for (Trade trade : TradeFile.read(Files.readAllBytes(file))) {
                    assertThat(seen.get((int) trade.id()))
                            .as("written twice: " + trade)
                            .isFalse();
                    seen.set((int) trade.id());
                    totals = totals.plus(TradeFile.totals(trade));
                }
            }
        }
        return totals;
    }

    private static Totals totals(Stream<Trade> trades) {
        return trades.map(TradeFile::totals).reduce(NONE, Totals::plus);
    }

    private static Totals entries() {
        Totals totals = NONE;
        for (Object value : CacheFactory.getAnyInstance().getRegion("sells").values()) {
            totals = totals.plus(TradeFile.totals(TradeFile.read((byte[]) value).getFirst()));
        }
        return totals;
    }

    /** The rules of the configuration, worked out by hand. */
    private static Totals expected(List<Trade> trades, boolean buys) {
        Totals totals = NONE;
        for (Trade trade : trades) {
            boolean kept = trade.id() != 12_346 && trade.large() && trade.id() % 16 < 9;
            if (kept && (buys ? trade.buy() : !trade.buy() && trade.id() % 16 == 0)) {
                totals = totals.plus(TradeFile.totals(trade));
            }
        }
        assertThat(totals.records()).isPositive();
        return totals;
    }
}
