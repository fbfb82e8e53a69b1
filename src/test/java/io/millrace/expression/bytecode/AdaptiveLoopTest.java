package io.millrace.expression.bytecode;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.Assignment;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.Records;
import io.millrace.expression.Trades;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveLoopTest {

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
    private static final Field A = Field.of("a", new FieldType.DecimalType(I64, 2), 0);
    private static final Field B = Field.of("b", new FieldType.DecimalType(I64, 2), 8);
    private static final Field C = Field.of("c", new FieldType.DecimalType(I64, 2), 16);
    private static final Schema SCHEMA = new Schema("pair", 24, List.of(A, B, C), List.of());

    /** Hundredths whose product with themselves is past 64 bits. */
    private static final long LARGE = 4_000_000_000L;

    private static final int SMALL = 1_000;

    private static final RejectSink NO_REJECTS = (_, _, reason) -> {
        throw new AssertionError(reason.detail());
    };

    private static RecordBatch batch(long... values) {
        byte[] bytes = new byte[values.length * SCHEMA.baseLength()];
        for (int i = 0; i < values.length; i++) {
            RawBytes.putLong(bytes, i * SCHEMA.baseLength(), values[i]);
            RawBytes.putLong(bytes, i * SCHEMA.baseLength() + 8, values[i]);
        }
        return new RecordBatch(SCHEMA).fill(bytes, 0, values.length, 0, 0);
    }

    private static long value(RecordBatch batch, int ordinal, Field field) {
        return RawBytes.getLong(batch.bytes(), batch.offset(ordinal) + field.offset());
    }

    private static LoopCompiler compiler() {
        return new LoopCompiler(new LoopSource(SCHEMA, List.of(new LoopSource.Step("rule", List.of(A, B)))));
    }

    /** The loops of {@code a * b > 4} with and without branches. */
    private static List<AdaptiveLoop> filters() {
        Ir product = new NumberNode.Arithmetic(
                NumberNode.Operator.MUL, new Ir.Load(A), new Ir.Load(B), new ValueType.Decimal(4, 127));
        Ir condition =
                new Ir.Comparison(Relation.GT, product, new Ir.Constant(new ValueType.Decimal(4, 63), 40_000), false);
        return Stream.of(
                        compiler().filter(condition),
                        compiler().branchFreeFilter(condition).orElseThrow())
                .map(generated -> (AdaptiveLoop) generated.loop())
                .toList();
    }

    @Test
    void shouldComputeIn64BitsUntilAResultDoesNotFit() {
        for (AdaptiveLoop loop : filters()) {
            RecordBatch small = batch(SMALL, 1, SMALL, 1);
            loop.runAll(small, null, NO_REJECTS);
            assertThat(Arrays.stream(small.selection(), 0, small.selected())).containsExactly(0, 2);
            assertThat(loop.hasOverflowed()).isFalse();

            RecordBatch mixed = batch(1, SMALL, LARGE, 1, -LARGE, SMALL);
            loop.runAll(mixed, null, NO_REJECTS);
            assertThat(Arrays.stream(mixed.selection(), 0, mixed.selected())).containsExactly(1, 2, 4, 5);
            assertThat(loop.hasOverflowed()).isTrue();

            RecordBatch later = batch(SMALL, 1, LARGE);
            loop.runAll(later, null, NO_REJECTS);
            assertThat(Arrays.stream(later.selection(), 0, later.selected())).containsExactly(0, 2);
        }
    }

    /** The largest factor whose square fits 64 bits, and the one after it. */
    @Test
    void shouldContinueExactlyPast64Bits() {
        long root = (long) Math.sqrt((double) Long.MAX_VALUE);
        for (AdaptiveLoop loop : filters()) {
            loop.runAll(batch(root), null, NO_REJECTS);
            assertThat(loop.hasOverflowed()).isFalse();
            loop.runAll(batch(root + 1), null, NO_REJECTS);
            assertThat(loop.hasOverflowed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4})
    void shouldWriteResultsToTheirPlacesWhereverTheOverflowIs(int place) {
        long[] values = {SMALL, 1, SMALL, 2, SMALL};
        values[place] = LARGE;
        var keys = new ExpressionCompiler(SCHEMA).keys("a * b - a * b + a").loop();
        RecordBatch batch = batch(values);
        long[] into = new long[values.length];
        keys.fill(batch, into, NO_REJECTS);
        assertThat(batch.selected()).isEqualTo(values.length);
        assertThat(into)
                .containsExactly(Arrays.stream(values).map(value -> value * 100).toArray());
    }

    /** The record with the overflow begins again: what it has assigned before must not be assigned twice. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a = a * 2; c = a * b - a * b + a",
                "c = a * 2; a = c * b - b * c + c",
                "c = a; a = a + 1; b = a * a - b * b; c = b",
                "b = a * 2; c = a * b - a * b + a; a = c"
            })
    void shouldAssignOnceWhatIsReadAndOverwritten(String steps) {
        List<Assignment> assignments = Arrays.stream(steps.split("; ", -1))
                .map(step -> step.split(" = ", 2))
                .map(step -> new Assignment(Objects.requireNonNull(SCHEMA.field(step[0])), step[1]))
                .toList();
        RecordBatch together = batch(SMALL, LARGE, SMALL, LARGE);
        new ExpressionCompiler(SCHEMA).setter(assignments).loop().apply(together, NO_REJECTS);
        RecordBatch oneByOne = batch(SMALL, LARGE, SMALL, LARGE);
        for (Assignment assignment : assignments) {
            new ExpressionCompiler(SCHEMA).setter(List.of(assignment)).loop().apply(oneByOne, NO_REJECTS);
        }
        assertThat(together.bytes()).isEqualTo(oneByOne.bytes());
        assertThat(value(together, 1, C)).isPositive();
    }

    /** Either form reads the rate first, and the second comparison reads it again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "amount1 * amount2 > exchangeRate and exchangeRate < 5.0",
                "exchangeRate > amount1 * amount2 ? exchangeRate < 0.0 : exchangeRate < 5.0",
                "exchangeRate + amount1 * amount2 > exchangeRate and exchangeRate < 5.0"
            })
    void shouldReadAValueOfBothFormsAgain(String rule) {
        Records records = new Records(Trades.SCHEMA);
        for (double rate : new double[] {3, 6, 9}) {
            for (String amount : List.of("2.00", "3000000000.00")) {
                records.add(Map.of(
                        "amount1", new BigDecimal(amount), "amount2", new BigDecimal(amount), "exchangeRate", rate));
            }
        }
        RecordBatch batch = records.batch();
        new ExpressionCompiler(Trades.SCHEMA).filter(rule).loop().apply(batch, NO_REJECTS);
        assertThat(Arrays.stream(batch.selection(), 0, batch.selected())).containsExactly(0, 1);
    }

    @Test
    void shouldPassEachRecordWithoutAResultToTheSinkOnce() {
        List<Integer> rejected = new ArrayList<>();
        RecordBatch batch = batch(SMALL, LARGE, 0, SMALL);
        var filter =
                new ExpressionCompiler(SCHEMA).filter("a * b / (a - 10) > -1").loop();
        filter.apply(batch, (_, ordinal, _) -> rejected.add(ordinal));
        assertThat(rejected).containsExactly(0, 3);
        assertThat(Arrays.stream(batch.selection(), 0, batch.selected())).containsExactly(1, 2);
    }
}
