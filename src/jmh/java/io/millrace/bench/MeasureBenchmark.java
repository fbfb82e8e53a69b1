package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.measure.plan.MeasureDefinition;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.MeasurePlanner;
import io.millrace.measure.plan.Windows;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a measure adds to the loop of a pipeline over its batches: count and exact sum of {@value #RECORDS} records of
 * 24 bytes by a key, in batches of {@value #BATCH}, beside a loop over the same batches that somebody wrote by hand for
 * just this: one pass, a table of its own, sums in 128 bits. Run it by {@code ./mvnw -Pbench verify -Dbench=Measure}.
 *
 * <p>Keys are drawn at random, so that of a million groups hardly any two records that follow each other share a cache
 * line. All records lie in one window, which stays open: what closing one costs is not part of the figure.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class MeasureBenchmark {

    static final int RECORDS = 1 << 22;
    static final int BATCH = 2048;
    private static final int LENGTH = 24;
    private static final long NOON = 1_772_366_400_000L;

    @Param({"1", "100", "1000000"})
    public int groups;

    private byte[] records;
    private RecordBatch batch;
    private MeasureProcessor byTime;
    private MeasureProcessor byArrival;
    private HandWritten handWritten;

    private static Schema schema() {
        IntStorage i64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        return new Schema(
                "sale",
                LENGTH,
                List.of(
                        Field.of("time", new FieldType.InstantType(i64, TimeUnit.MILLISECONDS), 0),
                        Field.of("shop", new FieldType.IntegerType(IntStorage.of(4, true, ByteOrder.BIG_ENDIAN)), 8),
                        Field.of("amount", new FieldType.DecimalType(i64, 2), 16)),
                List.of());
    }

    private static MeasureProcessor measure(Schema schema, @Nullable String time) {
        MeasureDefinition definition = new MeasureDefinition(
                "sales",
                List.of("shop"),
                Map.of("sales", "count()", "turnover", "sum(amount)"),
                new Windows.Sliding(Duration.ofHours(24), 1),
                time,
                Duration.ZERO,
                null,
                1_000_000,
                List.of(),
                0,
                List.of(),
                List.of());
        MeasurePlan plan = Objects.requireNonNull(
                new MeasurePlanner(definition, schema, FunctionRegistry.empty(), (property, message) -> {
                            throw new IllegalStateException(property + ": " + message);
                        })
                        .plan());
        return MeasureProcessor.withoutStore(plan, InstantSource.system());
    }

    @Setup
    public void setUp() {
        Schema schema = schema();
        Random random = new Random(7);
        records = new byte[RECORDS * LENGTH];
        for (int i = 0; i < RECORDS; i++) {
            RawBytes.putLong(records, i * LENGTH, NOON + i / 1000);
            RawBytes.putInt(records, i * LENGTH + 8, random.nextInt(groups) * 7919);
            RawBytes.putLong(records, i * LENGTH + 16, random.nextLong(100_000_000));
        }
        batch = new RecordBatch(schema);
        byTime = measure(schema, "time");
        byArrival = measure(schema, null);
        handWritten = new HandWritten();
        requireSameAnswers();
    }

    private void requireSameAnswers() {
        handWritten();
        measureByTime();
        measureByArrival();
        for (MeasureProcessor keeper : List.of(byTime, byArrival)) {
            if (keeper.measure().counts().counted().get() != RECORDS
                    || keeper.measure().groups() != handWritten.size()) {
                throw new IllegalStateException("the arms differ");
            }
        }
    }

    private interface Work {
        void take(RecordBatch batch);
    }

    private long each(Work work) {
        for (int first = 0; first < RECORDS; first += BATCH) {
            work.take(batch.fill(records, first * LENGTH, BATCH, 0, 0));
        }
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long handWritten() {
        return each(handWritten::take);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long measureByTime() {
        return each(byTime::take);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long measureByArrival() {
        return each(byArrival::take);
    }

    /** Filling the batches alone, which all arms do. */
    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long nothing() {
        return each(filled -> {});
    }

    /** What one would write for just this measure by time. */
    private static final class HandWritten {

        private int[] keys = new int[1 << 10];
        private long[] accumulators = new long[3 << 10];
        private int size;
        private long end = Long.MIN_VALUE;

        void take(RecordBatch batch) {
            byte[] bytes = batch.bytes();
            int[] selection = batch.selection();
            int selected = batch.selected();
            for (int i = 0; i < selected; i++) {
                int at = batch.start() + selection[i] * LENGTH;
                if (RawBytes.getLong(bytes, at) >= end) {
                    begin(RawBytes.getLong(bytes, at));
                }
                int slot = 3 * slot(RawBytes.getInt(bytes, at + 8));
                long amount = RawBytes.getLong(bytes, at + 16);
                long low = accumulators[slot + 1] + amount;
                accumulators[slot]++;
                accumulators[slot + 2] += (amount >> 63) + (Long.compareUnsigned(low, amount) < 0 ? 1 : 0);
                accumulators[slot + 1] = low;
            }
        }

        private void begin(long time) {
            end = (time / 86_400_000 + 1) * 86_400_000;
        }

        private int slot(int key) {
            int mask = keys.length - 1;
            int slot = (key * 0x9E37_79B9) >>> (32 - Integer.numberOfTrailingZeros(keys.length));
            while (accumulators[3 * slot] != 0 && keys[slot] != key) {
                slot = (slot + 1) & mask;
            }
            if (accumulators[3 * slot] == 0) {
                if (2 * ++size > keys.length) {
                    grow();
                    return slot(key);
                }
                keys[slot] = key;
            }
            return slot;
        }

        private void grow() {
            int[] oldKeys = keys;
            long[] oldAccumulators = accumulators;
            keys = new int[2 * oldKeys.length];
            accumulators = new long[2 * oldAccumulators.length];
            size = 0;
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldAccumulators[3 * i] != 0) {
                    System.arraycopy(oldAccumulators, 3 * i, accumulators, 3 * slot(oldKeys[i]), 3);
                }
            }
        }

        int size() {
            return size;
        }
    }
}
