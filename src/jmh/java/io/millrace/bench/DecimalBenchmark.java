package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.Assignment;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Random;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decimals whose products may be past 64 bits, but are not in these {@value #ORDERS} orders: the generated loops, which
 * compute in 128 bits, and loops by hand, which compute in 64 bits with overflow checks. Run it by {@code ./mvnw
 * -Pbench verify -Dbench=Decimal}. About half of the orders pass, at random, so that the loop by hand is at its worst
 * in {@code filterByHand}; the setter has no branch that depends on the data.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class DecimalBenchmark {

    static final int ORDERS = 32_768;

    private static final int LENGTH = 32;
    private static final int QUANTITY = 8;
    private static final int FEE = 16;
    private static final int VALUE = 24;

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);

    private static final Schema SCHEMA = new Schema(
            "order",
            LENGTH,
            List.of(
                    Field.of("price", new FieldType.DecimalType(I64, 4), 0),
                    Field.of("quantity", new FieldType.DecimalType(I64, 2), QUANTITY),
                    Field.of("fee", new FieldType.DecimalType(I64, 4), FEE),
                    Field.of("value", new FieldType.DecimalType(I64, 6), VALUE)),
            List.of());

    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new IllegalStateException(reason.detail());
    };

    @Param
    public DecimalRule rule;

    /** Highest price in units of 0.0001: so few pass, half, or nearly all. */
    @Param({"6000", "100000", "40000000"})
    public int highest;

    private byte[] bytes;
    private RecordBatch batch;
    private BatchFilter filter;
    private BatchSetter setter;

    @Setup
    public void setUp() {
        Random random = new Random(128);
        bytes = new byte[ORDERS * LENGTH];
        for (int at = 0; at < bytes.length; at += LENGTH) {
            RawBytes.putLong(bytes, at, random.nextLong(highest));
            RawBytes.putLong(bytes, at + QUANTITY, 500_000 + random.nextLong(1_000_000));
            RawBytes.putLong(bytes, at + FEE, random.nextLong(1_000));
        }
        batch = new RecordBatch(SCHEMA).fill(bytes, 0, ORDERS, 0, 0);
        ExpressionCompiler compiler = new ExpressionCompiler(SCHEMA);
        filter = compiler.filter(rule.text()).loop();
        setter = compiler.setter(List.of(
                        new Assignment(Objects.requireNonNull(SCHEMA.field("value")), "price * quantity - fee")))
                .loop();
        if (filterGenerated() != filterByHand()) {
            throw new IllegalStateException("the arms differ");
        }
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int filterGenerated() {
        batch.fill(bytes, 0, ORDERS, 0, 0);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int filterByHand() {
        batch.fill(bytes, 0, ORDERS, 0, 0);
        int[] selection = batch.selection();
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int at = selection[i] * LENGTH;
            if (rule.holds(
                    RawBytes.getLong(bytes, at),
                    RawBytes.getLong(bytes, at + QUANTITY),
                    RawBytes.getLong(bytes, at + FEE))) {
                selection[kept++] = selection[i];
            }
        }
        batch.select(kept);
        return kept;
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int setGenerated() {
        batch.fill(bytes, 0, ORDERS, 0, 0);
        setter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(ORDERS)
    public int setByHand() {
        batch.fill(bytes, 0, ORDERS, 0, 0);
        int[] selection = batch.selection();
        for (int i = 0; i < batch.selected(); i++) {
            int at = selection[i] * LENGTH;
            long product = Math.multiplyExact(RawBytes.getLong(bytes, at), RawBytes.getLong(bytes, at + QUANTITY));
            long fee = Math.multiplyExact(RawBytes.getLong(bytes, at + FEE), 100L);
            RawBytes.putLong(bytes, at + VALUE, Math.subtractExact(product, fee));
        }
        return batch.selected();
    }
}
