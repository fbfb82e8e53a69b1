package io.millrace.bench;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.layout.RowUpgrade;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaEvolution;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.Store;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Migration;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What it costs to query trades that were stored by an earlier version of their schema, and to migrate them. The query
 * is that of W2. The newest version has a wider {@code tradeDate}, which is 16 bits in the 39 bytes of the earlier one,
 * and an optional field more. The regions are on disk, in blocks, in embedded Geode; all values are in memory.
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.EvolutionTimes -Dbench="rows 10000000 15"</pre>
 *
 * The arguments are the encoding of the blocks, the number of trades and that of rounds. Each round queries a region
 * whose trades are of the newest version, one in which half of them are, one in which none are, and one that was
 * migrated. It prints the best and median processor time of the process for a trade, all its threads together, the
 * ratios to the newest, and that of the migration for a trade. Every answer is compared with that of a plain loop.
 */
public final class EvolutionTimes {

    private static final String EARLIER = """
            schema: trade
            fields:
              - { name: id,             type: i64 }
              - { name: tradeDate,      type: date, as: u16 }
              - { name: buySell,        type: enum, values: [Buy, Sell] }
              - { name: currency1,      type: enum, values: &currencies ["", AUD, CAD, CHF, EUR, GBP, JPY, USD] }
              - { name: amount1,        type: decimal, scale: 2, as: i64 }
              - { name: exchangeRate,   type: f64 }
              - { name: currency2,      type: enum, values: *currencies }
              - { name: amount2,        type: decimal, scale: 2, as: i64 }
              - { name: settlementDate, type: date, as: u16 }
            """;

    private static final String NEWEST =
            EARLIER.replace("tradeDate,      type: date, as: u16", "tradeDate,      type: date, as: u32")
                    + "  - { name: venue, type: u16, optional: true, absent: flag }\n";

    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static final int PORTION = 8192;
    private static final int WARM_UPS = 3;

    /** Queries of one region in a round: the system counts processor time in steps of 10 ms. */
    private static final int QUERIES = 10;

    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final Schema earlier = schema(EARLIER);
    private final Schema newest = schema(NEWEST);
    private final RowUpgrade upgrade = RowUpgrade.of(
            earlier, newest, SchemaEvolution.sources(SchemaDescription.of(earlier), SchemaDescription.of(newest)));
    private final BlockEncoding encoding;
    private final int count;
    private final int rounds;
    private final byte[] trades = W1Data.trades();
    private final double lowest;
    private final Map<State, double[]> nanos = new EnumMap<>(State.class);

    /** Which trades of a region are of the newest version. */
    private enum State {
        ALL_NEWEST,
        HALF,
        ALL_EARLIER,
        MIGRATED;

        /** Returns how many of them were stored by the earlier version. */
        int earlier(int count) {
            return switch (this) {
                case ALL_NEWEST -> 0;
                case HALF -> count / 2;
                case ALL_EARLIER, MIGRATED -> count;
            };
        }

        String region() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private EvolutionTimes(BlockEncoding encoding, int count, int rounds) throws IOException {
        this.encoding = encoding;
        this.count = count;
        this.rounds = rounds;
        this.lowest = W2Data.lowest(trades, count);
    }

    public static void main(String[] args) throws IOException {
        BlockEncoding encoding = BlockEncoding.valueOf(args[0].toUpperCase(Locale.ROOT));
        new EvolutionTimes(encoding, Integer.parseInt(args[1]), Integer.parseInt(args[2])).run();
    }

    private static Schema schema(String yaml) {
        return SchemaReader.read("trade.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private RegionDefinition region(State state, Schema schema) {
        return new RegionDefinition(
                state.region(),
                Layout.BLOCKS,
                0,
                true,
                schema,
                List.of("id"),
                null,
                RegionDefinition.DEFAULT_BLOCK_RECORDS,
                encoding);
    }

    private void run() throws IOException {
        Path folder = Files.createTempDirectory("evolution");
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            for (State state : State.values()) {
                if (state != State.ALL_NEWEST) {
                    store.open(region(state, earlier));
                    fill(store, state, earlier, 0, state.earlier(count));
                }
            }
        }
        try (GeodeStore store = new GeodeStore(GeodeOptions.inFolder(folder))) {
            for (State state : State.values()) {
                store.open(region(state, newest));
                fill(store, state, newest, state.earlier(count), count);
            }
            migrate(store);
            measure(store);
        }
    }

    private void fill(Store store, State state, Schema schema, int from, int to) {
        if (from == to) {
            return;
        }
        WriterName name = WriterName.of("trades", schema.equals(newest) ? 1 : 0);
        RegionWriter writer = store.writer(state.region(), name, schema, (_, _, reason) -> {
            throw new IllegalStateException(reason.toString());
        });
        writer.open(Objects.requireNonNull(store.claim(name, true).term()), 0);
        RecordBatch batch = new RecordBatch(schema);
        byte[] rows = new byte[PORTION * schema.recordLength()];
        for (int first = from; first < to; first += PORTION) {
            int size = Math.min(PORTION, to - first);
            for (int i = 0; i < size; i++) {
                int at = (first + i) * W1Data.LENGTH;
                if (schema.equals(newest)) {
                    upgrade.upgrade(trades, at, 1, rows, i * schema.recordLength());
                } else {
                    System.arraycopy(trades, at, rows, i * W1Data.LENGTH, W1Data.LENGTH);
                }
            }
            writer.append(batch.fill(rows, 0, size, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
        }
        writer.flush();
    }

    private void migrate(GeodeStore store) {
        query(store, State.MIGRATED); // its values are in memory then
        long start = PROCESS.getProcessCpuTime();
        Migration done = store.migrate(State.MIGRATED.region(), LONGEST);
        double time = (double) (PROCESS.getProcessCpuTime() - start) / count;
        if (!done.done() || done.rewritten() != done.values() || done.unreadable() > 0) {
            throw new IllegalStateException("not migrated: " + done);
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %,d trades, migrated in %.1f ns a trade, %d blocks%n",
                encoding.tag(),
                count,
                time,
                done.rewritten());
    }

    private void measure(GeodeStore store) {
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (State state : State.values()) {
                double time = query(store, state);
                if (round >= 0) {
                    nanos.computeIfAbsent(state, _ -> new double[rounds])[round] = time;
                }
            }
        }
        System.out.printf("%-14s %10s %10s %12s %14s%n", "ns a trade", "best", "median", "best ratio", "median ratio");
        nanos.values().forEach(Arrays::sort);
        double[] base = Objects.requireNonNull(nanos.get(State.ALL_NEWEST));
        nanos.forEach((state, times) -> System.out.printf(
                Locale.ROOT,
                "%-14s %10.2f %10.2f %12.2f %14.2f%n",
                state.region(),
                times[0],
                times[rounds / 2],
                times[0] / base[0],
                times[rounds / 2] / base[rounds / 2]));
    }

    /** Returns the nanoseconds for each trade. */
    private double query(GeodeStore store, State state) {
        long start = PROCESS.getProcessCpuTime();
        for (int i = 0; i < QUERIES; i++) {
            QueryResult result = store.query(state.region(), W2Data.QUERY);
            Object rate = result.records().getFirst().get("exchangeRate");
            if (!Double.valueOf(lowest).equals(rate) || result.counts().scanned() != count) {
                throw new IllegalStateException(state + ": rate=" + rate + " is not the lowest, " + lowest);
            }
        }
        return (double) (PROCESS.getProcessCpuTime() - start) / count / QUERIES;
    }
}
