package io.millrace.codec.compact;

import static io.millrace.codec.compact.FinderLocals.BYTES;
import static io.millrace.codec.compact.FinderLocals.FROM;
import static io.millrace.codec.compact.FinderLocals.LIMIT;
import static io.millrace.codec.compact.FinderLocals.NEXT;
import static io.millrace.codec.compact.FinderLocals.RECORD;
import static io.millrace.codec.compact.FinderLocals.ROW;
import static io.millrace.codec.compact.FinderLocals.ROW_AT;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

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
import org.jspecify.annotations.Nullable;

/**
 * Generates the code that makes the index of a record, or of an element of a repeating part: a method for the members,
 * and one for those of each group. As Java source, it would be
 *
 * <pre>
 * static int group0(byte[] bytes, int at, int end, byte[] index, int width, int start) {
 *     if (at &gt;= end) return -1;
 *     long bits = bytes[at];
 *     int next = at + 1;                                          // or more, if there are more than 7 bits
 *     FinderSteps.entry(index, 0, width, next - start);
 *     next = FinderSteps.varintEnd(bytes, next, end);
 *     if (next &lt; 0) return -1;
 *     if ((bits &amp; 1) != 0) {
 *         FinderSteps.entry(index, 1, width, next - start);
 *         next = FinderSteps.realEnd(bytes, next, end);
 *         if (next &lt; 0) return -1;
 *     }
 *     return 0;
 * }
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class MemberIndexClass {

    private static final ClassDesc SELF = ClassDesc.of(MemberIndexClass.class.getPackageName(), "RecordIndex");
    private static final MethodTypeDesc GROUP = MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, BYTES, CD_int, CD_int);
    private static final MethodType GROUP_TYPE =
            MethodType.methodType(int.class, byte[].class, int.class, int.class, byte[].class, int.class, int.class);
    private static final MethodTypeDesc ENTRY = MethodTypeDesc.of(CD_void, BYTES, CD_int, CD_int, CD_int);

    /** The JIT compiler does not compile methods that are too large. */
    private static final int MAX_MEMBERS = 100;

    // Parameters in addition to those of FinderClass.
    private static final int INDEX = ROW;
    private static final int WIDTH = ROW_AT;
    private static final int START = 5;

    private int methods;

    private MemberIndexClass() {}

    /**
     * Returns a method {@code int (byte[] bytes, int at, int end, byte[] index, int width, int start)}. Its parameters
     * are the offsets of the bits and past the members, the index and the bytes of each entry of it, and the offset
     * that entries are relative to. It returns {@link FinderSteps#UNEXPECTED} if a member is malformed or has a form
     * that the code does not handle; the index then has some of the entries.
     *
     * @return null if the code would be too large
     */
    static @Nullable MethodHandle generate(MemberSteps root) {
        if (!fits(root)) {
            return null;
        }
        String[] name = {""};
        byte[] classBytes = ClassFile.of().build(SELF, type -> {
            type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
            name[0] = new MemberIndexClass().group(type, root);
        });
        try {
            MethodHandles.Lookup defined = MethodHandles.lookup().defineHiddenClass(classBytes, true);
            return defined.findStatic(defined.lookupClass(), name[0], GROUP_TYPE);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Failed to create a generated class.", e);
        }
    }

    private static boolean fits(MemberSteps members) {
        return members.steps().size() <= MAX_MEMBERS
                && members.steps().stream()
                        .allMatch(step -> Math.max(step.presenceBit(), step.valueBit()) < FinderSteps.MAX_BITS
                                && (step.inner() == null || fits(step.inner())));
    }

    /** Writes the method of a group, after those of the groups in it, and returns its name. */
    private String group(ClassBuilder type, MemberSteps members) {
        String[] inner = members.steps().stream()
                .map(step -> step.inner() == null ? "" : group(type, step.inner()))
                .toArray(String[]::new);
        String name = "group" + methods++;
        type.withMethodBody(name, GROUP, ClassFile.ACC_STATIC, code -> {
            Label unexpected = code.newLabel();
            FinderClass.bits(code, unexpected);
            for (int i = 0; i < inner.length; i++) {
                member(code, members.steps().get(i), inner[i], unexpected);
            }
            code.iconst_0().ireturn();
            code.labelBinding(unexpected).iconst_m1().ireturn();
        });
        return name;
    }

    private static void member(CodeBuilder code, Step step, String inner, Label unexpected) {
        Label absent = code.newLabel();
        FinderClass.requirePresent(code, step.presenceBit(), absent);
        code.aload(INDEX).loadConstant(step.slot()).iload(WIDTH);
        if (step.valueBit() >= 0) {
            MemberFinderClass.truth(code, step);
        } else {
            code.iload(NEXT).iload(START).isub();
        }
        code.invokestatic(MemberFinderClass.STEPS, "entry", ENTRY);
        if (step.inner() != null) {
            FinderClass.limit(code, unexpected);
            code.aload(RECORD).iload(FROM).iload(LIMIT);
            code.aload(INDEX).iload(WIDTH).iload(START);
            code.invokestatic(SELF, inner, GROUP).iflt(unexpected);
        } else if (step.valueBit() < 0) {
            MemberFinderClass.end(code, step, unexpected);
        }
        if (step.valueBit() < 0) {
            code.iload(LIMIT).istore(NEXT);
        }
        code.labelBinding(absent);
    }
}
