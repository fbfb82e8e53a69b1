package io.millrace.expression.bytecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.BatchFilter;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.Records;
import io.millrace.expression.Trades;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CompoundElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LoopCompilerTest {

    private static final Ir CONDITION = new Ir.And(List.of(
            new Ir.Comparison(
                    Relation.GT,
                    new Ir.Load(Objects.requireNonNull(Trades.SCHEMA.field("id"))),
                    new Ir.Constant(Basic.WHOLE, 5),
                    false),
            new Ir.Membership(
                    new Ir.Load(Objects.requireNonNull(Trades.SCHEMA.field("currency1"))),
                    List.of(1L, 2L, 3L, 5L),
                    false)));

    private static LoopCompiler compiler() {
        return new LoopCompiler(new LoopSource(Trades.SCHEMA, List.of(new LoopSource.Step("id > 5", List.of()))));
    }

    @Test
    void shouldGenerateTheSameClassEachTime() {
        assertThat(compiler().filterClass(CONDITION).classBytes())
                .isEqualTo(compiler().filterClass(CONDITION).classBytes());
    }

    /** How often an instruction stands in the loop. */
    private static long count(LoopClass loop, Opcode opcode) {
        return ClassFile.of().parse(loop.classBytes()).methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(CompoundElement::elementStream)
                .filter(element -> element instanceof Instruction instruction && instruction.opcode() == opcode)
                .count();
    }

    private static Ir remainder(long divisor) {
        Ir id = new Ir.Load(Objects.requireNonNull(Trades.SCHEMA.field("id")));
        return new NumberNode.Arithmetic(
                NumberNode.Operator.REM, id, new Ir.Constant(Basic.WHOLE, divisor), Basic.WHOLE);
    }

    private static Ir is(Ir value, long constant) {
        return new Ir.Comparison(Relation.EQ, value, new Ir.Constant(Basic.WHOLE, constant), false);
    }

    @Test
    void shouldComputeOnceWhatIsWantedAgain() {
        Ir twice = new Ir.Or(List.of(is(remainder(10), 1), is(remainder(10), 2), is(remainder(7), 3)));
        assertThat(count(compiler().filterClass(twice), Opcode.LREM)).isEqualTo(2);
    }

    @Test
    void shouldComputeAgainWhatMayHaveBeenSkipped() {
        Ir id = new Ir.Load(Objects.requireNonNull(Trades.SCHEMA.field("id")));
        Ir skipped = new Ir.And(List.of(is(id, 5), is(remainder(10), 5)));
        Ir after = new Ir.Or(List.of(skipped, is(remainder(10), 2)));
        assertThat(count(compiler().filterClass(after), Opcode.LREM)).isEqualTo(2);
    }

    @Test
    void shouldHideTheClass() {
        assertThat(compiler().filter(CONDITION).loop().getClass().isHidden()).isTrue();
    }

    @Test
    void shouldRefuseABatchOfAnotherSchema() {
        RecordLoop filter = compiler().filter(CONDITION).loop();
        RecordBatch other =
                new RecordBatch(new Schema("other", 40, List.of(), List.of())).fill(new byte[80], 0, 2, 0, 0);
        assertThatThrownBy(() -> filter.run(other, null, (_, _, _) -> {}, 0, 2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Invalid schema 'other");
    }

    @Test
    void shouldAllocateNothing() {
        Records records = new Records(Trades.SCHEMA);
        for (long i = 0; i < 1000; i++) {
            records.add(Map.of("id", i, "currency1", i % 2 == 0 ? "GBP" : "JPY", "exchangeRate", (double) i));
        }
        RecordBatch batch = records.batch();
        BatchFilter filter = new ExpressionCompiler(Trades.SCHEMA)
                .filter("currency1 == 'GBP' and amount1 * 2 - amount2 / 3 <= exchangeRate and id % 10 < 8")
                .loop();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            batch.fill(batch.bytes(), batch.start(), batch.count(), 0, 0);
            filter.apply(batch, (_, _, _) -> {});
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(batch.selected()).isBetween(1, 999);
        assertThat(allocated).isLessThan(100 * 1000 / 10);
    }

    /** Ids 5 and 6, each with a boolean that is false, true, and two invalid ones. */
    private static final byte[] FLAGS = {5, 0, 5, 1, 5, 6, 5, 7, 6, 0, 6, 1, 6, 6, 6, 7};

    private static void assertFlags(UnaryOperator<Ir> not, boolean all, List<Integer> kept, List<Integer> rejected) {
        Field id = Field.of("id", new FieldType.IntegerType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)), 0);
        Field open = Field.of("open", new FieldType.BooleanType(IntStorage.of(1, false, ByteOrder.BIG_ENDIAN)), 1);
        Schema schema = new Schema("flags", 2, List.of(id, open), List.of());
        LoopCompiler compiler =
                new LoopCompiler(new LoopSource(schema, List.of(new LoopSource.Step("flags", List.of(id, open)))));
        List<Ir> operands = List.of(
                new Ir.Comparison(Relation.GT, new Ir.Load(id), new Ir.Constant(Basic.WHOLE, 5), false),
                not.apply(new Ir.Load(open)));
        Ir condition = not.apply(all ? new Ir.And(operands) : new Ir.Or(operands));

        for (RecordLoop loop : List.of(
                compiler.filter(condition).loop(),
                compiler.branchFreeFilter(condition).orElseThrow().loop())) {
            int count = FLAGS.length / 2;
            RecordBatch batch = new RecordBatch(schema);
            batch.fill(FLAGS.clone(), 0, count, 0, FLAGS.length);
            List<Integer> found = new ArrayList<>();
            int selected = loop.run(batch, null, (_, ordinal, _) -> found.add(ordinal), 0, count, 0);
            assertThat(Arrays.stream(batch.selection(), 0, selected).boxed()).containsExactlyElementsOf(kept);
            assertThat(found).containsExactlyElementsOf(rejected);
        }
    }

    @Test
    void shouldRejectAnInvalidBooleanWithoutBranchesOnlyIfItIsNeeded() {
        assertFlags(UnaryOperator.identity(), true, List.of(5), List.of(6, 7));
        assertFlags(UnaryOperator.identity(), false, List.of(1, 4, 5, 6, 7), List.of(2, 3));
        assertFlags(Ir.Not::new, true, List.of(0, 1, 2, 3, 5), List.of(6, 7));
        assertFlags(Ir.Not::new, false, List.of(1), List.of(2, 3));
    }
}
