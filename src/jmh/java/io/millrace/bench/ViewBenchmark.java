package io.millrace.bench;

import io.millrace.view.RecordViews;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
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
 * Getters of deals in a list: hand-written flyweights over fixed offsets and over compact bytes, a plain object, and
 * views of both layouts. The arms whose names begin with {@code new} also create the flyweight or view, as one does
 * that reads a record once. Compare {@code fixedView} with {@code handWritten}, and {@code compactView} with
 * {@code compactHandWritten}. Run it by {@code ./mvnw -Pbench verify -Dbench=ViewBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class ViewBenchmark {

    private static final String AGAIN = "again";

    /** What is read; {@code again} reads the last field of one and the same deal. */
    @Param({"first", "last", "nested", "element", "name", "decimal", AGAIN, "fold", "all"})
    public String getter;

    private ToLongFunction<Deal> value;
    private Deal[] plain;
    private Deal[] flyweights;
    private Deal[] compactFlyweights;
    private Deal[] fixed;
    private Deal[] compact;
    private byte[][] flyweightBytes;
    private byte[][] fixedBytes;
    private byte[][] compactBytes;
    private RecordViews<Deal> fixedViews;
    private RecordViews<Deal> compactViews;
    private long sum;
    private boolean fresh;

    @Setup
    public void setUp() {
        value = function();
        fixedViews = DealData.views("fixed");
        compactViews = DealData.views("compact");
        List<Deal> deals = DealData.deals();
        flyweightBytes = deals.stream().map(DealFlyweight::bytes).toArray(byte[][]::new);
        fixedBytes = deals.stream().map(fixedViews::bytes).toArray(byte[][]::new);
        compactBytes = deals.stream().map(compactViews::bytes).toArray(byte[][]::new);
        plain = repeated(deals.toArray(Deal[]::new));
        flyweights =
                repeated(Arrays.stream(flyweightBytes).map(DealFlyweight::new).toArray(Deal[]::new));
        compactFlyweights = repeated(
                Arrays.stream(compactBytes).map(CompactDealFlyweight::new).toArray(Deal[]::new));
        fixed = repeated(Arrays.stream(fixedBytes).map(fixedViews::of).toArray(Deal[]::new));
        compact = repeated(Arrays.stream(compactBytes).map(compactViews::of).toArray(Deal[]::new));
        System.out.println("bytes of a deal: flyweight " + flyweightBytes[0].length + ", fixed "
                + fixedBytes[0].length + ", compact "
                + Arrays.stream(compactBytes).mapToInt(bytes -> bytes.length).sum() / DealData.DEALS);
    }

    private ToLongFunction<Deal> function() {
        return switch (getter) {
            case "first" -> Deal::getId;
            case "last", AGAIN -> Deal::getSequence;
            case "nested" -> deal -> deal.getBuyer().getAccount();
            case "element" -> deal -> deal.getLegs().get(3).getCount();
            case "name" -> deal -> deal.getSide() == Deal.Side.BUY ? 1 : 0;
            case "decimal" -> deal -> deal.getLimit().precision();
            case "fold" -> ViewBenchmark::fold;
            case "all" -> ViewBenchmark::all;
            default -> throw new IllegalArgumentException(getter);
        };
    }

    private static long fold(Deal deal) {
        long sum = 0;
        for (Deal.Leg leg : deal.getLegs()) {
            sum += leg.getCount();
        }
        return sum;
    }

    private static long all(Deal deal) {
        long sum = deal.getId()
                + deal.getQuantity()
                + (long) deal.getPrice()
                + (deal.isOpen() ? 1 : 0)
                + (deal.getSide() == Deal.Side.BUY ? 1 : 0)
                + deal.getLimit().scale()
                + deal.getBuyer().getAccount()
                + deal.getBuyer().getRating()
                + deal.getSequence();
        for (Deal.Leg leg : deal.getLegs()) {
            sum += leg.getNotional().scale() + (long) leg.getRate() + leg.getCount();
        }
        return sum;
    }

    private Deal[] repeated(Deal[] deals) {
        if (getter.equals(AGAIN)) {
            Arrays.fill(deals, deals[0]);
        }
        return deals;
    }

    /** Only the plain objects are compared with, so that each call in the benchmark has one receiver. */
    @TearDown
    public void check() {
        List<Deal> deals = DealData.deals();
        long expected = 0;
        for (int i = 0; i < DealData.DEALS; i++) {
            expected += value.applyAsLong(deals.get(getter.equals(AGAIN) && !fresh ? 0 : i));
        }
        if (sum != expected) {
            throw new IllegalStateException("the sum is " + sum + ", not " + expected);
        }
    }

    private long read(Deal[] deals) {
        long read = 0;
        for (Deal deal : deals) {
            read += value.applyAsLong(deal);
        }
        sum = read;
        return read;
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long handWritten() {
        return read(flyweights);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long compactHandWritten() {
        return read(compactFlyweights);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long plainObject() {
        return read(plain);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long fixedView() {
        return read(fixed);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long compactView() {
        return read(compact);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long newHandWritten() {
        long read = 0;
        for (byte[] bytes : flyweightBytes) {
            read += value.applyAsLong(new DealFlyweight(bytes));
        }
        return fresh(read);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long newCompactHandWritten() {
        long read = 0;
        for (byte[] bytes : compactBytes) {
            read += value.applyAsLong(new CompactDealFlyweight(bytes));
        }
        return fresh(read);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long newFixedView() {
        long read = 0;
        for (byte[] bytes : fixedBytes) {
            read += value.applyAsLong(fixedViews.of(bytes));
        }
        return fresh(read);
    }

    @Benchmark
    @OperationsPerInvocation(DealData.DEALS)
    public long newCompactView() {
        long read = 0;
        for (byte[] bytes : compactBytes) {
            read += value.applyAsLong(compactViews.of(bytes));
        }
        return fresh(read);
    }

    private long fresh(long read) {
        fresh = true;
        sum = read;
        return read;
    }
}
