package io.millrace.bench;

import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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

/**
 * Four million trades from a file into a region of a cluster of two servers, each value on both, until all are stored.
 * Run it by {@code ./mvnw -Pbench verify -Dbench=Cluster}.
 *
 * <p>The locator and the servers are processes of the same machine, so that its cores do everything: reading, writing,
 * sending, and keeping twice. Beside it: the same pipeline into a region in this process. Times are for each trade.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms2g", "-Xmx2g"})
public class ClusterBenchmark {

    private static final int TRADES = 4_000_000;
    private static final Path FILE = W1Data.FOLDER.resolve("trades-4m.bin");
    private static final String FEED = "{ file: " + FILE + " }";

    private static void writeFile() throws IOException {
        W1Data.write();
        try (FileChannel all = FileChannel.open(W1Data.TRADES_FILE, StandardOpenOption.READ);
                FileChannel some = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            all.transferTo(0, (long) TRADES * W1Data.LENGTH, some);
        }
    }

    /** A pipeline for each invocation. */
    abstract static class Run {
        private @Nullable TradesPipeline pipeline;

        final void open(Path configuration, GeodeOptions options) throws IOException {
            pipeline = new TradesPipeline(configuration, options);
            System.gc();
        }

        final TradesPipeline pipeline() {
            return Objects.requireNonNull(pipeline);
        }

        final void store() {
            pipeline().start();
            pipeline().awaitKept(TRADES);
        }
    }

    /** Into this process. */
    @State(Scope.Benchmark)
    public static class Alone extends Run {

        /** Encoding and records of a block. */
        @Param({"rows-4096", "columns-4096"})
        private String blocks = "";

        @Setup(Level.Invocation)
        public void open() throws IOException {
            writeFile();
            open(TradesPipeline.configuration(region(blocks.split("-", -1), 0), FEED), GeodeOptions.inMemory());
        }

        @TearDown(Level.Invocation)
        public void close() {
            System.out.println("\n" + pipeline().report());
            pipeline().close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public void alone(Alone alone) {
        alone.store();
    }

    /** Into the cluster. */
    @State(Scope.Benchmark)
    public static class Clustered extends Run {

        /** Encoding, records of a block, puts in flight, and whether servers keep it on disk. */
        @Param({
            "rows-1024-1-memory",
            "rows-1024-4-memory",
            "rows-4096-1-memory",
            "rows-4096-2-memory",
            "rows-4096-4-memory",
            "rows-4096-8-memory",
            "rows-16384-4-memory",
            "columns-4096-1-memory",
            "columns-4096-4-memory",
            "columns-16384-4-memory",
            "rows-4096-1-disk",
            "rows-4096-4-disk",
            "columns-16384-4-disk"
        })
        private String blocks = "";

        private @Nullable ClusterProcesses cluster;
        private Path configuration = FILE;
        private int invocations;
        private long serversNanos;

        @Setup(Level.Trial)
        public void startCluster() throws IOException, InterruptedException {
            writeFile();
            configuration = TradesPipeline.configuration(region(blocks.split("-", -1), 1), FEED);
            cluster = new ClusterProcesses(configuration, "-Xmx3g");
        }

        @TearDown(Level.Trial)
        public void stopCluster() {
            cluster().close();
        }

        private ClusterProcesses cluster() {
            return Objects.requireNonNull(cluster);
        }

        /** Another pipeline each time: clients can't remove the blocks of the one before. */
        @Setup(Level.Invocation)
        public void open() throws IOException {
            configuration = TradesPipeline.configuration("run" + ++invocations, region(blocks.split("-", -1), 1), FEED);
            open(configuration, cluster().client(Integer.parseInt(blocks.split("-", -1)[2])));
            serversNanos = cluster().cpuNanos();
        }

        @TearDown(Level.Invocation)
        public void close() {
            System.out.printf(
                    Locale.ROOT,
                    "%n%s; servers and locator %.1f ns of CPU a record%n",
                    pipeline().report(),
                    (double) (cluster().cpuNanos() - serversNanos) / TRADES);
            pipeline().close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public void cluster(Clustered clustered) {
        clustered.store();
    }

    private static String region(String[] blocks, int copies) {
        boolean persistent = blocks[blocks.length - 1].equals("disk");
        return "{ layout: blocks, encoding: " + blocks[0] + ", block-records: " + blocks[1] + ", redundant-copies: "
                + copies + ", persistent: " + persistent + " }";
    }
}
