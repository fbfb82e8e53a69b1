package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.questdb.cairo.CairoEngine;
import io.questdb.cairo.DefaultCairoConfiguration;
import io.questdb.cairo.TableWriter;
import io.questdb.cairo.security.AllowAllSecurityContext;
import io.questdb.cairo.sql.RecordCursor;
import io.questdb.cairo.sql.RecordCursorFactory;
import io.questdb.griffin.SqlException;
import io.questdb.griffin.SqlExecutionContext;
import io.questdb.griffin.SqlExecutionContextImpl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.RegionShortcut;
import org.apache.geode.cache.query.Query;
import org.apache.geode.cache.query.QueryException;
import org.apache.geode.cache.query.SelectResults;
import org.apache.geode.pdx.PdxInstance;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
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
 * The query of {@link W2Benchmark} to databases in the same process, each with its own table of the same trades and one
 * thread: DuckDB with names as ENUM, QuestDB with names as SYMBOL and its compiled filters, Geode's own OQL over a
 * million trades as PDX. Runs with {@code -Dbench=W2}. QuestDB tells each query on the console.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 9, time = 1)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms3g", "-Xmx3g"})
public class W2PeersBenchmark {

    private static final int OQL_TRADES = 1_000_000;
    private static final List<String> CURRENCIES = List.of("", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD");
    private static final String SQL = "SELECT * FROM trades WHERE currency1 = 'GBP' AND currency2 = 'USD'"
            + " AND buySell = 'Buy' ORDER BY exchangeRate LIMIT 1";

    private static double checked(double rate, double lowest) {
        if (rate != lowest) {
            throw new IllegalStateException("rate=" + rate + " is not the lowest, " + lowest);
        }
        return rate;
    }

    private static void tell(String who, long bytes) {
        System.out.printf(Locale.ROOT, "%s: %.2f bytes a trade%n", who, (double) bytes / W1Data.TRADES);
    }

    /** DuckDB, in memory. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH makes it first
    public static class Duck {
        private Connection connection;
        private PreparedStatement query;
        private double lowest;

        @Setup
        public void fill() throws SQLException, IOException {
            byte[] trades = W1Data.trades();
            lowest = W2Data.lowest(trades, W1Data.TRADES);
            connection = DriverManager.getConnection("jdbc:duckdb:");
            execute("SET threads = 1");
            execute("CREATE TABLE raw (id BIGINT, td INTEGER, bs INTEGER, c1 INTEGER, a1 BIGINT, rate DOUBLE,"
                    + " c2 INTEGER, a2 BIGINT, sd INTEGER)");
            append(trades);
            execute("CREATE TYPE side AS ENUM ('Buy', 'Sell')");
            execute("CREATE TYPE currency AS ENUM ('', 'AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD')");
            String names = "['', 'AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD']";
            execute("CREATE TABLE trades AS SELECT id, DATE '1970-01-01' + td AS tradeDate,"
                    + " ['Buy', 'Sell'][bs + 1]::side AS buySell, " + names + "[c1 + 1]::currency AS currency1,"
                    + " (a1 * 0.01::DECIMAL(3,2))::DECIMAL(18,2) AS amount1, rate AS exchangeRate, " + names
                    + "[c2 + 1]::currency AS currency2, (a2 * 0.01::DECIMAL(3,2))::DECIMAL(18,2) AS amount2,"
                    + " DATE '1970-01-01' + sd AS settlementDate FROM raw ORDER BY id");
            execute("DROP TABLE raw");
            execute("CHECKPOINT");
            try (Statement statement = connection.createStatement();
                    ResultSet memory = statement.executeQuery(
                            "SELECT sum(memory_usage_bytes) FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'")) {
                memory.next();
                tell("DuckDB", memory.getLong(1));
            }
            query = connection.prepareStatement(SQL);
        }

        private void append(byte[] trades) throws SQLException {
            try (DuckDBAppender appender =
                    connection.unwrap(DuckDBConnection.class).createAppender("main", "raw")) {
                for (int i = 0, at = 0; i < W1Data.TRADES; i++, at += W1Data.LENGTH) {
                    appender.beginRow();
                    appender.append(RawBytes.getLong(trades, at));
                    appender.append((int) RawBytes.getShort(trades, at + 8));
                    appender.append((int) trades[at + 10]);
                    appender.append((int) trades[at + 11]);
                    appender.append(RawBytes.getLong(trades, at + 12));
                    appender.append(W2Data.rate(trades, at));
                    appender.append((int) trades[at + 28]);
                    appender.append(RawBytes.getLong(trades, at + 29));
                    appender.append((int) RawBytes.getShort(trades, at + 37));
                    appender.endRow();
                }
            }
        }

        private void execute(String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        double query() throws SQLException {
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return checked(result.getDouble("exchangeRate"), lowest);
            }
        }

        @TearDown
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** QuestDB, its files in the page cache. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH makes it first
    public static class Quest {
        private Path folder;
        private CairoEngine engine;
        private SqlExecutionContext context;
        private RecordCursorFactory query;
        private double lowest;

        @Setup
        public void fill() throws IOException, SqlException {
            byte[] trades = W1Data.trades();
            lowest = W2Data.lowest(trades, W1Data.TRADES);
            folder = Files.createTempDirectory("questdb");
            engine = new CairoEngine(new DefaultCairoConfiguration(folder.toString()));
            context = new SqlExecutionContextImpl(engine, 1).with(AllowAllSecurityContext.INSTANCE);
            engine.execute(
                    "CREATE TABLE trades (id LONG, tradeDate SHORT, buySell SYMBOL, currency1 SYMBOL, amount1 LONG,"
                            + " exchangeRate DOUBLE, currency2 SYMBOL, amount2 LONG, settlementDate SHORT)",
                    context);
            try (TableWriter writer = engine.getWriter(engine.verifyTableName("trades"), "benchmark")) {
                for (int i = 0, at = 0; i < W1Data.TRADES; i++, at += W1Data.LENGTH) {
                    append(writer.newRow(), trades, at);
                }
                writer.commit();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                tell(
                        "QuestDB",
                        files.filter(Files::isRegularFile)
                                .mapToLong(Quest::length)
                                .sum());
            }
            query = engine.select(SQL, context);
        }

        private static void append(TableWriter.Row row, byte[] trades, int at) {
            row.putLong(0, RawBytes.getLong(trades, at));
            row.putShort(1, RawBytes.getShort(trades, at + 8));
            row.putSym(2, trades[at + 10] == 0 ? "Buy" : "Sell");
            row.putSym(3, CURRENCIES.get(trades[at + 11]));
            row.putLong(4, RawBytes.getLong(trades, at + 12));
            row.putDouble(5, W2Data.rate(trades, at));
            row.putSym(6, CURRENCIES.get(trades[at + 28]));
            row.putLong(7, RawBytes.getLong(trades, at + 29));
            row.putShort(8, RawBytes.getShort(trades, at + 37));
            row.append();
        }

        private static long length(Path file) {
            return file.toFile().length();
        }

        double query() throws SqlException {
            try (RecordCursor cursor = query.getCursor(context)) {
                cursor.hasNext();
                return checked(cursor.getRecord().getDouble(5), lowest);
            }
        }

        @TearDown
        public void close() throws IOException {
            query.close();
            engine.close();
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    /** Geode with PDX. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init") // JMH makes it first
    public static class Oql {
        private Cache cache;
        private Query query;
        private double lowest;

        @Setup
        public void fill() throws IOException {
            byte[] trades = W1Data.trades();
            lowest = W2Data.lowest(trades, OQL_TRADES);
            cache = new CacheFactory()
                    .set("mcast-port", "0")
                    .set("locators", "")
                    .set("log-level", "error")
                    .setPdxReadSerialized(true)
                    .create();
            Region<Long, Object> region = cache.<Long, Object>createRegionFactory(RegionShortcut.PARTITION)
                    .create("trades");
            for (int i = 0, at = 0; i < OQL_TRADES; i++, at += W1Data.LENGTH) {
                region.put((long) i, new ClassicTrade(trades, at));
            }
            query = cache.getQueryService()
                    .newQuery("SELECT DISTINCT * FROM /trades t WHERE t.currency1 = 'GBP' AND t.currency2 = 'USD'"
                            + " AND t.buySell = 'Buy' ORDER BY t.exchangeRate LIMIT 1");
        }

        double query() throws QueryException {
            SelectResults<?> result = (SelectResults<?>) query.execute();
            PdxInstance trade = (PdxInstance) result.asList().getFirst();
            return checked((Double) trade.getField("exchangeRate"), lowest);
        }

        @TearDown
        public void close() {
            cache.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double duckDb(Duck duck) throws SQLException {
        return duck.query();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public double questDb(Quest quest) throws SqlException {
        return quest.query();
    }

    @Benchmark
    @OperationsPerInvocation(OQL_TRADES)
    public double geodeOql(Oql oql) throws QueryException {
        return oql.query();
    }
}
