package io.millrace.bench;

import java.io.IOException;
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

/**
 * What a shadow adds to a pipeline: {@value RulesPipeline#TRADES} trades a batch, without a shadow, with one of the
 * same rules, and with one of rules that decide otherwise for a tenth of the records. Run it by {@code ./mvnw -Pbench
 * verify -Dbench=Shadow}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class ShadowBenchmark {

    /** Without a shadow, with one of the same rules, with one of other rules. */
    @Param({"none", "same", "other"})
    public String shadow;

    private RulesPipeline pipeline;

    @Setup
    public void setUp() throws IOException {
        pipeline = new RulesPipeline();
        if (!shadow.equals("none")) {
            pipeline.shadows().start(pipeline.followed(), RulesPipeline.rules(shadow.equals("same") ? 0 : 1), "bench");
        }
    }

    @TearDown
    public void tearDown() {
        pipeline.shadows()
                .of("trades")
                .ifPresent(shown -> System.out.println(shown.report().differences() + " of "
                        + shown.report().records() + ", steps " + shown.report().nanosPerRecord() + " ns, live "
                        + shown.report().liveNanosPerRecord() + " ns, in all "
                        + shown.report().totalNanosPerRecord() + " ns a record"));
        pipeline.close();
    }

    @Benchmark
    @OperationsPerInvocation(RulesPipeline.TRADES)
    public void send() {
        pipeline.send();
    }
}
