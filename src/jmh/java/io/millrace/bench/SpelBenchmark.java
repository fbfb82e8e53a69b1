package io.millrace.bench;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import trades.SameApi;
import trades.Trade;
import trades.TradeBook;

/**
 * A filter in SpEL that Spring evaluates over objects and over views of them, as Spring Integration's filters do. Run
 * it by {@code ./mvnw -Pbench verify -Dbench=SpelBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class SpelBenchmark {

    private static final int TRADES = 1_000;

    /** The members of a trade that the filter reads. */
    public interface Currencies {
        String getCurrency1();
    }

    /** The members of a trade that the filter reads, with logic. */
    public abstract static class CurrenciesWithLogic {
        public abstract String getCurrency1();

        public boolean isPound() {
            return getCurrency1().equals("GBP");
        }
    }

    /** What the trades are. */
    @Param({"object", "bean", "mutable", "interface", "abstract", "generated"})
    public String kind;

    /** Layout of the records behind views. */
    @Param({"fixed", "compact"})
    public String layout;

    /** How Spring compiles. */
    @Param({"IMMEDIATE", "MIXED"})
    public SpelCompilerMode mode;

    private List<?> trades;
    private Expression filter;
    private int next;

    @Setup
    public void setUp() throws IOException {
        Path file = Path.of("examples/same-api", layout, "trade.yml");
        Schema schema = SchemaReader.read(file);
        RecordViews<Trade> views = RecordViews.of(Trade.class, schema);
        RecordViews<Currencies> interfaces = RecordViews.of(Currencies.class, schema);
        RecordViews<CurrenciesWithLogic> classes = RecordViews.of(CurrenciesWithLogic.class, schema);
        RecordViews<?> generated = kind.equals("generated") ? GeneratedViews.ofTrade(file) : views;
        TradeBook book = SameApi.classic();
        for (int id = 0; id < TRADES; id++) {
            book.add(id);
        }
        Function<Trade, Object> of = switch (kind) {
            case "object" -> trade -> trade;
            case "bean" -> views::view;
            case "mutable" -> views::edit;
            case "interface" -> trade -> interfaces.of(views.bytes(trade));
            case "abstract" -> trade -> classes.of(views.bytes(trade));
            case "generated" -> trade -> generated.of(views.bytes(trade));
            default -> throw new IllegalArgumentException(kind);
        };
        trades = book.trades().stream().map(of).toList();
        ClassLoader loader = generated.type().getClassLoader();
        filter = new SpelExpressionParser(new SpelParserConfiguration(mode, loader))
                .parseExpression("currency1 == 'GBP'");
    }

    @Benchmark
    public boolean filter() {
        next = next + 1 == TRADES ? 0 : next + 1;
        return Boolean.TRUE.equals(filter.getValue(trades.get(next)));
    }
}
