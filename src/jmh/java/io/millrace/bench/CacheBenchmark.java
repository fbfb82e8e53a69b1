package io.millrace.bench;

import io.millrace.hash.KeyHash;
import java.util.SplittableRandom;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

/**
 * W4, caches: a million values of up to 8 KB (4 GB) under random keys; a million gets, puts over what is there, or nine
 * gets to a put, by one thread or by each of two. Run it by {@code ./mvnw -Pbench verify -Dbench=CacheBenchmark};
 * {@code -Dbench='CacheBenchmark.get'} for one. Needs 20 GB.
 *
 * <p>The peers are used as their users would: those off the heap copy each value in and out, Millrace to an array that
 * is used again. {@code millraceInPlace} reads a field where the value lies, as enrich does. Those on the heap keep and
 * give references, and so copy nothing; their values are 4,096 arrays shared by all keys, so that their heap stays
 * small: that flatters them. What was not found is printed: an arm that misses does less.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(
        value = 1,
        jvmArgsPrepend = {
            "-Xms2g",
            "-Xmx6g",
            "-XX:MaxDirectMemorySize=10g",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED"
        })
public class CacheBenchmark {

    private static final int OPERATIONS = 1_000_000;
    private static final int LONGEST = 8192;
    private static final int VALUES = 4096;
    private static final int GETS_TO_A_PUT = 10;
    /**
     * Millrace's ring keeps what was replaced until its turn comes. With so much room it holds all that the mixed arms
     * put, so that each get finds what it looks for, as with the peers; its puts then go to fresh memory.
     */
    private static final long REPLACED_BYTES = 3;

    @Param({"millrace", "millraceInPlace", "ehcache", "ohc", "chronicle", "oneNio", "jcs", "caffeine", "map"})
    private String peer = "";

    private Peer cache = new PeerMap(1);
    private final byte[][] values = new byte[VALUES][];

    @Setup
    public void fill(BenchmarkParams params) {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < VALUES; i++) {
            values[i] = new byte[1 + random.nextInt(LONGEST)]; // OHC refuses empty ones
            random.nextBytes(values[i]);
        }
        boolean mixed = params.getBenchmark().contains("mixed");
        cache = mixed && peer.startsWith("millrace")
                ? new PeerMillrace(OPERATIONS * REPLACED_BYTES, LONGEST / 2, peer.equals("millrace"))
                : Peer.of(peer, OPERATIONS, LONGEST / 2);
        long start = System.nanoTime();
        for (long key = 0; key < OPERATIONS; key++) {
            cache.put(KeyHash.of(key), values[(int) key & (VALUES - 1)]);
        }
        System.out.println(
                "\n" + peer + " filled, fresh memory: " + (System.nanoTime() - start) / OPERATIONS + " ns a put");
    }

    @TearDown
    public void close() {
        cache.close();
    }

    /** Where a thread begins among the keys, and how often none was there. */
    @State(Scope.Thread)
    public static class Order {
        private long next = System.nanoTime();
        private long misses;

        long key() {
            next += 0x9E3779B97F4A7C15L;
            return KeyHash.of(Math.unsignedMultiplyHigh(next, OPERATIONS));
        }

        int seen(int length) {
            misses += length >>> (Integer.SIZE - 1);
            return length;
        }

        @TearDown
        public void tell() {
            System.out.println("\nmisses: " + misses);
        }
    }

    private void gets(Order order, Blackhole hole) {
        for (int i = 0; i < OPERATIONS; i++) {
            hole.consume(order.seen(cache.get(order.key())));
        }
    }

    private void puts(Order order) {
        for (int i = 0; i < OPERATIONS; i++) {
            cache.put(order.key(), values[i & (VALUES - 1)]);
        }
    }

    private void mixes(Order order, Blackhole hole) {
        for (int i = 0; i < OPERATIONS; i++) {
            if (i % GETS_TO_A_PUT == 0) {
                cache.put(order.key(), values[i & (VALUES - 1)]);
            } else {
                hole.consume(order.seen(cache.get(order.key())));
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void get(Order order, Blackhole hole) {
        gets(order, hole);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    @Threads(2)
    public void getByTwo(Order order, Blackhole hole) {
        gets(order, hole);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void put(Order order) {
        puts(order);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    @Threads(2)
    public void putByTwo(Order order) {
        puts(order);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public void mixed(Order order, Blackhole hole) {
        mixes(order, hole);
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    @Threads(2)
    public void mixedByTwo(Order order, Blackhole hole) {
        mixes(order, hole);
    }
}
