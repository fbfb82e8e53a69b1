package io.millrace.bench;

import io.millrace.codec.view.RecordViews;
import io.millrace.schema.Schema;
import io.millrace.schema.SchemaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import trades.Trade;
import trades.TradeBook;

/**
 * One program over classic trades and over their views: a query that filters and sorts, a filter in SpEL, and
 * serialization. The last arm copies the bytes of a view, as a custom form that is written in batches does. Run it by
 * {@code ./mvnw -Pbench verify -Dbench=SameApiBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class SameApiBenchmark {

    private static final int TRADES = 10_000;
    private static final String CLASSIC = "classic";

    /** What the trades are: classic objects, or views of a layout. */
    @Param({CLASSIC, "fixed", "compact"})
    public String trades;

    private TradeBook book;
    private RecordViews<Trade> views;
    private Expression filter;
    private int next;

    @Setup
    public void setUp() throws IOException, ClassNotFoundException {
        String layout = trades.equals(CLASSIC) ? "fixed" : trades;
        Path file = Path.of("examples/same-api", layout, "trade.yml");
        Schema schema = SchemaReader.read(file.toString(), Files.readAllBytes(file));
        views = RecordViews.of(Trade.class, schema);
        book = trades.equals(CLASSIC)
                ? new TradeBook(Trade::new, trade -> trade)
                : new TradeBook(views::create, views::view);
        for (int id = 0; id < TRADES; id++) {
            book.add(id);
        }
        filter = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.IMMEDIATE, null))
                .parseExpression("currency1 == 'GBP'");
        Trade trade = book.trades().getLast();
        if (filter.getValue(trade) == null || !SpelCompiler.compile(filter)) {
            throw new IllegalStateException("the filter is not compiled");
        }
        if (!TradeBook.deserialize(TradeBook.serialize(trade)).equals(trade)) {
            throw new IllegalStateException("the deserialized trade is another one");
        }
        System.out.println("serialized: " + TradeBook.serialize(trade).length + " bytes, the record alone: "
                + views.bytes(trade).length);
    }

    private Trade next() {
        next = (next + 1) % TRADES;
        return book.trades().get(next);
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public long query() {
        return book.cheapest().orElseThrow().getId();
    }

    /** A filter that Spring compiles. */
    @Benchmark
    public boolean spel() {
        return Boolean.TRUE.equals(filter.getValue(next()));
    }

    @Benchmark
    public Trade serialization() throws IOException, ClassNotFoundException {
        return TradeBook.deserialize(TradeBook.serialize(next()));
    }

    @Benchmark
    public Trade bytesOnly() {
        return views.of(views.bytes(next()));
    }
}
