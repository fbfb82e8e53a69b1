package io.millrace.bench;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.feed.Split;
import io.millrace.feed.generator.GeneratorFeed;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Finding fields in RADIUS accounting packets, a record: all fields of the schema, and those of
 * {@code examples/istanbul.yml}; the baseline is a loop that only goes from attribute to attribute. Run it by
 * {@code ./mvnw -Pbench verify -Dbench=Tagged}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 7, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class TaggedBenchmark {

    private static final int RECORDS = 4096;
    private static final int HEADER = 20;
    private static final Schema ACCOUNTING = Schemas.builtIn().get("radius-accounting");
    private static final Set<String> ISTANBUL = Set.of(
            "rat", "eci", "ci", "sac", "inputOctets", "inputGigawords", "outputOctets", "outputGigawords", "time");

    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new IllegalStateException(reason.detail());
    };

    private Arm all;
    private Arm istanbul;

    /** A batch with a row for its fields. */
    private record Arm(RecordBatch batch, TaggedFinder finder) {

        static Arm of(Schema schema) {
            RecordBatch batch = new RecordBatch(schema);
            GeneratorFeed feed = new GeneratorFeed(ACCOUNTING, 34, 3L * RECORDS, 0, RECORDS, Split.WHOLE);
            feed.open(RECORDS);
            feed.poll(batch, Duration.ZERO);
            return new Arm(batch, TaggedFinder.of(schema));
        }

        int run() {
            finder.admit(batch, NO_REJECTS);
            return batch.selected();
        }
    }

    @Setup
    public void setUp() {
        all = Arm.of(ACCOUNTING);
        istanbul = Arm.of(ACCOUNTING.project(ISTANBUL));
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int allFields() {
        return all.run();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int istanbulFields() {
        return istanbul.run();
    }

    /** Goes from attribute to attribute and looks at nothing but types and lengths, which no reader can do without. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int handWritten() {
        RecordBatch batch = istanbul.batch;
        byte[] bytes = batch.bytes();
        int types = 0;
        for (int i = 0; i < RECORDS; i++) {
            int at = batch.offset(i);
            int end = at + batch.length(i);
            for (at += HEADER; at < end; at += bytes[at + 1] & 0xFF) {
                types += bytes[at];
            }
        }
        return types;
    }
}
