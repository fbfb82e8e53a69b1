package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.spring.RecordPropertyAccessor;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
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
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelCompiler;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * One filter over 1,000 trades of 39 bytes: a hand-written loop, the generated loop, and stock SpEL per record. Run it
 * by {@code ./mvnw -Pbench verify -Dbench=Filter}.
 *
 * <p>The trades are drawn at random, eight currencies alike and amounts up to 2 million, since branches on random data
 * are what filters meet. All arms start from a full selection, which costs each the same. Spring does not compile
 * comparisons of BigDecimal, so that its compiled arm compares {@code amount1.doubleValue()}, which is less exact.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class FilterBenchmark {

    private static final int TRADES = 1000;
    private static final int LENGTH = 39;
    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new IllegalStateException(reason.detail());
    };

    /** What decoding makes of a trade, as far as the rules look at it. */
    public record Trade(long id, String buySell, String currency1, BigDecimal amount1, String currency2) {}

    /** The rules: one on a currency and an amount, and the one of the talk that the project grew from. */
    public enum Rule {
        AMOUNT("currency1 != 'JPY' and amount1 > 1000000", "currency1 != 'JPY' and amount1.doubleValue() > 1000000.0"),
        SEED("currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'");

        private final String text;
        private final String compilableBySpring;

        Rule(String text, String compilableBySpring) {
            this.text = text;
            this.compilableBySpring = compilableBySpring;
        }

        Rule(String text) {
            this(text, text);
        }
    }

    @Param
    public Rule rule;

    private byte[] bytes;
    private RecordBatch batch;
    private BatchFilter filter;
    private List<byte[]> records;
    private List<Trade> objects;
    private Expression compiled;
    private Expression interpreted;
    private EvaluationContext context;

    @Setup
    public void setUp() {
        Dictionary currencies = Dictionary.of("", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD");
        Dictionary sides = Dictionary.of("Buy", "Sell");
        IntStorage i64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
        IntStorage u8 = IntStorage.of(1, false, ByteOrder.BIG_ENDIAN);
        Schema schema = new Schema(
                "trade",
                LENGTH,
                List.of(
                        Field.of("id", new FieldType.IntegerType(i64), 0),
                        Field.of("buySell", new FieldType.EnumType(u8, sides), 10),
                        Field.of("currency1", new FieldType.EnumType(u8, currencies), 11),
                        Field.of("amount1", new FieldType.DecimalType(i64, 2), 12),
                        Field.of("currency2", new FieldType.EnumType(u8, currencies), 28)),
                List.of());
        fill(new Random(39), sides, currencies);
        batch = new RecordBatch(schema).fill(bytes, 0, TRADES, 0, 0);
        filter = new ExpressionCompiler(schema).filter(rule.text).loop();

        StandardEvaluationContext standard = new StandardEvaluationContext();
        RecordPropertyAccessor.of(schema).forEach(standard::addPropertyAccessor);
        context = standard;
        interpreted =
                new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseRaw(rule.text);
        compiled = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.IMMEDIATE, null))
                .parseRaw(rule.compilableBySpring);
        // All nodes must have been evaluated once before Spring knows their types.
        records.forEach(record -> compiled.getValue(context, record));
        if (!SpelCompiler.compile(compiled)) {
            throw new IllegalStateException("not compiled by Spring: " + rule.compilableBySpring);
        }
        requireSameAnswers();
    }

    private void fill(Random random, Dictionary sides, Dictionary currencies) {
        bytes = new byte[TRADES * LENGTH];
        records = new ArrayList<>();
        objects = new ArrayList<>();
        for (int i = 0; i < TRADES; i++) {
            int at = i * LENGTH;
            RawBytes.putLong(bytes, at, i);
            bytes[at + 10] = (byte) random.nextInt(2);
            bytes[at + 11] = (byte) random.nextInt(8);
            RawBytes.putLong(bytes, at + 12, random.nextLong(200_000_000));
            bytes[at + 28] = (byte) random.nextInt(8);
            byte[] record = new byte[LENGTH];
            System.arraycopy(bytes, at, record, 0, LENGTH);
            records.add(record);
            objects.add(new Trade(
                    i,
                    String.valueOf(sides.name(record[10])),
                    String.valueOf(currencies.name(record[11])),
                    BigDecimal.valueOf(RawBytes.getLong(record, 12), 2),
                    String.valueOf(currencies.name(record[28]))));
        }
    }

    private void requireSameAnswers() {
        int expected = handWritten();
        if (expected == 0
                || generated() != expected
                || springCompiled() != expected
                || springInterpreted() != expected) {
            throw new IllegalStateException("the arms differ");
        }
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public int handWritten() {
        batch.fill(bytes, 0, TRADES, 0, 0);
        byte[] array = batch.bytes();
        int[] selection = batch.selection();
        int kept = 0;
        int selected = batch.selected();
        if (rule == Rule.AMOUNT) {
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                if (array[at + 11] != 6 && RawBytes.getLong(array, at + 12) > 100_000_000) {
                    selection[kept++] = ordinal;
                }
            }
        } else {
            for (int i = 0; i < selected; i++) {
                int ordinal = selection[i];
                int at = ordinal * LENGTH;
                if (array[at + 11] == 5 && array[at + 28] == 7 && array[at + 10] == 0) {
                    selection[kept++] = ordinal;
                }
            }
        }
        batch.select(kept);
        return kept;
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public int generated() {
        batch.fill(bytes, 0, TRADES, 0, 0);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public int springCompiled() {
        int kept = 0;
        for (byte[] record : records) {
            if (Boolean.TRUE.equals(compiled.getValue(context, record))) {
                kept++;
            }
        }
        return kept;
    }

    @Benchmark
    @OperationsPerInvocation(TRADES)
    public int springInterpreted() {
        int kept = 0;
        for (Trade trade : objects) {
            if (Boolean.TRUE.equals(interpreted.getValue(context, trade))) {
                kept++;
            }
        }
        return kept;
    }
}
