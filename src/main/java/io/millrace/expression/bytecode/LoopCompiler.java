package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.expression.ir.FieldStore;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextForm;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.BranchTable;
import io.millrace.expression.runtime.DecimalMath;
import io.millrace.expression.runtime.TextBytes;
import io.millrace.expression.runtime.TextSlices;
import io.millrace.expression.runtime.WideMath;
import io.millrace.schema.FieldType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compiles loops: one hidden class each, whose method processes all selected records of a batch. This class writes what
 * a loop does with a record. {@link LoopClass} writes the iteration, and the rejection of a record without a result.
 * The loops are safe for use by many threads; {@link io.millrace.expression.ExpressionCompiler} lists what they
 * allocate.
 *
 * <p>Throws {@link OversizedCodeException} if the JIT compiler would leave the code interpreted.
 */
public final class LoopCompiler {

    private final LoopSource source;

    public LoopCompiler(LoopSource source) {
        this.source = source;
    }

    /** Returns a loop that keeps the records for which a condition holds, and skips operands by branches. */
    public GeneratedLoop<RecordLoop> filter(Ir condition) {
        return part(condition, filterCode(condition));
    }

    LoopClass filterClass(Ir condition) {
        return new LoopClass(source, null, true, List.of(condition), null, filterCode(condition));
    }

    private static BiConsumer<LoopClass.Loop, RecordCode> filterCode(Ir condition) {
        return (loop, record) -> {
            Label drop = record.code.newLabel();
            new Emitter(record).conditions().jump(condition, drop, false);
            loop.keep(record.code);
            record.code.labelBinding(drop);
        };
    }

    private GeneratedLoop<RecordLoop> part(Ir condition, BiConsumer<LoopClass.Loop, RecordCode> perRecord) {
        return compile(null, true, List.of(condition), true, perRecord);
    }

    private GeneratedLoop<RecordLoop> whole(
            @Nullable ClassDesc output, List<Ir> expressions, BiConsumer<LoopClass.Loop, RecordCode> perRecord) {
        return compile(output, false, expressions, true, perRecord);
    }

    /**
     * Compiles a loop, and if 64 bits may suffice for its decimals, one more that computes in 64 bits only.
     *
     * @param canBeRepeated whether the code for a record has the same result if it has been begun before
     */
    private GeneratedLoop<RecordLoop> compile(
            @Nullable ClassDesc output,
            boolean partial,
            List<Ir> expressions,
            boolean canBeRepeated,
            BiConsumer<LoopClass.Loop, RecordCode> perRecord) {
        LoopClass loop = new LoopClass(source, output, partial, expressions, null, perRecord);
        if (!canBeRepeated || !loop.hasShortForms()) {
            return new GeneratedLoop<>(loop.instantiate(), loop.codeBytes());
        }
        LoopClass wide = partial ? loop : new LoopClass(source, output, true, expressions, null, perRecord);
        return new GeneratedLoop<>(
                new AdaptiveLoop(
                        wide.instantiate(),
                        adaptive ->
                                new LoopClass(source, output, partial, expressions, adaptive, perRecord).instantiate()),
                wide.codeBytes());
    }

    /**
     * Returns a loop like {@link #filter}, with arithmetic on booleans instead of branches for as many leading operands
     * of the condition as possible. Its time depends little on the number of records that it keeps. Empty if no operand
     * can be computed without branches, or only one of several.
     */
    public Optional<GeneratedLoop<RecordLoop>> branchFreeFilter(Ir condition) {
        List<Ir> conditions = condition instanceof Ir.And(var operands) ? operands : List.of(condition);
        int simple = BranchFreeConditions.prefix(conditions);
        if (simple == 0 || (simple == 1 && conditions.size() > 1)) {
            return Optional.empty();
        }
        return Optional.of(part(condition, (loop, record) -> {
            CodeBuilder code = record.code;
            Emitter emitter = new Emitter(record);
            new BranchFree(record, emitter).all(conditions.subList(0, simple));
            if (simple == conditions.size()) {
                loop.keepIf(code);
                return;
            }
            Label drop = code.newLabel();
            code.lconst_0().lcmp().ifeq(drop);
            conditions
                    .subList(simple, conditions.size())
                    .forEach(rest -> emitter.conditions().jump(rest, drop, false));
            loop.keep(code);
            code.labelBinding(drop);
        }));
    }

    /**
     * Returns a loop that finds the first condition that holds. Its output is an {@code int[]} of their indexes, or -1.
     */
    public GeneratedLoop<RecordLoop> router(List<Ir> conditions) {
        Optional<ConditionSwitch> selection = ConditionSwitch.of(conditions);
        boolean branchFree = selection.isEmpty() && BranchFreeConditions.prefix(conditions) == conditions.size();
        return whole(LoopClass.INTS, conditions, (loop, record) -> {
            CodeBuilder code = record.code;
            if (branchFree) {
                new BranchFree(record, new Emitter(record)).first(conditions, branch -> loop.step(code, branch));
                code.l2i();
            } else {
                Label found = code.newLabel();
                selection.ifPresentOrElse(
                        one -> one.write(loop, record, found), () -> inOrder(conditions, loop, record, found));
                code.loadConstant(BranchTable.NONE);
                code.labelBinding(found);
            }
            code.istore(loop.resultInt());
            loop.pushResultPlace(code);
            code.iload(loop.resultInt()).iastore();
            loop.keep(code);
        });
    }

    /** Jumps with the index of the first condition that holds on the stack, and falls through if there is none. */
    private static void inOrder(List<Ir> conditions, LoopClass.Loop loop, RecordCode record, Label found) {
        CodeBuilder code = record.code;
        Conditions emitter = new Emitter(record).conditions();
        for (int branch = 0; branch < conditions.size(); branch++) {
            Label next = code.newLabel();
            loop.step(code, branch);
            emitter.jump(conditions.get(branch), next, false);
            code.loadConstant(branch);
            code.goto_(found).labelBinding(next);
        }
    }

    /** Returns a loop that computes assignments in order. */
    public GeneratedLoop<RecordLoop> setter(List<FieldStore> stores) {
        List<Ir> values = stores.stream().map(FieldStore::value).toList();
        return compile(null, false, values, canBeRepeated(stores), (loop, record) -> {
            FieldWrites writes = new FieldWrites(record, new Emitter(record));
            for (int i = 0; i < stores.size(); i++) {
                loop.step(record.code, i);
                writes.store(stores.get(i));
                record.shared.written(stores.get(i).target());
            }
            loop.keep(record.code);
        });
    }

    /** Returns whether no assignment reads a field that it or a later one overwrites, except for the last one. */
    private boolean canBeRepeated(List<FieldStore> stores) {
        int last = stores.size() - 1;
        return IntStream.range(0, last)
                .allMatch(overwriting -> stores.subList(0, overwriting + 1).stream()
                        .noneMatch(store -> SharedValues.reads(
                                source.schema(),
                                store.value(),
                                stores.get(overwriting).target())));
    }

    /**
     * Returns a loop that computes one long for each record. Its output is a {@code long[]}.
     *
     * @param ordered whether the longs must be ordered like the values, an absent value first; otherwise a record
     *     without a value is rejected
     */
    public GeneratedLoop<RecordLoop> keys(Ir value, boolean ordered) {
        return whole(RecordCode.LONGS, List.of(value), (loop, record) -> {
            CodeBuilder code = record.code;
            if (ordered) {
                order(record, value);
            } else {
                asLong(record, value);
            }
            code.lstore(loop.resultLong());
            loop.pushResultPlace(code);
            code.lload(loop.resultLong()).lastore();
            loop.keep(code);
        });
    }

    /**
     * Returns a loop that computes the long of the same bits for an unsigned number of 64 bits of each record. Its
     * output is a {@code long[]}. A record without a value is rejected.
     */
    public GeneratedLoop<RecordLoop> bits(Ir.Load value) {
        return whole(RecordCode.LONGS, List.of(value), (loop, record) -> {
            CodeBuilder code = record.code;
            Label absent = code.newLabel();
            Label present = code.newLabel();
            new FieldReads(record).bits(value.field(), absent);
            code.goto_(present).labelBinding(absent);
            record.failAbsent(value);
            code.labelBinding(present).lstore(loop.resultLong());
            loop.pushResultPlace(code);
            code.lload(loop.resultLong()).lastore();
            loop.keep(code);
        });
    }

    /**
     * Returns a loop that writes one text for each record. Its output is a {@code byte[]}. A record without a text is
     * rejected.
     *
     * @param type the width and padding of each text; its character set contains all characters of the texts
     */
    public GeneratedLoop<RecordLoop> texts(Ir value, FieldType.StringType type) {
        return whole(RecordCode.BYTES, List.of(value), (loop, record) -> {
            CodeBuilder code = record.code;
            Texts texts = new Emitter(record).texts();
            texts.push(texts.required(value, TextCharset.of(type.charset())));
            loop.pushResultPlace(code);
            record.pushInt(type.bytes());
            record.pushInt(type.pad());
            record.call(
                    TextBytes.class,
                    "putKey",
                    CD_void,
                    RecordCode.BYTES,
                    CD_int,
                    CD_int,
                    RecordCode.BYTES,
                    CD_int,
                    CD_int,
                    CD_int);
            loop.keep(code);
        });
    }

    private static void asLong(RecordCode record, Ir value) {
        Emitter values = new Emitter(record);
        values.shortForm().asLong(value, () -> {}, () -> requireLong(record, value));
    }

    /** Replaces a wide value on the stack by one long; a record whose value does not fit is rejected. */
    private static void requireLong(RecordCode record, Ir value) {
        if (value.type().isWide()) {
            record.call(WideMath.class, "toLong", CD_long, CD_long, CD_long);
        }
    }

    private static void order(RecordCode record, Ir value) {
        CodeBuilder code = record.code;
        Emitter values = new Emitter(record);
        if (value.type() == Basic.TEXT) {
            TextCharset charset = TextForm.of(value).charset();
            values.texts().push(values.texts().orNull(value, charset));
            record.pushInt(charset == TextCharset.UTF8 ? 1 : 0);
            record.call(TextSlices.class, "sortable", CD_long, RecordCode.BYTES, CD_int, CD_int, CD_boolean);
            return;
        }
        if (!value.optional() && value.type().isWide()) {
            asLong(record, value);
            return;
        }
        Label absent = code.newLabel();
        Label done = code.newLabel();
        values.value(value, absent);
        requireLong(record, value);
        if (value.type() == Basic.DOUBLE) {
            record.call(DecimalMath.class, "sortable", CD_long, CD_double);
        }
        if (value.optional()) {
            code.goto_(done).labelBinding(absent).loadConstant(Long.MIN_VALUE).labelBinding(done);
        }
    }
}
