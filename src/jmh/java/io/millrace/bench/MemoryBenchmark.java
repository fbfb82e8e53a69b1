package io.millrace.bench;

import io.millrace.store.geode.GeodeStore;
import io.millrace.store.geode.cache.GeodeMemory;
import io.millrace.store.geode.cache.GeodeOptions;
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
 * What the seed's query ({@link W2Benchmark}) costs by where the blocks are: in the heap, which is the baseline, off
 * it, or on disk but for a megabyte. Times are for each of four million trades. Files come out of the operating
 * system's cache, as they do where there is memory to spare. Run it by {@code ./mvnw -Pbench verify
 * -Dbench=MemoryBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 7, time = 1)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms3g", "-Xmx3g"})
public class MemoryBenchmark {

    private static final int TRADES = 4_000_000;
    private static final int OFF_HEAP_MEGABYTES = 512;
    private static final String REGION = "trades";

    /** Where values are. */
    public enum Place {
        HEAP,
        OFF_HEAP,
        DISK;

        private Memory memory() {
            return switch (this) {
                case HEAP -> Memory.HEAP;
                case OFF_HEAP -> new Memory(null, true);
                case DISK -> new Memory(1L << 20, false);
            };
        }
    }

    /** A region of blocks in embedded Geode. */
    @State(Scope.Benchmark)
    public static class Stored {

        @Param
        Place place = Place.HEAP;

        @Param
        BlockEncoding encoding = BlockEncoding.ROWS;

        private final Path folder;
        private final GeodeStore store;
        private double lowest;

        public Stored() {
            try {
                folder = Files.createTempDirectory("bench");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            store = new GeodeStore(GeodeOptions.inFolder(folder).with(new GeodeMemory(0, OFF_HEAP_MEGABYTES)));
        }

        @Setup
        public void fill() throws IOException {
            byte[] trades = W1Data.trades();
            lowest = W2Data.lowest(trades, TRADES);
            store.open(new RegionDefinition(
                    REGION,
                    Layout.BLOCKS,
                    0,
                    false,
                    W2Data.TRADE,
                    List.of("id"),
                    null,
                    RegionDefinition.DEFAULT_BLOCK_RECORDS,
                    encoding,
                    Retention.FOREVER,
                    place.memory()));
            W2Data.fill(store, REGION, trades, TRADES);
        }

        double query() {
            QueryResult result = store.query(REGION, W2Data.QUERY);
            Object rate = result.records().getFirst().get("exchangeRate");
            if (!Double.valueOf(lowest).equals(rate) || result.counts().scanned() != TRADES) {
                throw new IllegalStateException("rate=" + rate + " is not the lowest, " + lowest);
            }
            return lowest;
        }

        @TearDown
        public void close() throws IOException {
            store.close();
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public double query(Stored stored) {
        return stored.query();
    }
}
