package io.millrace.bench;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.ConstraintCheck;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.nio.charset.StandardCharsets;
import java.util.Random;
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

/**
 * The check of constraints as the step {@code validate} makes it, and hand-written loops over the same bytes: records
 * of the fixed layout with two limits and a condition over two fields, and orders of {@value GroupsData#LEGS} legs with
 * a condition on each leg. Run it by {@code ./mvnw -Pbench verify -Dbench=Validate}.
 *
 * <p>Every eighth fixed record violates a constraint, and about every eighth order. Both arms must accept the same
 * records. The rows of the orders are written before the measurement.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls setUp first
public class ValidateBenchmark {

    private static final String FIXED = """
            schema: span
            fields:
              - { name: id, type: i64 }
              - { name: start, type: i32, min: 0 }
              - { name: end, type: i32, max: 1000000 }
              - { name: other, type: i64 }
            constraints:
              - { name: order, condition: start <= end }
            """;

    private static final String ORDERS = """
            schema: order
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: currency, type: enum, values: [EUR, GBP, JPY, USD] }
              - { name: limit, type: decimal, scale: 2 }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: notional, type: decimal, scale: 2 }
                  - { name: rate, type: f64 }
                  - { name: open, type: boolean }
            constraints:
              - { name: closed-if-large, each: legs, condition: not open or notional <= 1000000 }
            """;

    private static final int START = 8;
    private static final int END = 12;
    private static final int LENGTH = 24;
    private static final long NOTIONAL = 1_000_000_00;

    private final GroupsData data = new GroupsData();
    private final byte[] spans = new byte[GroupsData.ORDERS * LENGTH];
    private RecordBatch fixed;
    private RecordBatch orders;
    private ConstraintCheck fixedCheck;
    private ConstraintCheck ordersCheck;

    private static Schema schema(String name, String yaml) {
        return SchemaReader.read(name, yaml.getBytes(StandardCharsets.UTF_8));
    }

    @Setup
    public void setUp() {
        Random random = new Random(3);
        for (int i = 0; i < GroupsData.ORDERS; i++) {
            int start = random.nextInt(1000);
            RawBytes.putInt(spans, i * LENGTH + START, i % 24 == 0 ? -1 : start);
            RawBytes.putInt(spans, i * LENGTH + END, i % 24 == 8 ? 1_000_001 : i % 24 == 16 ? start - 1 : start + 1);
        }
        Schema span = schema("span", FIXED);
        fixed = new RecordBatch(span);
        fixedCheck = ConstraintCheck.of(span);
        orders = data.batch();
        ordersCheck = ConstraintCheck.of(schema("order", ORDERS));
        require(fixedChecked(), fixedByHand());
        require(ordersChecked(), ordersByHand());
    }

    private static void require(int checked, int byHand) {
        if (checked != byHand || checked == 0 || checked == GroupsData.ORDERS) {
            throw new IllegalStateException("the arms accept " + checked + " and " + byHand + " records");
        }
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public int fixedChecked() {
        fixed.fill(spans, 0, GroupsData.ORDERS, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        fixedCheck.select(fixed);
        return fixed.selected();
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public int fixedByHand() {
        fixed.fill(spans, 0, GroupsData.ORDERS, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
        int[] selection = fixed.selection();
        int valid = 0;
        for (int i = 0; i < GroupsData.ORDERS; i++) {
            int at = selection[i] * LENGTH;
            int start = RawBytes.getInt(spans, at + START);
            int end = RawBytes.getInt(spans, at + END);
            if (start >= 0 && end <= 1_000_000 && start <= end) {
                selection[valid++] = selection[i];
            }
        }
        fixed.select(valid);
        return valid;
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public int ordersChecked() {
        data.selectAll(orders);
        ordersCheck.select(orders);
        return orders.selected();
    }

    @Benchmark
    @OperationsPerInvocation(GroupsData.ORDERS)
    public int ordersByHand() {
        data.selectAll(orders);
        ChildRows legs = orders.childRows().getFirst();
        int[] selection = orders.selection();
        int valid = 0;
        for (int i = 0; i < GroupsData.ORDERS; i++) {
            if (allValid(legs, selection[i])) {
                selection[valid++] = selection[i];
            }
        }
        orders.select(valid);
        return valid;
    }

    private static boolean allValid(ChildRows legs, int ordinal) {
        byte[] rows = legs.rows();
        int end = legs.bounds()[2 * ordinal + 1];
        for (int leg = legs.bounds()[2 * ordinal]; leg < end; leg++) {
            int at = leg * legs.rowLength();
            if (rows[at + GroupsData.OPEN] != 0 && RawBytes.getLong(rows, at + GroupsData.NOTIONAL) > NOTIONAL) {
                return false;
            }
        }
        return true;
    }
}
