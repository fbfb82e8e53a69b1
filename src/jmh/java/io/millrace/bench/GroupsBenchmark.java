package io.millrace.bench;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.ExpressionCompiler;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * One rule of three fields and a selection of legs over {@value GroupsData#ORDERS} orders of {@value GroupsData#LEGS}
 * legs: the generated loop over rows, a hand-written one, and SpEL over objects. SpEL is interpreted, since Spring does
 * not compile selections. Run it by {@code ./mvnw -Pbench verify -Dbench=Groups}.
 *
 * <p>About half of the orders pass the three fields, and one of eight of these has a leg that the rule selects, so that
 * most loops go through all legs. All arms must keep the same orders. The rows are written before the measurement.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class GroupsBenchmark {

    private static final String RULE =
            "id > 10 and currency != 'JPY' and limit > 1000" + " and legs.?[notional > 1000000 and open].size() > 0";

    private static final long LIMIT = 1000_00;
    private static final long NOTIONAL = 1_000_000_00;

    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new IllegalStateException(reason.detail());
    };

    private final GroupsData data = new GroupsData();
    private final EvaluationContext context = new StandardEvaluationContext();
    private RecordBatch batch;
    private BatchFilter filter;
    private Expression interpreted;

    @Setup
    public void setUp() {
        batch = data.batch();
        filter = new ExpressionCompiler(GroupsData.SCHEMA).filter(RULE).loop();
        interpreted =
                new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.OFF, null)).parseExpression(RULE);
        int kept = generated();
        if (kept == 0 || kept != handWritten() || kept != interpretedOnObjects()) {
            throw new IllegalStateException(
                    "the arms keep " + kept + ", " + handWritten() + " and " + interpretedOnObjects() + " orders");
        }
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public int generated() {
        data.selectAll(batch);
        filter.apply(batch, NO_REJECTS);
        return batch.selected();
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public int handWritten() {
        data.selectAll(batch);
        byte[] rows = batch.added();
        int length = batch.addedLength();
        int[] selection = batch.selection();
        ChildRows legs = batch.childRows().getFirst();
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            int row = ordinal * length;
            if (RawBytes.getLong(rows, row + GroupsData.ID) > 10
                    && RawBytes.getShort(rows, row + GroupsData.CURRENCY) != GroupsData.JPY
                    && RawBytes.getLong(rows, row + GroupsData.LIMIT) > LIMIT
                    && hasLeg(legs, ordinal)) {
                selection[kept++] = ordinal;
            }
        }
        batch.select(kept);
        return kept;
    }

    private static boolean hasLeg(ChildRows legs, int ordinal) {
        byte[] rows = legs.rows();
        int end = legs.bounds()[2 * ordinal + 1];
        for (int leg = legs.bounds()[2 * ordinal]; leg < end; leg++) {
            int at = leg * legs.rowLength();
            if (RawBytes.getLong(rows, at + GroupsData.NOTIONAL) > NOTIONAL && rows[at + GroupsData.OPEN] != 0) {
                return true;
            }
        }
        return false;
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public int interpretedOnObjects() {
        int kept = 0;
        List<GroupsData.Order> orders = data.orders();
        for (GroupsData.Order order : orders) {
            if (Boolean.TRUE.equals(interpreted.getValue(context, order, Boolean.class))) {
                kept++;
            }
        }
        return kept;
    }
}
