package io.millrace.codec.compact;

import static io.millrace.codec.compact.FinderLocals.AT;
import static io.millrace.codec.compact.FinderLocals.BITS;
import static io.millrace.codec.compact.FinderLocals.BYTES;
import static io.millrace.codec.compact.FinderLocals.COUNT;
import static io.millrace.codec.compact.FinderLocals.ELEMENT_ROWS;
import static io.millrace.codec.compact.FinderLocals.END;
import static io.millrace.codec.compact.FinderLocals.FROM;
import static io.millrace.codec.compact.FinderLocals.INDEX;
import static io.millrace.codec.compact.FinderLocals.LIMIT;
import static io.millrace.codec.compact.FinderLocals.LIMIT_OF_METHOD;
import static io.millrace.codec.compact.FinderLocals.LIST_ROWS;
import static io.millrace.codec.compact.FinderLocals.NEXT;
import static io.millrace.codec.compact.FinderLocals.PARENT;
import static io.millrace.codec.compact.FinderLocals.RECORD;
import static io.millrace.codec.compact.FinderLocals.ROW;
import static io.millrace.codec.compact.FinderLocals.ROW_AT;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.millrace.codec.ChildRows;
import io.millrace.codec.RawBytes;
import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.codec.bytecode.HiddenClass;
import io.millrace.codec.bytecode.Pool;
import io.millrace.codec.compact.GroupPlan.MemberPlan;
import io.millrace.codec.compact.GroupPlan.MemberPlan.Kind;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates the code that reads the records of a plan: a method for each group and a method with a loop for each list.
 * As Java source, it would be
 *
 * <pre>
 * static int group1(byte[] bytes, int at, int end, byte[] row, int rowAt, ElementRows elements, int parent) {
 *     if (at &gt;= end) return -1;
 *     long bits = bytes[at];
 *     int next = at + 1;                                          // or more, if there are more than 7 bits
 *     if ((bits &amp; 4) != 0) {
 *         int limit = FinderSteps.varintEnd(bytes, next, end);
 *         if (limit &lt; 0) return -1;
 *         long value = FinderSteps.decimal(bytes, next);
 *         RawBytes.putLong(row, rowAt + 8, value);
 *         next = limit;
 *     }
 *     ...
 * }
 * </pre>
 */
final class FinderClass {

    /** Maximum number of members of a group. */
    static final int MAX_MEMBERS = 2_000;

    /** Maximum number of members of a method; the JIT compiler leaves methods of more than 8,000 bytes interpreted. */
    private static final int MAX_MEMBERS_OF_METHOD = 60;

    private static final ClassDesc STEPS = ClassDescs.of(FinderSteps.class);
    private static final ClassDesc ELEMENTS = ClassDescs.of(ElementRows.class);
    private static final ClassDesc ROWS = ClassDescs.of(ChildRows.class);
    private static final MethodTypeDesc GROUP =
            MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, BYTES, CD_int, ELEMENTS, CD_int);
    private static final MethodTypeDesc MEMBERS =
            MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, BYTES, CD_int, ELEMENTS, CD_int, CD_long);
    private static final byte[] NOTHING = {};

    private final boolean admission;
    private final ClassDesc self = ClassDesc.of(FinderClass.class.getPackageName(), "RecordsFinder");
    private final Pool pool = new Pool();
    private int methods;

    private FinderClass(boolean admission) {
        this.admission = admission;
    }

    /**
     * Returns the code for a plan, or null if the code would be too large.
     *
     * @param admission whether to check all members, not only those that are wanted
     */
    static @Nullable GeneratedFinder generate(GroupPlan root, boolean admission) {
        if (!fits(root)) {
            return null;
        }
        FinderClass generator = new FinderClass(admission);
        HiddenClass generated = new HiddenClass(
                generator.self, GeneratedFinder.class, generator.pool, type -> generator.write(type, root));
        return generated.codeBytes() > HiddenClass.MAX_CODE_BYTES
                ? null
                : generated.instantiate(MethodHandles.lookup(), GeneratedFinder.class);
    }

    private static boolean fits(GroupPlan plan) {
        return plan.members().size() <= MAX_MEMBERS
                && plan.bits() <= FinderSteps.MAX_BITS
                && plan.members().stream().allMatch(member -> member.inner() == null || fits(member.inner()));
    }

    private void write(ClassBuilder type, GroupPlan root) {
        String group = group(type, root);
        type.withMethodBody("find", GROUP.changeReturnType(CD_boolean), ClassFile.ACC_PUBLIC, code -> {
            Label unexpected = code.newLabel();
            // One more than in the static methods, because of the instance.
            if (!root.fillsRow()) {
                pool.push(code, root.blank());
                code.iconst_0().aload(4).iload(5).loadConstant(root.blank().length);
                code.invokestatic(
                        ClassDescs.of(RawBytes.class),
                        "copy",
                        MethodTypeDesc.of(CD_void, BYTES, CD_int, BYTES, CD_int, CD_int));
            }
            Label start = code.newBoundLabel();
            code.aload(1).iload(2).iload(3).aload(4).iload(5).aload(6).iload(7);
            code.invokestatic(self, group, GROUP).iflt(unexpected);
            code.iconst_1().ireturn();
            Label end = code.newBoundLabel();
            Label overflow = code.newBoundLabel();
            code.exceptionCatch(start, end, overflow, ClassDescs.of(ArithmeticException.class));
            code.pop().labelBinding(unexpected).iconst_0().ireturn();
        });
    }

    /** Writes the method that reads a group, and returns its name. */
    private String group(ClassBuilder type, GroupPlan plan) {
        List<MemberPlan> members = new ArrayList<>();
        for (int i = 0; i < plan.members().size(); i++) {
            MemberPlan member = plan.members().get(i);
            if (member.kind() == Kind.BIT ? member.rowAt() >= 0 : admission || i < plan.wantedMembers()) {
                members.add(member);
            }
        }
        List<String> parts = new ArrayList<>();
        for (int i = MAX_MEMBERS_OF_METHOD; i < members.size(); i += MAX_MEMBERS_OF_METHOD) {
            parts.add(members(type, members.subList(i, Math.min(i + MAX_MEMBERS_OF_METHOD, members.size()))));
        }
        List<MemberPlan> first = members.subList(0, Math.min(MAX_MEMBERS_OF_METHOD, members.size()));
        List<String> inner = inner(type, first);
        String name = "group" + methods++;
        type.withMethodBody(name, GROUP, ClassFile.ACC_STATIC, code -> {
            Label unexpected = code.newLabel();
            bits(code, unexpected);
            members(code, first, inner, unexpected);
            for (String part : parts) {
                code.aload(RECORD).iload(NEXT).iload(LIMIT_OF_METHOD).aload(ROW).iload(ROW_AT);
                code.aload(ELEMENT_ROWS).iload(PARENT).lload(BITS);
                code.invokestatic(self, part, MEMBERS).dup().istore(NEXT).iflt(unexpected);
            }
            if (admission) {
                Label complete = code.newLabel();
                code.iload(NEXT).iload(LIMIT_OF_METHOD).if_icmpeq(complete);
                // A newer schema may have written more members.
                code.lload(BITS).loadConstant(plan.bits()).lushr();
                code.lconst_0().lcmp().ifeq(unexpected);
                code.labelBinding(complete);
            }
            code.iload(NEXT).ireturn();
            code.labelBinding(unexpected).iconst_m1().ireturn();
        });
        return name;
    }

    /** Writes a method that reads some members of a group, and returns its name. */
    private String members(ClassBuilder type, List<MemberPlan> members) {
        List<String> inner = inner(type, members);
        String name = "members" + methods++;
        type.withMethodBody(name, MEMBERS, ClassFile.ACC_STATIC, code -> {
            Label unexpected = code.newLabel();
            code.iload(AT).istore(NEXT);
            members(code, members, inner, unexpected);
            code.iload(NEXT).ireturn();
            code.labelBinding(unexpected).iconst_m1().ireturn();
        });
        return name;
    }

    private List<String> inner(ClassBuilder type, List<MemberPlan> members) {
        List<String> names = new ArrayList<>();
        for (MemberPlan member : members) {
            GroupPlan plan = member.inner();
            if (plan == null || !(admission || member.wanted())) {
                names.add("");
            } else {
                names.add(member.kind() == Kind.GROUP ? group(type, plan) : list(type, member, plan));
            }
        }
        return names;
    }

    /** Writes the code that reads the bits of a group. */
    static void bits(CodeBuilder code, Label unexpected) {
        Label several = code.newLabel();
        Label done = code.newLabel();
        code.iload(AT).iload(LIMIT_OF_METHOD).if_icmpge(unexpected);
        code.aload(RECORD).iload(AT).baload().dup().istore(NEXT).iflt(several);
        code.iload(NEXT).i2l().lstore(BITS).iload(AT).iconst_1().iadd().istore(NEXT);
        code.goto_(done).labelBinding(several);
        code.aload(RECORD).iload(AT).iload(LIMIT_OF_METHOD).invokestatic(STEPS, "bitsEnd", END);
        code.dup().istore(NEXT).iflt(unexpected);
        code.aload(RECORD).iload(AT).iload(NEXT);
        code.invokestatic(STEPS, "bits", END.changeReturnType(CD_long)).lstore(BITS);
        code.labelBinding(done);
    }

    private void members(CodeBuilder code, List<MemberPlan> members, List<String> inner, Label unexpected) {
        ValueCode values = new ValueCode(code, pool, admission, unexpected);
        for (int i = 0; i < members.size(); i++) {
            MemberPlan member = members.get(i);
            Label absent = code.newLabel();
            requirePresent(code, member.presenceBit(), absent);
            switch (member.kind()) {
                case BIT -> values.bit(member);
                case GROUP, LIST -> {
                    limit(code, unexpected);
                    if (member.rowAt() >= 0) {
                        values.there(member);
                    }
                    if (!inner.get(i).isEmpty()) {
                        call(code, inner.get(i), PARENT, unexpected);
                    }
                    code.iload(LIMIT).istore(NEXT);
                }
                default -> values.read(member);
            }
            code.labelBinding(absent);
        }
    }

    /**
     * Writes the code that leaves a member out if it is absent.
     *
     * @param presenceBit bit that is set if the member is there, or -1 if it always is
     */
    static void requirePresent(CodeBuilder code, int presenceBit, Label absent) {
        if (presenceBit >= 0) {
            code.lload(BITS).loadConstant(1L << presenceBit).land();
            code.lconst_0().lcmp().ifeq(absent);
        }
    }

    /** Writes the first offset of the part at the next offset, and the offset past it, to local variables. */
    static void limit(CodeBuilder code, Label unexpected) {
        code.aload(RECORD).iload(NEXT).iload(LIMIT_OF_METHOD).invokestatic(STEPS, "varintEnd", END);
        code.dup().istore(FROM).iflt(unexpected);
        code.aload(RECORD).iload(NEXT).iload(FROM).iload(LIMIT_OF_METHOD);
        code.invokestatic(STEPS, "partEnd", MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, CD_int));
        code.dup().istore(LIMIT).iflt(unexpected);
    }

    /** Calls the method of the part at the next offset. */
    private void call(CodeBuilder code, String method, int parent, Label unexpected) {
        code.aload(RECORD).iload(FROM).iload(LIMIT).aload(ROW).iload(ROW_AT);
        code.aload(ELEMENT_ROWS).iload(parent);
        code.invokestatic(self, method, GROUP).iflt(unexpected);
    }

    /** Writes the method that reads the elements of a list, and returns its name. */
    private String list(ClassBuilder type, MemberPlan list, GroupPlan plan) {
        String element = plan.bare() ? "" : group(type, plan);
        String name = "list" + methods++;
        boolean rows = list.list() >= 0;
        type.withMethodBody(name, GROUP, ClassFile.ACC_STATIC, code -> {
            Label unexpected = code.newLabel();
            Label loop = code.newLabel();
            Label done = code.newLabel();
            count(code, list, unexpected);
            code.iconst_m1().istore(INDEX);
            if (rows) {
                addRows(code, list, plan, unexpected);
            }
            code.labelBinding(loop).iinc(COUNT, -1).iload(COUNT).iflt(done);
            if (plan.bare()) {
                new ValueCode(code, pool, admission, unexpected)
                        .read(plan.members().getFirst());
            } else {
                limit(code, unexpected);
                call(code, element, INDEX, unexpected);
                code.iload(LIMIT).istore(NEXT);
            }
            if (rows) {
                code.iinc(INDEX, 1).iload(ROW_AT).loadConstant(plan.blank().length);
                code.iadd().istore(ROW_AT);
            }
            code.goto_(loop).labelBinding(done);
            if (admission) {
                code.iload(NEXT).iload(LIMIT_OF_METHOD).if_icmpne(unexpected);
            }
            code.iload(NEXT).ireturn();
            code.labelBinding(unexpected).iconst_m1().ireturn();
        });
        return name;
    }

    /** Reads the number of elements, each of which takes at least a byte. */
    private void count(CodeBuilder code, MemberPlan list, Label unexpected) {
        code.aload(RECORD).iload(AT).iload(LIMIT_OF_METHOD).invokestatic(STEPS, "varintEnd", END);
        code.dup().istore(NEXT).iflt(unexpected);
        pool.push(code, list);
        code.aload(RECORD).iload(AT);
        code.invokestatic(STEPS, "count", MethodTypeDesc.of(CD_int, ClassDescs.of(MemberPlan.class), BYTES, CD_int));
        code.dup().istore(COUNT).iflt(unexpected);
        code.iload(COUNT).iload(LIMIT_OF_METHOD).iload(NEXT).isub().if_icmpgt(unexpected);
    }

    /** Adds the rows that the elements are written to. */
    private void addRows(CodeBuilder code, MemberPlan list, GroupPlan plan, Label unexpected) {
        code.aload(ELEMENT_ROWS).loadConstant(list.list());
        code.iload(PARENT).iload(COUNT);
        pool.push(code, plan.fillsRow() ? NOTHING : plan.blank());
        code.invokevirtual(ELEMENTS, "addAll", MethodTypeDesc.of(ROWS, CD_int, CD_int, CD_int, BYTES));
        code.dup().astore(LIST_ROWS).ifnull(unexpected);
        code.aload(LIST_ROWS).iload(PARENT).invokevirtual(ROWS, "first", MethodTypeDesc.of(CD_int, CD_int));
        code.dup().istore(INDEX).loadConstant(plan.blank().length).imul().istore(ROW_AT);
        code.aload(LIST_ROWS)
                .invokevirtual(ROWS, "rows", MethodTypeDesc.of(BYTES))
                .astore(ROW);
    }
}
