package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
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
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * One generated class: a loop over the selection of a batch around the code for one record. It is equivalent to
 *
 * <pre>
 * LoopSource.check(batch, source);
 * byte[] bytes = batch.bytes(); byte[] added = batch.added(); int[] selection = batch.selection(); ...
 * byte[] scratch = new byte[8]; ...                     // arrays for computed texts, as many as needed
 * byte[] rows = batch.childRows().get(0).rows(); ...    // and bounds of the repeating parts that are read
 * int kept = 0;
 * for (int i = 0; i &lt; selected; i++) {
 *   int ordinal = selection[i];
 *   try {
 *     int offset = start + ordinal * baseLength;
 *     int addedOffset = ordinal * addedLength - baseLength;   // a field's own offset is added to this
 *     ...                                                     // may do selection[kept++] = ordinal
 *   } catch (RuntimeException fault) {
 *     LoopSource.reject(fault, batch, ordinal, rejects, step, source);
 *   }
 * }
 * batch.select(kept);
 * </pre>
 *
 * A loop over a part of the selection takes {@code i}, {@code selected} and {@code kept} as parameters and returns
 * {@code kept}, as {@link FilterLoop} describes.
 */
final class LoopClass {

    private static final ClassDesc BATCH = RecordCode.describe(RecordBatch.class);
    private static final ClassDesc SINK = RecordCode.describe(RejectSink.class);
    private static final ClassDesc SOURCE = RecordCode.describe(LoopSource.class);
    private static final ClassDesc FAULT = RecordCode.describe(RuntimeException.class);
    private static final ClassDesc INTS = CD_int.arrayType();

    private final LoopSource source;
    private final List<Ir> expressions;
    private final Pool pool = new Pool();
    private final HiddenClass generated;

    /**
     * @param shape the interface to implement, with one abstract method
     * @param expressions all expressions that the code for one record computes
     * @param perRecord writes that code; falling through its end drops the record
     */
    LoopClass(LoopSource source, Class<?> shape, List<Ir> expressions, BiConsumer<Loop, RecordCode> perRecord) {
        this.source = source;
        this.expressions = expressions;
        Method method = Arrays.stream(shape.getMethods())
                .filter(candidate -> Modifier.isAbstract(candidate.getModifiers()))
                .findFirst()
                .orElseThrow();
        MethodTypeDesc type = MethodTypeDesc.of(
                RecordCode.describe(method.getReturnType()),
                Arrays.stream(method.getParameterTypes())
                        .map(RecordCode::describe)
                        .toList());
        generated = new HiddenClass(
                ClassDesc.of(LoopClass.class.getPackageName(), "Loop"),
                shape,
                pool,
                builder -> builder.withMethodBody(
                        method.getName(), type, ClassFile.ACC_PUBLIC, code -> new Loop(code, type).write(perRecord)));
        if (generated.codeBytes() > HiddenClass.MAX_CODE_BYTES) {
            throw new OversizedCodeException("the code takes " + generated.codeBytes()
                    + " bytes, the JIT compiler takes up to " + HiddenClass.MAX_CODE_BYTES);
        }
    }

    byte[] classBytes() {
        return generated.classBytes();
    }

    <T> GeneratedLoop<T> instantiate(Class<T> shape) {
        return new GeneratedLoop<>(generated.instantiate(MethodHandles.lookup(), shape), generated.codeBytes());
    }

    /** The frame of the loop: its local variables, and the code around the code for one record. */
    final class Loop {

        private static final int BATCH_SLOT = 1;
        private static final int OUTPUT_SLOT = 2;

        private final CodeBuilder code;
        private final int rejects;
        private final boolean partial;
        private final int selection;
        private final int kept;
        private final int ordinal;
        private final int step;
        private final int resultInt;
        private final int resultLong;

        private Loop(CodeBuilder code, MethodTypeDesc type) {
            this.code = code;
            this.rejects = 1 + type.parameterList().indexOf(SINK);
            this.partial = type.returnType().equals(CD_int);
            this.selection = code.allocateLocal(TypeKind.REFERENCE);
            this.kept = partial ? rejects + 3 : code.allocateLocal(TypeKind.INT);
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
            in.aload(OUTPUT_SLOT).iload(kept);
        }

        /** Keeps the record. */
        void keep(CodeBuilder in) {
            in.aload(selection).iload(kept).iload(ordinal).iastore().iinc(kept, 1);
        }

        /** Keeps the record if the long on the stack is 1, and drops it if it is 0. */
        void keepIf(CodeBuilder in) {
            in.aload(selection).iload(kept).iload(ordinal).iastore();
            in.l2i().iload(kept).iadd().istore(kept);
        }

        private void write(BiConsumer<Loop, RecordCode> perRecord) {
            int bytes = code.allocateLocal(TypeKind.REFERENCE);
            int added = code.allocateLocal(TypeKind.REFERENCE);
            int start = code.allocateLocal(TypeKind.INT);
            int addedLength = code.allocateLocal(TypeKind.INT);
            int index = partial ? rejects + 1 : code.allocateLocal(TypeKind.INT);
            int selected = partial ? rejects + 2 : code.allocateLocal(TypeKind.INT);
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
                get("selected", CD_int).istore(selected);
                code.iconst_0().istore(kept).iconst_0().istore(index);
            }
            code.iconst_0().istore(step);

            Label ready = code.newLabel();
            Label test = code.newLabel();
            Label body = code.newLabel();
            code.goto_(ready).labelBinding(body);
            code.aload(selection).iload(index).iaload().istore(ordinal);
            Label tryStart = code.newBoundLabel();
            int baseLength = source.schema().baseLength();
            code.iload(start).iload(ordinal).loadConstant(baseLength);
            code.imul().iadd().istore(offset);
            code.iload(ordinal).iload(addedLength).imul().loadConstant(baseLength);
            code.isub().istore(addedOffset);
            SharedValues shared = new SharedValues(source.schema(), expressions);
            GroupRows groups = new GroupRows(code, source.schema(), BATCH_SLOT, ordinal);
            RecordCode record =
                    new RecordCode(code, pool, source.schema(), shared, groups, bytes, offset, added, addedOffset);
            perRecord.accept(this, record);
            Label next = code.newLabel();
            Label tryEnd = code.newBoundLabel();
            code.goto_(next);
            rejectIn(tryStart, tryEnd);
            code.labelBinding(next).iinc(index, 1);
            code.labelBinding(test).iload(index).iload(selected).if_icmplt(body);
            if (partial) {
                code.iload(kept).ireturn();
            } else {
                code.aload(BATCH_SLOT).iload(kept).invokevirtual(BATCH, "select", MethodTypeDesc.of(CD_void, CD_int));
                code.return_();
            }
            // The initialization follows the loop in the code, since the arrays that the loop needs are known only
            // here.
            code.labelBinding(ready);
            record.makeArrays();
            code.goto_(test);
        }

        private CodeBuilder get(String property, ClassDesc type) {
            return code.aload(BATCH_SLOT).invokevirtual(BATCH, property, MethodTypeDesc.of(type));
        }

        private void rejectIn(Label tryStart, Label tryEnd) {
            Label handler = code.newBoundLabel();
            code.exceptionCatch(tryStart, tryEnd, handler, FAULT);
            code.aload(BATCH_SLOT).iload(ordinal).aload(rejects).iload(step);
            pool.push(code, source);
            code.invokestatic(SOURCE, "reject", MethodTypeDesc.of(CD_void, FAULT, BATCH, CD_int, SINK, CD_int, SOURCE));
        }
    }
}
