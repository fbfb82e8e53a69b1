package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * How the time of a route grows with its branches: {@value #RECORDS} records, each of which belongs to one of them at
 * random, or to none. {@link #ordered} is the baseline: its conditions compare with {@code >=}, so each is evaluated
 * until one holds. Run it by {@code ./mvnw -Pbench verify -Dbench=Route}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class RouteBenchmark {

    /** So many that the processor can't remember their order. */
    static final int RECORDS = 1 << 19;

    private static final int BATCH = 2048;
    private static final int LENGTH = 16;

    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new IllegalStateException(reason.detail());
    };

    @Param({"4", "8", "16", "100", "1000"})
    public int branches;

    private final byte[] records = new byte[RECORDS * LENGTH];
    private final int[] into = new int[BATCH];
    private RecordBatch batch;
    private BatchRouter equal;
    private BatchRouter equalAndMore;
    private BatchRouter ordered;

    @Setup(Level.Trial)
    public void setUp() {
        FieldType u32 = new FieldType.IntegerType(IntStorage.of(4, false, ByteOrder.BIG_ENDIAN));
        FieldType i64 = new FieldType.IntegerType(IntStorage.of(8, true, ByteOrder.BIG_ENDIAN));
        Schema schema =
                new Schema("event", LENGTH, List.of(Field.of("kind", u32, 0), Field.of("amount", i64, 8)), List.of());
        Random random = new Random(1);
        for (int i = 0; i < RECORDS; i++) {
            RawBytes.putInt(records, i * LENGTH, random.nextInt(branches + 1));
            RawBytes.putLong(records, i * LENGTH + 8, random.nextInt(1000));
        }
        batch = new RecordBatch(schema);
        equal = router(schema, "kind == %d");
        equalAndMore = router(schema, "kind == %d and amount >= 500");
        ordered = router(schema, "kind >= %1$d and kind <= %1$d");
        int first = equal();
        int[] last = into.clone();
        if (ordered() != first || !Arrays.equals(last, into)) {
            throw new IllegalStateException("the arms differ");
        }
    }

    private BatchRouter router(Schema schema, String condition) {
        return new ExpressionCompiler(schema)
                .router(IntStream.range(0, branches)
                        .mapToObj(condition::formatted)
                        .toList())
                .loop();
    }

    private int route(BatchRouter router) {
        int sum = 0;
        for (int first = 0; first < RECORDS; first += BATCH) {
            router.route(batch.fill(records, first * LENGTH, BATCH, 0, LENGTH), into, NO_REJECTS);
            sum = 31 * sum + into[0];
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int equal() {
        return route(equal);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int equalAndMore() {
        return route(equalAndMore);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int ordered() {
        return route(ordered);
    }
}
