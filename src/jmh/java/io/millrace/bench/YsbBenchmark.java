package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.geode.EmbeddedStore;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.query.AggregateQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.util.FileSystemUtils;

/**
 * The Yahoo Streaming Benchmark without JSON: ten million events from a file in the page cache, of which the views are
 * filtered, joined with the campaigns of their ads, and counted for each campaign in windows of 10 s of event time. The
 * rows of closed windows, and how far the file was read, are stored exactly once in a region on disk. Next to it, a
 * hand-written loop over an array, which stores nothing. Run it by {@code ./mvnw -Pbench verify -Dbench=Ysb}. Times are
 * for each event.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 7)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch"})
public class YsbBenchmark {

    /** The events in an array, and the campaigns of ads. */
    @State(Scope.Benchmark)
    public static class Events {
        private byte[] bytes = new byte[0];
        private final int[] campaigns = new int[YsbData.ADS];

        @Setup
        public void read() throws IOException {
            YsbData.write();
            bytes = Files.readAllBytes(YsbData.EVENTS_FILE);
            Arrays.setAll(campaigns, YsbData::campaign);
        }

        /** Counts the views of each campaign in each window. */
        long[][] count() {
            long[][] views = new long[YsbData.WINDOWS][YsbData.CAMPAIGNS];
            for (int at = 0; at < bytes.length; at += YsbData.LENGTH) {
                if (bytes[at + YsbData.EVENT_TYPE] == 0) {
                    long time = RawBytes.getLong(bytes, at + YsbData.TIME) - YsbData.FIRST_MS;
                    views[(int) (time / YsbData.WINDOW_MS)][campaigns[RawBytes.getInt(bytes, at + YsbData.AD)]]++;
                }
            }
            return views;
        }
    }

    @Benchmark
    @OperationsPerInvocation(YsbData.EVENTS)
    public long[][] handWritten(Events events) {
        return events.count();
    }

    /** A pipeline for each invocation, with an empty folder. */
    @State(Scope.Benchmark)
    public static class Millrace {
        private final Events events = new Events();
        private ConfiguredPipeline.@Nullable Planned planned;
        private @Nullable ConfiguredPipeline pipeline;
        private @Nullable Path folder;
        private long views;

        @Setup
        public void plan() throws IOException {
            events.read();
            // The last window stays open: the file may grow.
            views = Arrays.stream(events.count())
                    .limit(YsbData.WINDOWS - 1)
                    .flatMapToLong(Arrays::stream)
                    .sum();
            planned = ConfiguredPipeline.Planned.of(YsbData.configuration());
        }

        @Setup(Level.Invocation)
        public void open() throws IOException {
            folder = Files.createTempDirectory("ysb");
            pipeline = new ConfiguredPipeline(
                    Objects.requireNonNull(planned),
                    new EmbeddedStore(GeodeOptions.inFolder(folder), FunctionRegistry.empty()));
            System.gc();
        }

        void run() {
            Objects.requireNonNull(pipeline).run();
        }

        @TearDown(Level.Invocation)
        public void close() throws IOException {
            ConfiguredPipeline ended = Objects.requireNonNull(pipeline);
            System.out.println("\n" + ended.status().steps());
            List<Map<String, @Nullable Object>> rows = ended.store()
                    .aggregate("campaigns", new AggregateQuery(null, List.of(), List.of("count()", "sum(views)"), 10))
                    .groups();
            ended.close();
            FileSystemUtils.deleteRecursively(Objects.requireNonNull(folder));
            if (!rows.toString().contains("=" + views)
                    || !rows.toString().contains("=" + (YsbData.WINDOWS - 1) * YsbData.CAMPAIGNS)) {
                throw new IllegalStateException("views=" + views + ", but " + rows);
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(YsbData.EVENTS)
    public void millrace(Millrace millrace) {
        millrace.run();
    }
}
