package io.millrace.bench;

import io.millrace.bench.W1Pipeline.Variant;
import io.millrace.pipeline.PipelineStatus;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
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

/**
 * W1, the whole pipeline: ten million generated trades of 39 bytes through a filter on currency and amount, enrichment
 * from a table of 100,000 rows, a computed field and a route by side into two regions of blocks in embedded Geode. Run
 * it by {@code ./mvnw -Pbench verify -Dbench=W1}; {@code -Dbench.jvm=-XX:+UseZGC} tries another collector.
 *
 * <p>Three in four trades are kept. Beside Millrace, which reads a file in the page cache: copying the same bytes; a
 * hand-written loop from an array into packed blocks, without a store; and the classic way, a message and an object per
 * record, over the first 500,000 trades. Each arm starts with an empty heap of 8 GB whose pages are touched, and its
 * results are compared with those of a plain loop. Times are for each record of the file, kept or not.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 7)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms8g", "-Xmx8g", "-XX:+AlwaysPreTouch"})
public class W1Benchmark {

    private static final int CLASSIC_TRADES = 500_000;

    /** The trades in an array, and one as large to copy them to. */
    @State(Scope.Benchmark)
    public static class Trades {
        private byte[] bytes = new byte[0];
        private byte[] copy = new byte[0];
        private final W1HandWritten handWritten = new W1HandWritten(false);
        private final W1HandWritten handWrittenKeepAdded = new W1HandWritten(true);
        private final List<W1HandWritten> ofThreads = List.of(new W1HandWritten(false), new W1HandWritten(false));

        @Setup
        public void read() throws IOException {
            bytes = W1Data.trades();
            copy = new byte[bytes.length];
        }

        @TearDown(Level.Invocation)
        public void collect() {
            System.gc();
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public byte[] arraycopy(Trades trades) {
        System.arraycopy(trades.bytes, 0, trades.copy, 0, trades.bytes.length);
        return trades.copy;
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public List<byte[]> handWritten(Trades trades) {
        return trades.handWritten.run(trades.bytes);
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public List<byte[]> handWrittenKeepAdded(Trades trades) {
        return trades.handWrittenKeepAdded.run(trades.bytes);
    }

    /** A pipeline for each invocation; what it keeps is the trades as they came. */
    @State(Scope.Benchmark)
    public static class Millrace {
        private final Variant variant;
        private W1Totals buys = new W1Totals();
        private W1Totals sells = new W1Totals();
        private W1Pipeline.@Nullable Planned planned;
        private @Nullable W1Pipeline pipeline;
        private @Nullable PipelineStatus early;
        private @Nullable Pauses pauses;

        public Millrace() {
            this(Variant.PLAIN);
        }

        Millrace(Variant variant) {
            this.variant = variant;
        }

        @Setup
        public void plan() throws IOException {
            byte[] bytes = W1Data.trades();
            planned = W1Pipeline.Planned.of(variant);
            buys = W1Data.expected(bytes, W1Data.TRADES, true);
            sells = W1Data.expected(bytes, W1Data.TRADES, false);
        }

        @Setup(Level.Invocation)
        public void open() {
            pipeline = new W1Pipeline(Objects.requireNonNull(planned));
            System.gc();
            pauses = new Pauses();
        }

        void run() {
            if (pipeline != null) {
                early = pipeline.run();
            }
        }

        @TearDown(Level.Invocation)
        public void close() throws IOException {
            if (pipeline == null || early == null || pauses == null) {
                throw new IllegalStateException("did not run");
            }
            System.out.println("\n" + pauses.stop() + "; " + pipeline.report(early));
            pipeline.require(buys, sells);
            pipeline.close();
        }
    }

    /** As {@link Millrace}, but desk and notional are kept too. */
    @State(Scope.Benchmark)
    public static class MillraceKeepAdded extends Millrace {
        public MillraceKeepAdded() {
            super(Variant.KEEP_ADDED);
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public void millrace(Millrace millrace) {
        millrace.run();
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public void millraceKeepAdded(MillraceKeepAdded millrace) {
        millrace.run();
    }

    /** As {@link Millrace}, but what is kept is measured by currency in passing. */
    @State(Scope.Benchmark)
    public static class MillraceMeasured extends Millrace {
        public MillraceMeasured() {
            super(Variant.MEASURED);
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public void millraceMeasured(MillraceMeasured millrace) {
        millrace.run();
    }

    /** As {@link Millrace}, in 16 partitions by one lane. */
    @State(Scope.Benchmark)
    public static class OneLane extends Millrace {
        public OneLane() {
            super(Variant.ONE_LANE);
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public void lanes1(OneLane millrace) {
        millrace.run();
    }

    /** As {@link Millrace}, in 16 partitions by two lanes. */
    @State(Scope.Benchmark)
    public static class TwoLanes extends Millrace {
        public TwoLanes() {
            super(Variant.TWO_LANES);
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public void lanes2(TwoLanes millrace) {
        millrace.run();
    }

    /** Half of the trades each on two threads. */
    private static void halves(IntConsumer half) {
        Thread other = Thread.ofPlatform().start(() -> half.accept(1));
        half.accept(0);
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public byte[] arraycopyThreads2(Trades trades) {
        int length = trades.bytes.length / 2;
        halves(half -> System.arraycopy(trades.bytes, half * length, trades.copy, half * length, length));
        return trades.copy;
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public List<W1HandWritten> handWrittenThreads2(Trades trades) {
        int length = W1Data.TRADES / 2 * W1Data.LENGTH;
        halves(half -> trades.ofThreads.get(half).run(trades.bytes, half * length, (half + 1) * length));
        return trades.ofThreads;
    }

    /** A flow for each invocation. */
    @State(Scope.Benchmark)
    public static class Classic {
        private byte[] bytes = new byte[0];
        private @Nullable W1Classic flow;
        private @Nullable Pauses pauses;

        @Setup
        public void read() throws IOException {
            bytes = W1Data.trades();
        }

        @Setup(Level.Invocation)
        public void open() {
            flow = new W1Classic();
            System.gc();
            pauses = new Pauses();
        }

        void run() {
            if (flow != null) {
                flow.run(bytes, CLASSIC_TRADES);
            }
        }

        @TearDown(Level.Invocation)
        public void close() throws IOException {
            if (flow == null || pauses == null) {
                throw new IllegalStateException("did not run");
            }
            System.out.println("\n" + pauses.stop());
            flow.require(
                    W1Data.expected(bytes, CLASSIC_TRADES, true).records(),
                    W1Data.expected(bytes, CLASSIC_TRADES, false).records());
            flow.close();
        }
    }

    @Benchmark
    @OperationsPerInvocation(CLASSIC_TRADES)
    public void classic(Classic classic) {
        classic.run();
    }
}
