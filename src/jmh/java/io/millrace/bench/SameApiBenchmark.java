package io.millrace.bench;

import io.millrace.view.RecordViews;
import io.millrace.view.list.RecordList;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import trades.SameApi;
import trades.Trade;
import trades.TradeBook;

/**
 * One program over a million classic trades and over a list of their bytes: a query that filters and sorts, Java
 * serialization of single trades, and a file that is written and read through NIO. Classic trades are written to the
 * file by Java serialization, and read from it, as a list. All times are for each trade. Each JVM also prints the bytes
 * of a trade: in its heap, serialized and in the file. Run it by {@code ./mvnw -Pbench verify
 * -Dbench=SameApiBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms2g", "-Xmx2g"})
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class SameApiBenchmark {

    private static final int TRADES = 1_000_000;

    /** What holds the trades: a list of classic objects, or a list of bytes of a layout. */
    @Param({Ratios.CLASSIC, "fixed", "compact"})
    public String trades;

    private @Nullable RecordViews<Trade> views;
    private TradeBook book;
    private Path file;
    private int next;

    @Setup
    public void setUp() throws IOException, ClassNotFoundException {
        views = trades.equals(Ratios.CLASSIC) ? null : SameApi.views(Path.of("examples/same-api", trades, "trade.yml"));
        book = views == null ? SameApi.classic() : SameApi.binary(views);
        double heap = SameApi.fill(book, TRADES);
        file = Files.createTempFile("trades", ".bin");
        write();
        if (read().size() != TRADES
                || !read().get(TRADES / 2).equals(book.trades().get(TRADES / 2))) {
            throw new IllegalStateException("the trades of the file are others");
        }
        Trade trade = book.trades().getLast();
        byte[] serialized = TradeBook.serialize(trade);
        if (!TradeBook.deserialize(serialized).equals(trade)) {
            throw new IllegalStateException("the deserialized trade is another one");
        }
        System.out.printf(
                Locale.ROOT,
                "%s: heap %.1f bytes each, serialized %d bytes, serialized in a list %.1f bytes each,"
                        + " in the file %.1f bytes each%n",
                trades,
                heap,
                serialized.length,
                (double) TradeBook.serialize(book.trades()).length / TRADES,
                (double) Files.size(file) / TRADES);
    }

    @TearDown
    public void tearDown() throws IOException {
        Files.delete(file);
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public long query() {
        return book.cheapest().orElseThrow().getId();
    }

    /** Serializes and deserializes one trade. */
    @Benchmark
    public Object serialization() throws IOException, ClassNotFoundException {
        next = next + 1 == TRADES ? 0 : next + 1;
        return TradeBook.deserialize(TradeBook.serialize(book.trades().get(next)));
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public long write() throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            if (book.trades() instanceof RecordList<?> list) {
                list.writeTo(channel);
            } else {
                try (ObjectOutputStream out =
                        new ObjectOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16))) {
                    out.writeObject(book.trades());
                    out.flush();
                    return channel.position();
                }
            }
            return channel.position();
        }
    }

    /** Reads all trades, so that they can be queried. */
    @Benchmark
    @OperationsPerInvocation(TRADES)
    public List<?> read() throws IOException, ClassNotFoundException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (views != null) {
                RecordList<Trade> list = new RecordList<>(views);
                list.readFrom(channel);
                return list;
            }
            try (ObjectInputStream in =
                    new ObjectInputStream(new BufferedInputStream(Channels.newInputStream(channel), 1 << 16))) {
                return (List<?>) in.readObject();
            }
        }
    }
}
