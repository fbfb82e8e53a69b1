package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.hash.KeyHash;
import io.millrace.memory.RawMemory;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.table.PackedTable;
import io.millrace.table.TableBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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
 * Rows of 32 bytes under random keys, where enrich lives: nanoseconds for one look-up of a random key that is there,
 * allocation by the profiler, and bytes a row, printed as each arm begins. Run it by {@code ./mvnw -Pbench verify
 * -Dbench=RowsBenchmark}.
 *
 * <p>{@code hashed} and {@code direct} are packed tables, of keys that are spread or dense, and read one field of the
 * row where it lies. {@code millrace} is the cache, which copies the row out, {@code millraceInPlace} the same read in
 * place. Peers hand out or copy the whole row.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsPrepend = {
            "-Xms6g",
            "-XX:+AlwaysPreTouch",
            "-Xmx6g",
            "-XX:MaxDirectMemorySize=8g",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED"
        })
public class RowsBenchmark {

    private static final int ROW_BYTES = 32;
    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);

    @Param({"100000", "10000000"})
    private int rows;

    @Param({
        "hashed",
        "direct",
        "millrace",
        "millraceInPlace",
        "ehcache",
        "ohc",
        "chronicle",
        "oneNio",
        "jcs",
        "caffeine",
        "map"
    })
    private String store = "";

    private Peer peer = new PeerMap(1);
    private boolean dense;
    private long next;

    @Setup
    public void fill() throws IOException {
        dense = store.equals("direct");
        long before = used();
        peer = dense || store.equals("hashed") ? new Packed() : Peer.of(store, rows, ROW_BYTES);
        byte[] row = new byte[ROW_BYTES];
        for (long i = 0; i < rows; i++) {
            RawBytes.putLong(row, 0, key(i));
            RawBytes.putLong(row, 8, i);
            peer.put(key(i), row.clone());
        }
        if (peer instanceof Packed packed) {
            packed.build();
            System.out.println("\n" + store + ": " + packed.bytesARow() + " bytes a row");
        } else {
            System.out.println("\n" + store + ": " + (double) (used() - before) / rows
                    + " bytes a row, on the heap and resident off it");
        }
    }

    /** Bytes that are in use on the heap, and such as are resident beside it. */
    private static long used() throws IOException {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        String[] statm = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
        long resident = Long.parseLong(statm[1]) * 4096;
        return resident - committedHeapResident() + runtime.totalMemory() - runtime.freeMemory();
    }

    /** The heap is touched in advance, so that all of it is resident. */
    private static long committedHeapResident() {
        return Runtime.getRuntime().totalMemory();
    }

    private long key(long index) {
        return dense ? index : KeyHash.of(index);
    }

    /** A packed table, which is built once and read by key. */
    private final class Packed implements Peer {

        private final TableBuilder builder = new TableBuilder(
                "bench",
                "bench",
                new Schema(
                        "rows",
                        ROW_BYTES,
                        List.of(
                                Field.of("key", new FieldType.IntegerType(I64), 0),
                                Field.of("value", new FieldType.IntegerType(I64), 8)),
                        List.of()),
                "key",
                null);
        private @Nullable PackedTable table;

        private PackedTable built() {
            return Objects.requireNonNull(table);
        }

        @Override
        public void put(long key, byte[] value) {
            try {
                builder.add(0, value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void build() throws IOException {
            table = builder.build(0);
        }

        double bytesARow() {
            return (double) built().bytes() / rows;
        }

        @Override
        public int get(long key) {
            return (int) RawMemory.getLong(built().memory(), built().find(key) + 8);
        }

        @Override
        public void close() {}
    }

    @TearDown
    public void close() {
        peer.close();
    }

    @Benchmark
    public int get() {
        next += 0x9E3779B97F4A7C15L;
        return peer.get(key(Math.unsignedMultiplyHigh(next, rows)));
    }
}
