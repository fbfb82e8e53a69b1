package io.millrace.bench;

import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.Store;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.Answer;
import io.millrace.store.query.PartSource;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.scan.QueryAnswer;
import io.millrace.store.scan.QueryPart;
import io.millrace.store.scan.QueryScan;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * W2, the seed's query of ten million trades, in memory and on one core: of those that buy GBP for USD, which has the
 * lowest rate? Run it by {@code ./mvnw -Pbench verify -Dbench=W2}.
 *
 * <p>Millrace's blocks are asked as arrays, in embedded Geode, and on two servers, which are processes of the same
 * machine and share its cores; in rows and in columns. Beside it the packed rows, the four fields as arrays, and
 * objects, each asked by a plain loop or stream that does nothing else. {@code write} arms tell what it costs to make
 * the blocks. Every answer is compared with that of the plain loop. Times are for each trade, whether it is among those
 * asked for or not.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms5g", "-Xmx5g"})
public class W2Benchmark {

    /** The trades back to back, and the answer. */
    @State(Scope.Benchmark)
    public static class Packed {
        byte[] trades = new byte[0];
        double lowest;

        @Setup
        public void read() throws IOException {
            trades = W1Data.trades();
            lowest = W2Data.lowest(trades, W1Data.TRADES);
        }
    }

    /** Blocks in arrays. */
    abstract static class Blocks {
        private final RegionDefinition region;
        private final BlockEncoding encoding;
        private final BlockChecks checks = new BlockChecks();
        private List<byte[]> blocks = List.of();
        private double lowest;

        Blocks(BlockEncoding encoding) {
            this.encoding = encoding;
            region = W2Data.region(encoding);
        }

        @Setup
        public void write() throws IOException {
            byte[] trades = W1Data.trades();
            lowest = W2Data.lowest(trades, W1Data.TRADES);
            blocks = W2Data.blocks(encoding, trades, W1Data.TRADES);
            long bytes = blocks.stream().mapToLong(block -> block.length).sum();
            System.out.printf(Locale.ROOT, "%s: %.2f bytes a trade%n", encoding.tag(), (double) bytes / W1Data.TRADES);
        }

        double query() {
            QueryScan scan = QueryScan.of(region, W2Data.QUERY, FunctionRegistry.empty());
            PartSource<QueryPart> once = new PartSource<>() {
                private boolean ended;

                @Override
                public List<QueryPart> next(long limit, long nanos) {
                    ended = true;
                    scan.begin(limit, Integer.MAX_VALUE);
                    for (int i = 0; i < blocks.size(); i++) {
                        scan.block(i, blocks.get(i), checks);
                    }
                    return List.of(scan.part());
                }

                @Override
                public boolean ended() {
                    return ended;
                }
            };
            Answer<Map<String, @Nullable Object>> answer = new QueryAnswer<>(
                    region.name(),
                    W2Data.QUERY,
                    scan,
                    once,
                    scan.decoder()::decode,
                    Store.TIMEOUT,
                    System.nanoTime(),
                    _ -> {});
            return checked(new QueryResult(answer.stream().toList(), answer.counts(), answer.nanos()), lowest);
        }
    }

    /** Blocks of rows. */
    @State(Scope.Benchmark)
    public static class Rows extends Blocks {
        public Rows() {
            super(BlockEncoding.ROWS);
        }
    }

    /** Blocks of columns. */
    @State(Scope.Benchmark)
    public static class Columns extends Blocks {
        public Columns() {
            super(BlockEncoding.COLUMNS);
        }
    }

    /** Blocks in Geode. */
    abstract static class Stored {
        private final BlockEncoding encoding;
        private final boolean clustered;
        private final String region;
        private double lowest;
        private @Nullable ClusterProcesses cluster;
        private @Nullable GeodeStore store;

        Stored(BlockEncoding encoding, boolean clustered) {
            this.encoding = encoding;
            this.clustered = clustered;
            region = W2Data.region(encoding).name();
        }

        @Setup
        public void fill() throws IOException, InterruptedException {
            byte[] trades = W1Data.trades();
            lowest = W2Data.lowest(trades, W1Data.TRADES);
            GeodeStore filled = new GeodeStore(options());
            store = filled;
            filled.open(W2Data.region(encoding));
            W2Data.fill(filled, region, trades, W1Data.TRADES);
            System.out.printf(
                    Locale.ROOT,
                    "%s in Geode: %.2f bytes a trade%n",
                    encoding.tag(),
                    filled.info(region).bytesPerRecord());
        }

        private GeodeOptions options() throws IOException, InterruptedException {
            if (!clustered) {
                return GeodeOptions.inMemory();
            }
            ClusterProcesses started = new ClusterProcesses(W2Data.configuration(), "-Xmx3g");
            cluster = started;
            return started.client(ClusterProcesses.PUTS_IN_FLIGHT);
        }

        double query() {
            return checked(Objects.requireNonNull(store).query(region, W2Data.QUERY), lowest);
        }

        @TearDown
        public void close() {
            if (store != null) {
                store.close();
            }
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    /** Rows on two servers. */
    @State(Scope.Benchmark)
    public static class ServedRows extends Stored {
        public ServedRows() {
            super(BlockEncoding.ROWS, true);
        }
    }

    /** Columns on two servers. */
    @State(Scope.Benchmark)
    public static class ServedColumns extends Stored {
        public ServedColumns() {
            super(BlockEncoding.COLUMNS, true);
        }
    }

    /** Rows in embedded Geode. */
    @State(Scope.Benchmark)
    public static class StoredRows extends Stored {
        public StoredRows() {
            super(BlockEncoding.ROWS, false);
        }
    }

    /** Columns in embedded Geode. */
    @State(Scope.Benchmark)
    public static class StoredColumns extends Stored {
        public StoredColumns() {
            super(BlockEncoding.COLUMNS, false);
        }
    }

    /** The four fields that are asked, each an array of its own. */
    @State(Scope.Benchmark)
    public static class Arrays4 {
        private final byte[] buySell = new byte[W1Data.TRADES];
        private final byte[] currency1 = new byte[W1Data.TRADES];
        private final byte[] currency2 = new byte[W1Data.TRADES];
        private final double[] rate = new double[W1Data.TRADES];

        @Setup
        public void split() throws IOException {
            byte[] trades = W1Data.trades();
            for (int i = 0, at = 0; i < W1Data.TRADES; i++, at += W1Data.LENGTH) {
                buySell[i] = trades[at + 10];
                currency1[i] = trades[at + 11];
                currency2[i] = trades[at + 28];
                rate[i] = W2Data.rate(trades, at);
            }
        }

        double query() {
            double lowest = Double.POSITIVE_INFINITY;
            for (int i = 0; i < rate.length; i++) {
                if (currency1[i] == W2Data.GBP && currency2[i] == W2Data.USD && buySell[i] == 0) {
                    lowest = Math.min(lowest, rate[i]);
                }
            }
            return lowest;
        }
    }

    /** As little of a trade as an object as the query needs, with names as shared strings. */
    record ObjectTrade(
            long id,
            short tradeDate,
            String buySell,
            String currency1,
            long amount1,
            double exchangeRate,
            String currency2,
            long amount2,
            short settlementDate) {}

    /** The trades as objects. */
    @State(Scope.Benchmark)
    public static class ObjectTrades {
        private List<ObjectTrade> trades = List.of();

        @Setup
        public void decode() throws IOException {
            trades = Arrays.asList(W2Data.objects(W1Data.trades(), W1Data.TRADES));
        }

        double query() {
            return trades.stream()
                    .filter(trade -> trade.currency1().equals("GBP")
                            && trade.currency2().equals("USD")
                            && trade.buySell().equals("Buy"))
                    .min(Comparator.comparingDouble(ObjectTrade::exchangeRate))
                    .orElseThrow()
                    .exchangeRate();
        }
    }

    private static double checked(QueryResult result, double lowest) {
        Object rate = result.records().getFirst().get("exchangeRate");
        if (!Double.valueOf(lowest).equals(rate) || result.counts().scanned() != W1Data.TRADES) {
            throw new IllegalStateException("rate=" + rate + " is not the lowest, " + lowest);
        }
        return lowest;
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double handWritten(Packed packed) {
        return W2Data.lowest(packed.trades, W1Data.TRADES);
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double fourArrays(Arrays4 arrays) {
        return arrays.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double stream(ObjectTrades objects) {
        return objects.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double rows(Rows rows) {
        return rows.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double columns(Columns columns) {
        return columns.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double rowsInGeode(StoredRows rows) {
        return rows.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double columnsInGeode(StoredColumns columns) {
        return columns.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double rowsOnTwoServers(ServedRows rows) {
        return rows.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double columnsOnTwoServers(ServedColumns columns) {
        return columns.query();
    }

    private static final int WRITTEN = 2_000_000;

    @Benchmark
    @OperationsPerInvocation(WRITTEN)
    public int writeRows(Packed packed) {
        return W2Data.blocks(BlockEncoding.ROWS, packed.trades, WRITTEN).size();
    }

    @Benchmark
    @OperationsPerInvocation(WRITTEN)
    public int writeColumns(Packed packed) {
        return W2Data.blocks(BlockEncoding.COLUMNS, packed.trades, WRITTEN).size();
    }
}
