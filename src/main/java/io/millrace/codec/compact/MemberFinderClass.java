package io.millrace.codec.compact;

import static io.millrace.codec.compact.FinderLocals.AT;
import static io.millrace.codec.compact.FinderLocals.BITS;
import static io.millrace.codec.compact.FinderLocals.BYTES;
import static io.millrace.codec.compact.FinderLocals.END;
import static io.millrace.codec.compact.FinderLocals.FROM;
import static io.millrace.codec.compact.FinderLocals.LIMIT;
import static io.millrace.codec.compact.FinderLocals.LIMIT_OF_METHOD;
import static io.millrace.codec.compact.FinderLocals.NEXT;
import static io.millrace.codec.compact.FinderLocals.RECORD;
import static io.millrace.codec.compact.FinderLocals.ROW;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.codec.compact.MemberSteps.Step;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * Generates the code that finds single members of the elements of a repeating part: a method for each, which skips what
 * precedes the member. As Java source, it would be
 *
 * <pre>
 * static int member2(byte[] bytes, int at) {
 *     int from = FinderSteps.varintEnd(bytes, at, bytes.length);
 *     if (from &lt; 0) return -1;
 *     int end = FinderSteps.partEnd(bytes, at, from, bytes.length);
 *     if (end &lt; 0 || from &gt;= end) return -1;
 *     long bits = bytes[from];
 *     int next = from + 1;                                        // or more, if there are more than 7 bits
 *     if ((bits &amp; 1) != 0) {
 *         next = FinderSteps.varintEnd(bytes, next, end);
 *         if (next &lt; 0) return -1;
 *     }
 *     next = FinderSteps.realEnd(bytes, next, end);
 *     if (next &lt; 0) return -1;
 *     return FinderSteps.varintEnd(bytes, next, end) &lt; 0 ? -1 : next - at;
 * }
 * </pre>
 */
final class MemberFinderClass {

    static final ClassDesc STEPS = ClassDescs.of(FinderSteps.class);
    private static final MethodTypeDesc MEMBER = MethodTypeDesc.of(CD_int, BYTES, CD_int);
    private static final MethodType MEMBER_TYPE = MethodType.methodType(int.class, byte[].class, int.class);

    /** Local variable with the offset that entries are relative to. The others are those of {@link FinderClass}. */
    private static final int START = ROW;

    private MemberFinderClass() {}

    /**
     * Returns a method {@code int (byte[] bytes, int at)} for each member. Its parameter is the offset of the length of
     * the element. It returns the entry of the member, as the index of the scope has it, or
     * {@link FinderSteps#UNEXPECTED} if the member, or what precedes it, is malformed or has a form that the code does
     * not handle.
     *
     * <p>These are method handles, because the JIT compiler always inlines one that is a constant. Whether it inlines a
     * method of an interface depends on the number of scopes.
     *
     * @param steps members, none of which is a group that does not repeat
     */
    static List<MethodHandle> generate(List<Step> steps) {
        ClassDesc self = ClassDesc.of(MemberFinderClass.class.getPackageName(), "ElementFinder");
        byte[] classBytes = ClassFile.of().build(self, type -> write(type, steps));
        try {
            MethodHandles.Lookup defined = MethodHandles.lookup().defineHiddenClass(classBytes, true);
            List<MethodHandle> members = new ArrayList<>();
            for (int slot = 0; slot < steps.size(); slot++) {
                members.add(defined.findStatic(defined.lookupClass(), name(slot), MEMBER_TYPE));
            }
            return List.copyOf(members);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Failed to create a generated class.", e);
        }
    }

    private static String name(int slot) {
        return "member" + slot;
    }

    private static void write(ClassBuilder type, List<Step> steps) {
        type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
        for (int slot = 0; slot < steps.size(); slot++) {
            List<Step> preceding = steps.subList(0, slot);
            Step wanted = steps.get(slot);
            type.withMethodBody(name(slot), MEMBER, ClassFile.ACC_STATIC, code -> member(code, preceding, wanted));
        }
    }

    private static void member(CodeBuilder code, List<Step> preceding, Step wanted) {
        Label missing = code.newLabel();
        Label unexpected = code.newLabel();
        code.iload(AT).dup().istore(START).istore(NEXT);
        code.aload(RECORD).arraylength().istore(LIMIT_OF_METHOD);
        FinderClass.limit(code, unexpected);
        code.iload(FROM).istore(AT);
        code.iload(LIMIT).istore(LIMIT_OF_METHOD);
        FinderClass.bits(code, unexpected);
        for (Step step : preceding) {
            if (step.valueBit() < 0) {
                Label absent = code.newLabel();
                FinderClass.requirePresent(code, step.presenceBit(), absent);
                end(code, step, unexpected);
                code.iload(LIMIT).istore(NEXT).labelBinding(absent);
            }
        }
        FinderClass.requirePresent(code, wanted.presenceBit(), missing);
        if (wanted.valueBit() >= 0) {
            truth(code, wanted);
            code.ireturn();
        } else {
            end(code, wanted, unexpected);
            code.iload(NEXT).iload(START).isub().ireturn();
        }
        if (wanted.presenceBit() >= 0) {
            code.labelBinding(missing).iconst_0().ireturn();
        }
        code.labelBinding(unexpected).iconst_m1().ireturn();
    }

    /** Writes the code that pushes the entry of a boolean. */
    static void truth(CodeBuilder code, Step step) {
        code.lload(BITS).loadConstant(step.valueBit()).lushr().l2i().iconst_1().iand();
        code.loadConstant(MemberSteps.FALSE).iadd();
    }

    /** Writes the code that stores the offset past the member at the next offset as the limit. */
    static void end(CodeBuilder code, Step step, Label unexpected) {
        CompactValueReader value = step.value();
        code.aload(RECORD).iload(NEXT).iload(LIMIT_OF_METHOD);
        if (value == null) {
            code.invokestatic(STEPS, "partLimit", END);
        } else {
            switch (value.kind()) {
                case TEXT -> {
                    code.loadConstant(value.frequent().isEmpty() ? 0 : 1);
                    code.invokestatic(STEPS, "textEnd", MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, CD_boolean));
                }
                case RAW -> {
                    code.loadConstant(value.width());
                    code.invokestatic(STEPS, "rawEnd", MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, CD_int));
                }
                case REAL -> code.invokestatic(STEPS, "realEnd", END);
                default -> code.invokestatic(STEPS, "varintEnd", END);
            }
        }
        code.dup().istore(LIMIT).iflt(unexpected);
    }
}
