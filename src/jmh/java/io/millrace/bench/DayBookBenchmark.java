package io.millrace.bench;

import java.io.IOException;
import java.math.BigInteger;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * A day of {@value DayBookData#ORDERS} orders, written and summed, in the stores of {@link DayBookStore}: fresh memory,
 * which is allocated within the time measured, and memory that held a day before. Run it by {@code ./mvnw -Pbench
 * verify -Dbench=DayBook -Dbench.oneJvm=true}, which runs all in one JVM.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods first
public class DayBookBenchmark {

    /** Of which no memory is kept while the next one is allocated. */
    private static final DayBookStore NONE = new DayBookStore.Objects();

    @Param({"fresh", "reused"})
    public String memory;

    @Param({"alternate", "random"})
    public String sides;

    @Param({
        "objects",
        "ints",
        "heapBuffer",
        "directBuffer",
        "unsafe",
        "millrace",
        "millraceBulk",
        "millraceBulkTwoThreads"
    })
    public String store;

    private DayBookData data;
    private BigInteger expected;
    private BigInteger balance;
    private DayBookStore orders;
    private Pauses pauses;

    @Setup
    public void setUp() {
        data = new DayBookData(sides);
        expected = data.balance(DayBookData.ORDERS);
        if (memory.equals("reused")) {
            orders = DayBookStore.of(store);
            orders.fill(data, DayBookData.ORDERS);
        }
    }

    @Setup(Level.Iteration)
    public void listen() {
        System.gc();
        pauses = new Pauses();
    }

    @Benchmark
    public BigInteger day() {
        if (memory.equals("fresh")) {
            orders = DayBookStore.of(store);
        }
        orders.fill(data, DayBookData.ORDERS);
        balance = orders.balance();
        return balance;
    }

    @TearDown(Level.Iteration)
    public void check() throws IOException {
        System.out.printf("%s, %,d bytes: ", pauses.stop(), orders.bytes());
        if (!balance.equals(expected)) {
            throw new IllegalStateException("balance=" + balance + " expected=" + expected);
        }
        if (memory.equals("fresh")) {
            orders.close();
            orders = NONE;
        }
    }

    @TearDown
    public void close() {
        if (memory.equals("reused")) {
            orders.close();
        }
    }
}
