package io.millrace.bench;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.spring.RecordPropertyAccessor;
import java.util.List;
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
 * One filter over {@value FilterData#TRADES} trades: a hand-written loop, the generated loop, and SpEL per record,
 * compiled by Spring over the bytes and over objects, and interpreted over objects. Run it by {@code ./mvnw -Pbench
 * verify -Dbench=Filter}.
 *
 * <p>The trades are drawn at random, so many that the processor can't learn which ones pass. All arms start from a full
 * selection, which costs each the same, and must keep the same trades.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class FilterBenchmark {

    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new IllegalStateException(reason.detail());
    };

    @Param
    public FilterRule rule;

    @Param({"1", "50", "99"})
    public int percent;

    private byte[] bytes;
    private RecordBatch batch;
    private BatchFilter filter;
    private List<byte[]> records;
    private List<FilterTrade> objects;
    private Expression compiledOnBytes;
    private Expression compiledOnObjects;
    private Expression interpreted;
    private EvaluationContext onBytes;
    private final EvaluationContext onObjects = new StandardEvaluationContext();

    @Setup
    public void setUp() {
        bytes = FilterData.trades(rule, percent);
        records = FilterData.records(bytes);
        objects = records.stream().map(FilterTrade::new).toList();
        batch = new RecordBatch(FilterData.SCHEMA).fill(bytes, 0, FilterData.TRADES, 0, 0);
        filter = new ExpressionCompiler(FilterData.SCHEMA).filter(rule.text()).loop();

        StandardEvaluationContext standard = new StandardEvaluationContext();
        RecordPropertyAccessor.of(FilterData.SCHEMA).forEach(standard::addPropertyAccessor);
        onBytes = standard;
        interpreted = uncompiled(rule.text());
        compiledOnBytes = compiled(onBytes, records);
        compiledOnObjects = compiled(onObjects, objects);
        requireSameAnswers();
    }

    private Expression compiled(EvaluationContext context, List<?> roots) {
        Expression expression = uncompiled(rule.compilableBySpring());
        // All nodes must have been evaluated once before Spring knows their types.
        roots.forEach(root -> expression.getValue(context, root));
        if (!SpelCompiler.compile(expression)) {
            throw new IllegalStateException("not compiled by Spring: " + rule.compilableBySpring());
        }
        return expression;
    }

    /** Spring compiles by itself only where it is told to: {@code MillraceApplication} does so. */
    private static Expression uncompiled(String text) {
        return new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseRaw(text);
    }

    private void requireSameAnswers() {
        int expected = handWritten();
        if (expected == 0
                || expected == FilterData.TRADES
                || generated() != expected
                || springCompiledBytes() != expected
                || springCompiledObjects() != expected
                || springInterpreted() != expected) {
            throw new IllegalStateException("the arms differ");
        }
    }

    @Benchmark
    @OperationsPerInvocation(FilterData.TRADES)
    public int handWritten() {
        batch.fill(bytes, 0, FilterData.TRADES, 0, 0);
        batch.select(rule.handWritten(batch.bytes(), batch.selection(), batch.selected()));
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(FilterData.TRADES)
    public int generated() {
        batch.fill(bytes, 0, FilterData.TRADES, 0, 0);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(FilterData.TRADES)
    public int springCompiledBytes() {
        return count(compiledOnBytes, onBytes, records);
    }

    @Benchmark
    @OperationsPerInvocation(FilterData.TRADES)
    public int springCompiledObjects() {
        return count(compiledOnObjects, onObjects, objects);
    }

    @Benchmark
    @OperationsPerInvocation(FilterData.TRADES)
    public int springInterpreted() {
        return count(interpreted, onObjects, objects);
    }

    private static int count(Expression expression, EvaluationContext context, List<?> roots) {
        int kept = 0;
        for (Object root : roots) {
            if (Boolean.TRUE.equals(expression.getValue(context, root))) {
                kept++;
            }
        }
        return kept;
    }
}
