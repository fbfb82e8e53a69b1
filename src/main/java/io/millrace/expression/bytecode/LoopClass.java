package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.codec.bytecode.HiddenClass;
import io.millrace.codec.bytecode.Pool;
import io.millrace.expression.ir.Ir;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One generated class: a loop over the selection of a batch around the code for one record. It is equivalent to
 *
 * <pre>
 * LoopSource.check(batch, source);
 * byte[] bytes = batch.bytes(); byte[] added = batch.added(); int[] selection = batch.selection(); ...
 * byte[] scratch = new byte[8]; ...                     // arrays for computed texts, as many as needed
 * byte[] rows = batch.childRows().get(0).rows(); ...    // and bounds of the repeating parts that are read
 * for (int i = from; i &lt; to; i++) {
 *   int ordinal = selection[i];
 *   try {
 *     int offset = start + ordinal * baseLength;
 *     int addedOffset = ordinal * addedLength - baseLength;   // a field's own offset is added to this
 *     ...                                                     // may do selection[kept++] = ordinal
 *   } catch (ArithmeticException overflow) {                  // only in a loop that computes in 64 bits only
 *     return adaptiveLoop.overflowed(batch, output, rejects, i, to, kept);
 *   } catch (RuntimeException fault) {
 *     LoopSource.reject(fault, batch, ordinal, rejects, step, source);
 *   }
 * }
 * return kept;
 * </pre>
 *
 * in the method of {@link RecordLoop}.
 */
final class LoopClass {

    private static final ClassDesc BATCH = ClassDescs.of(RecordBatch.class);
    private static final ClassDesc SINK = ClassDescs.of(RejectSink.class);
    private static final ClassDesc SOURCE = ClassDescs.of(LoopSource.class);
    private static final ClassDesc FAULT = ClassDescs.of(RuntimeException.class);
    private static final ClassDesc OVERFLOW = ClassDescs.of(ArithmeticException.class);
    private static final ClassDesc ADAPTIVE = ClassDescs.of(AdaptiveLoop.class);
    private static final MethodTypeDesc RUN = MethodTypeDesc.of(CD_int, BATCH, CD_Object, SINK, CD_int, CD_int, CD_int);

    static final ClassDesc INTS = CD_int.arrayType();

    private final LoopSource source;
    private final List<Ir> expressions;
    private final Pool pool = new Pool();
    private final @Nullable ClassDesc output;
    private final boolean partial;
    private final @Nullable AdaptiveLoop adaptive;
    private final HiddenClass generated;
    private boolean shortForms;

    /**
     * @param output the type of the array of results, null for none
     * @param partial whether the loop can run over a part of the selection. Otherwise it starts at the first record
     *     whatever its arguments are: from constants, the JIT compiler removes checks of array indexes
     * @param expressions all expressions that the code for one record computes
     * @param adaptive what the loop calls if a decimal does not fit 64 bits; null if it continues in 128 bits itself
     * @param perRecord writes the code for one record; falling through its end drops the record
     */
    LoopClass(
            LoopSource source,
            @Nullable ClassDesc output,
            boolean partial,
            List<Ir> expressions,
            @Nullable AdaptiveLoop adaptive,
            BiConsumer<Loop, RecordCode> perRecord) {
        this.source = source;
        this.output = output;
        this.partial = partial;
        this.expressions = expressions;
        this.adaptive = adaptive;
        generated = generate(perRecord);
        if (generated.codeBytes() > HiddenClass.MAX_CODE_BYTES) {
            throw new OversizedCodeException("the code takes " + generated.codeBytes()
                    + " bytes, the JIT compiler takes up to " + HiddenClass.MAX_CODE_BYTES);
        }
    }

    private HiddenClass generate(BiConsumer<Loop, RecordCode> perRecord) {
        try {
            return new HiddenClass(
                    ClassDesc.of(LoopClass.class.getPackageName(), "Loop"),
                    RecordLoop.class,
                    pool,
                    builder -> builder.withMethodBody(
                            "run", RUN, ClassFile.ACC_PUBLIC, code -> new Loop(code).write(perRecord)));
        } catch (IllegalArgumentException e) { // too long even for a class file
            throw new OversizedCodeException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns whether the code has decimals that are computed in 64 bits first. */
    boolean hasShortForms() {
        return shortForms;
    }

    byte[] classBytes() {
        return generated.classBytes();
    }

    int codeBytes() {
        return generated.codeBytes();
    }

    RecordLoop instantiate() {
        return generated.instantiate(MethodHandles.lookup(), RecordLoop.class);
    }

    /** The frame of the loop: its local variables, and the code around the code for one record. */
    final class Loop {

        private static final int BATCH_SLOT = 1;
        private static final int OUTPUT_SLOT = 2;
        private static final int REJECTS_SLOT = 3;
        private static final int INDEX_SLOT = 4;
        private static final int END_SLOT = 5;
        private static final int KEPT_SLOT = 6;

        private final CodeBuilder code;
        private final int results;
        private final int selection;
        private final int ordinal;
        private final int step;
        private final int resultInt;
        private final int resultLong;

        private Loop(CodeBuilder code) {
            this.code = code;
            this.results = code.allocateLocal(TypeKind.REFERENCE);
            this.selection = code.allocateLocal(TypeKind.REFERENCE);
            this.ordinal = code.allocateLocal(TypeKind.INT);
            this.step = code.allocateLocal(TypeKind.INT);
            this.resultInt = code.allocateLocal(TypeKind.INT);
            this.resultLong = code.allocateLocal(TypeKind.LONG);
        }

        int resultInt() {
            return resultInt;
        }

        int resultLong() {
            return resultLong;
        }

        /** Records the index of the expression to which the following code belongs. */
        void step(CodeBuilder in, int index) {
            in.loadConstant(index);
            in.istore(step);
        }

        /** Pushes the output array and the record's index in it if the record is kept. */
        void pushResultPlace(CodeBuilder in) {
            in.aload(results).iload(KEPT_SLOT);
        }

        /** Keeps the record. */
        void keep(CodeBuilder in) {
            in.aload(selection).iload(KEPT_SLOT).iload(ordinal).iastore().iinc(KEPT_SLOT, 1);
        }

        /** Keeps the record if the long on the stack is 1, and drops it if it is 0. */
        void keepIf(CodeBuilder in) {
            in.aload(selection).iload(KEPT_SLOT).iload(ordinal).iastore();
            in.l2i().iload(KEPT_SLOT).iadd().istore(KEPT_SLOT);
        }

        private void write(BiConsumer<Loop, RecordCode> perRecord) {
            int bytes = code.allocateLocal(TypeKind.REFERENCE);
            int added = code.allocateLocal(TypeKind.REFERENCE);
            int start = code.allocateLocal(TypeKind.INT);
            int addedLength = code.allocateLocal(TypeKind.INT);
            int offset = code.allocateLocal(TypeKind.INT);
            int addedOffset = code.allocateLocal(TypeKind.INT);
            code.aload(BATCH_SLOT);
            pool.push(code, source);
            code.invokestatic(SOURCE, "check", MethodTypeDesc.of(CD_void, BATCH, SOURCE));
            get("bytes", RecordCode.BYTES).astore(bytes);
            get("added", RecordCode.BYTES).astore(added);
            get("selection", INTS).astore(selection);
            get("start", CD_int).istore(start);
            get("addedLength", CD_int).istore(addedLength);
            if (!partial) {
                code.iconst_0().istore(INDEX_SLOT).iconst_0().istore(KEPT_SLOT);
            }
            if (output != null) {
                code.aload(OUTPUT_SLOT).checkcast(output).astore(results);
            }
            code.iconst_0().istore(step);

            Label ready = code.newLabel();
            Label test = code.newLabel();
            Label body = code.newLabel();
            code.goto_(ready).labelBinding(body);
            code.aload(selection).iload(INDEX_SLOT).iaload().istore(ordinal);
            Label tryStart = code.newBoundLabel();
            int baseLength = source.schema().baseLength();
            code.iload(start).iload(ordinal).loadConstant(baseLength);
            code.imul().iadd().istore(offset);
            code.iload(ordinal).iload(addedLength).imul().loadConstant(baseLength);
            code.isub().istore(addedOffset);
            SharedValues shared = new SharedValues(source.schema(), expressions);
            GroupRows groups = new GroupRows(code, source.schema(), BATCH_SLOT, ordinal);
            RecordCode record = new RecordCode(
                    code, pool, source.schema(), shared, groups, bytes, offset, added, addedOffset, adaptive != null);
            perRecord.accept(this, record);
            Label next = code.newLabel();
            Label tryEnd = code.newBoundLabel();
            shortForms |= record.hasShortForms();
            code.goto_(next);
            if (adaptive != null) {
                continueIn(adaptive, tryStart, tryEnd);
            }
            rejectIn(tryStart, tryEnd);
            code.labelBinding(next).iinc(INDEX_SLOT, 1);
            code.labelBinding(test).iload(INDEX_SLOT).iload(END_SLOT).if_icmplt(body);
            code.iload(KEPT_SLOT).ireturn();
            // The initialization follows the loop in the code, since the arrays that the loop needs are known only
            // here.
            code.labelBinding(ready);
            record.makeArrays();
            code.goto_(test);
        }

        private CodeBuilder get(String property, ClassDesc type) {
            return code.aload(BATCH_SLOT).invokevirtual(BATCH, property, MethodTypeDesc.of(type));
        }

        private void continueIn(AdaptiveLoop other, Label tryStart, Label tryEnd) {
            Label handler = code.newBoundLabel();
            code.exceptionCatch(tryStart, tryEnd, handler, OVERFLOW);
            code.pop();
            pool.push(code, other);
            code.aload(BATCH_SLOT).aload(OUTPUT_SLOT).aload(REJECTS_SLOT);
            code.iload(INDEX_SLOT).iload(END_SLOT).iload(KEPT_SLOT);
            code.invokevirtual(ADAPTIVE, "overflowed", RUN).ireturn();
        }

        private void rejectIn(Label tryStart, Label tryEnd) {
            Label handler = code.newBoundLabel();
            code.exceptionCatch(tryStart, tryEnd, handler, FAULT);
            code.aload(BATCH_SLOT).iload(ordinal).aload(REJECTS_SLOT).iload(step);
            pool.push(code, source);
            code.invokestatic(SOURCE, "reject", MethodTypeDesc.of(CD_void, FAULT, BATCH, CD_int, SINK, CD_int, SOURCE));
        }
    }
}
