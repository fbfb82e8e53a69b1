package io.millrace.bench;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of a batch of {@value RulesPipeline#TRADES} trades while the rules stay, and while they change once a
 * second, with its percentiles. Compilation of the rules runs on another thread, so two processors are needed. Run it
 * by {@code ./mvnw -Pbench verify -Dbench=RuleSwap}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 20, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class RuleSwapBenchmark {

    /** Changes of rules a second. */
    @Param({"0", "1"})
    public int changes;

    private RulesPipeline pipeline;
    private @Nullable Thread changing;

    @Setup
    public void setUp() throws IOException {
        pipeline = new RulesPipeline();
        if (changes > 0) {
            changing = Thread.ofPlatform().daemon().start(this::change);
        }
    }

    private void change() {
        long count = 0;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(TimeUnit.SECONDS.toMillis(1) / changes);
                pipeline.change(RulesPipeline.rules((int) (++count % 2)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.println(count + " changes");
    }

    @TearDown
    public void tearDown() throws InterruptedException {
        if (changing != null) {
            changing.interrupt();
            changing.join();
        }
        pipeline.close();
    }

    @Benchmark
    public void send() {
        pipeline.send();
    }
}
