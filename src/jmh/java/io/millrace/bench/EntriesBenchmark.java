package io.millrace.bench;

import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.query.AggregateResult;
import io.millrace.store.query.Query;
import io.millrace.store.query.QueryResult;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.util.FileSystemUtils;

/**
 * What a region of entries costs: queries that read all trades, a read by key, and storing all of them again. Times are
 * for each trade, so those of ten times as many trades show how they grow. Run it by {@code ./mvnw -Pbench verify
 * -Dbench=EntriesBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 7, time = 1)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms6g", "-Xmx6g"})
public class EntriesBenchmark {

    private static final int TRADES = 500_000;
    private static final int MANY_TRADES = 10 * TRADES;
    private static final String REGION = "trades";
    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final AggregateQuery TOTALS =
            new AggregateQuery(null, List.of(), List.of("count()", "sum(amount1)"), 10);
    private static final Query LARGEST = new Query(null, List.of("id"), List.of("-amount1"), 100);

    /** Where values are. */
    public enum Place {
        HEAP,
        DISK
    }

    /** A region of entries in embedded Geode. */
    abstract static class Entries {

        private final int count;
        private final Path folder;
        private final GeodeStore store;
        private final byte[] trades;
        private int next;

        Entries(int count) {
            this.count = count;
            trades = new byte[count * W1Data.LENGTH];
            try {
                folder = Files.createTempDirectory("bench");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            store = new GeodeStore(GeodeOptions.inFolder(folder));
        }

        /** @param latest field by which entries are compared with the stored ones; empty for none */
        void open(Place place, String latest) {
            RecordGenerator.of(TRADE, 39).fill(trades, 0, count);
            store.open(new RegionDefinition(
                    REGION,
                    Layout.ENTRIES,
                    0,
                    false,
                    TRADE,
                    List.of("id"),
                    null,
                    latest.isEmpty() ? null : latest,
                    RegionDefinition.DEFAULT_BLOCK_RECORDS,
                    BlockEncoding.ROWS,
                    Retention.FOREVER,
                    place == Place.HEAP ? Memory.HEAP : new Memory(1L << 20, false),
                    List.of()));
            write();
        }

        void write() {
            W2Data.fill(store, REGION, trades, count);
        }

        Object scan() {
            AggregateResult result = store.aggregate(REGION, TOTALS);
            if (result.counts().scanned() != count) {
                throw new IllegalStateException("scanned=" + result.counts().scanned());
            }
            return result;
        }

        Object sort() {
            QueryResult result = store.query(REGION, LARGEST);
            if (result.counts().scanned() != count) {
                throw new IllegalStateException("scanned=" + result.counts().scanned());
            }
            return result;
        }

        byte[] get() {
            next = (next + 7919) % count;
            byte[] record = store.get(REGION, String.valueOf(1 + next));
            if (record == null) {
                throw new IllegalStateException("no trade " + (1 + next));
            }
            return record;
        }

        @TearDown
        public void close() throws IOException {
            store.close();
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    /** In memory or on disk, in the order of a field or not. */
    @State(Scope.Benchmark)
    public static class Stored extends Entries {

        @Param
        Place place = Place.HEAP;

        @Param({"", "tradeDate"})
        String latest = "";

        public Stored() {
            super(TRADES);
        }

        @Setup
        public void fill() {
            open(place, latest);
        }
    }

    /** Ten times as many trades, in memory. */
    @State(Scope.Benchmark)
    public static class StoredMany extends Entries {

        public StoredMany() {
            super(MANY_TRADES);
        }

        @Setup
        public void fill() {
            open(Place.HEAP, "");
        }
    }

    @Benchmark
    @OperationsPerInvocation(MANY_TRADES)
    public Object scanMany(StoredMany stored) {
        return stored.scan();
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public Object sort(Stored stored) {
        return stored.sort();
    }

    @Benchmark
    @OperationsPerInvocation(MANY_TRADES)
    public Object sortMany(StoredMany stored) {
        return stored.sort();
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public Object scan(Stored stored) {
        return stored.scan();
    }

    @Benchmark
    public byte[] get(Stored stored) {
        return stored.get();
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public void write(Stored stored) {
        stored.write();
    }
}
