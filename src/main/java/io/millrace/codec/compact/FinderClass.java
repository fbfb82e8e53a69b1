package io.millrace.codec.compact;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.DEFAULT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import io.millrace.codec.ChildRows;
import io.millrace.codec.compact.MemberPlan.Kind;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Generates the code that reads the records of a plan: a method for each group, with one step of {@link FinderSteps}
 * for each member, and a method with a loop for each list. As Java source, it would be
 *
 * <pre>
 * static int group1(byte[] bytes, int at, int end, byte[] row, int rowAt, ElementRows elements, int parent) {
 *     int next = FinderSteps.bitsEnd(bytes, at, end);
 *     if (next &lt; 0) return -1;
 *     long bits = FinderSteps.bits(bytes, at, next);
 *     if ((bits &amp; 4) != 0) {
 *         next = FinderSteps.decimal(NOTIONAL, false, bytes, next, end, row, rowAt);
 *         if (next &lt; 0) return -1;
 *     }
 *     ...
 * }
 * </pre>
 */
final class FinderClass {

    /** Maximum number of members of a group; the JIT compiler does not compile methods of more than 8,000 bytes. */
    static final int MAX_MEMBERS = 200;

    private static final ClassDesc BYTES = CD_byte.arrayType();
    private static final ClassDesc STEPS = describe(FinderSteps.class);
    private static final ClassDesc PLAN = describe(MemberPlan.class);
    private static final ClassDesc ELEMENTS = describe(ElementRows.class);
    private static final ClassDesc ROWS = describe(ChildRows.class);
    private static final MethodTypeDesc GROUP =
            MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int, BYTES, CD_int, ELEMENTS, CD_int);
    private static final MethodTypeDesc STEP =
            MethodTypeDesc.of(CD_int, PLAN, CD_boolean, BYTES, CD_int, CD_int, BYTES, CD_int);
    private static final MethodTypeDesc END = MethodTypeDesc.of(CD_int, BYTES, CD_int, CD_int);

    // Parameters of every method, and its local variables.
    private static final int AT = 1;
    private static final int LIMIT_OF_METHOD = 2;
    private static final int ROW = 3;
    private static final int ROW_AT = 4;
    private static final int ELEMENT_ROWS = 5;
    private static final int PARENT = 6;
    private static final int NEXT = 7;
    private static final int LIMIT = 8;
    private static final int BITS = 9;
    private static final int COUNT = 9;
    private static final int LIST_ROWS = 10;
    private static final int INDEX = 11;

    private final boolean admission;
    private final ClassDesc self;
    private final List<Object> constants = new ArrayList<>();
    private int methods;

    private FinderClass(boolean admission) {
        this.admission = admission;
        this.self = ClassDesc.of(FinderClass.class.getPackageName(), "RecordsFinder");
    }

    private static ClassDesc describe(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    /**
     * Returns the code for a plan, or null if the code would be too large.
     *
     * @param admission whether to check all members, not only those that are wanted
     */
    static @Nullable GeneratedFinder generate(GroupPlan root, boolean admission) {
        if (!fits(root, admission)) {
            return null;
        }
        FinderClass generator = new FinderClass(admission);
        byte[] classBytes = ClassFile.of().build(generator.self, type -> generator.write(type, root));
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.lookup().defineHiddenClassWithClassData(classBytes, generator.constants, true);
            return (GeneratedFinder) lookup.findConstructor(lookup.lookupClass(), MethodType.methodType(void.class))
                    .invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("the generated class has a constructor", e);
        }
    }

    private static boolean fits(GroupPlan plan, boolean admission) {
        int count = admission ? plan.members().size() : plan.wantedMembers();
        return count <= MAX_MEMBERS
                && plan.bits() <= FinderSteps.MAX_BITS
                && plan.members().stream()
                        .allMatch(member -> member.inner() == null || fits(member.inner(), admission));
    }

    private void write(ClassBuilder type, GroupPlan root) {
        type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER).withInterfaceSymbols(describe(GeneratedFinder.class));
        type.withMethodBody(
                INIT_NAME,
                MTD_void,
                0,
                code -> code.aload(0)
                        .invokespecial(CD_Object, INIT_NAME, MTD_void)
                        .return_());
        String group = group(type, root);
        type.withMethodBody("find", GROUP.changeReturnType(CD_boolean), ClassFile.ACC_PUBLIC, code -> {
            // One more than in the static methods, because of the instance.
            code.aload(1).iload(2).iload(3).aload(4).iload(5).aload(6).iload(7);
            Label unexpected = code.newLabel();
            code.invokestatic(self, group, GROUP).iflt(unexpected);
            code.iconst_1().ireturn();
            code.labelBinding(unexpected).iconst_0().ireturn();
        });
    }

    /** Writes the method that reads a group, and returns its name. */
    private String group(ClassBuilder type, GroupPlan plan) {
        String name = "group" + methods++;
        List<MemberPlan> members = admission ? plan.members() : plan.members().subList(0, plan.wantedMembers());
        List<String> inner = new ArrayList<>();
        for (MemberPlan member : members) {
            inner.add(enters(member) ? inner(type, member) : "");
        }
        type.withMethodBody(name, GROUP, ClassFile.ACC_STATIC, code -> {
            Label unexpected = code.newLabel();
            code.aload(0).iload(AT).iload(LIMIT_OF_METHOD).invokestatic(STEPS, "bitsEnd", END);
            checkNext(code, unexpected);
            code.aload(0).iload(AT).iload(NEXT);
            code.invokestatic(STEPS, "bits", MethodTypeDesc.of(CD_long, BYTES, CD_int, CD_int))
                    .lstore(BITS);
            for (int i = 0; i < members.size(); i++) {
                MemberPlan member = members.get(i);
                Label absent = code.newLabel();
                if (member.presenceBit() >= 0) {
                    code.lload(BITS).loadConstant(1L << member.presenceBit()).land();
                    code.lconst_0().lcmp().ifeq(absent);
                }
                member(code, member, inner.get(i), unexpected);
                code.labelBinding(absent);
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

    private boolean enters(MemberPlan member) {
        return (member.kind() == Kind.GROUP || member.kind() == Kind.LIST) && (admission || member.wanted());
    }

    private String inner(ClassBuilder type, MemberPlan member) {
        GroupPlan plan = Objects.requireNonNull(member.inner());
        return member.kind() == Kind.GROUP ? group(type, plan) : list(type, member, plan);
    }

    private void member(CodeBuilder code, MemberPlan member, String inner, Label unexpected) {
        switch (member.kind()) {
            case BIT -> {
                if (member.rowAt() >= 0) {
                    plan(code, member);
                    code.lload(BITS).aload(ROW).iload(ROW_AT);
                    code.invokestatic(STEPS, "truth", MethodTypeDesc.of(CD_void, PLAN, CD_long, BYTES, CD_int));
                }
            }
            case GROUP, LIST -> {
                limit(code, unexpected);
                if (member.kind() == Kind.GROUP && member.rowAt() >= 0) {
                    plan(code, member);
                    code.aload(ROW).iload(ROW_AT);
                    code.invokestatic(STEPS, "there", MethodTypeDesc.of(CD_void, PLAN, BYTES, CD_int));
                }
                if (!inner.isEmpty()) {
                    call(code, inner, PARENT, unexpected);
                }
                code.iload(LIMIT).istore(NEXT);
            }
            default -> value(code, member, unexpected);
        }
    }

    private void value(CodeBuilder code, MemberPlan member, Label unexpected) {
        String step =
                member.kind() == Kind.CODE ? "unsigned" : member.kind().name().toLowerCase(Locale.ROOT);
        plan(code, member);
        code.loadConstant(admission ? 1 : 0);
        code.aload(0).iload(NEXT).iload(LIMIT_OF_METHOD).aload(ROW).iload(ROW_AT);
        code.invokestatic(STEPS, step, STEP);
        checkNext(code, unexpected);
    }

    private static void checkNext(CodeBuilder code, Label unexpected) {
        code.dup().istore(NEXT).iflt(unexpected);
    }

    /** Writes the offset past the part at the next offset to a local variable. */
    private static void limit(CodeBuilder code, Label unexpected) {
        code.aload(0).iload(NEXT).iload(LIMIT_OF_METHOD).invokestatic(STEPS, "partEnd", END);
        code.dup().istore(LIMIT).iflt(unexpected);
    }

    /** Calls the method of the part at the next offset. */
    private void call(CodeBuilder code, String method, int parent, Label unexpected) {
        code.aload(0).aload(0).iload(NEXT);
        code.invokestatic(STEPS, "past", MethodTypeDesc.of(CD_int, BYTES, CD_int));
        code.iload(LIMIT).aload(ROW).iload(ROW_AT).aload(ELEMENT_ROWS).iload(parent);
        code.invokestatic(self, method, GROUP).iflt(unexpected);
    }

    /** Writes the method that reads the elements of a list, and returns its name. */
    private String list(ClassBuilder type, MemberPlan list, GroupPlan plan) {
        String name = "list" + methods++;
        String element = plan.bare() ? "" : group(type, plan);
        boolean rows = list.list() >= 0;
        type.withMethodBody(name, GROUP, ClassFile.ACC_STATIC, code -> {
            Label unexpected = code.newLabel();
            Label loop = code.newLabel();
            Label done = code.newLabel();
            code.aload(0).iload(AT).iload(LIMIT_OF_METHOD).invokestatic(STEPS, "varintEnd", END);
            checkNext(code, unexpected);
            plan(code, list);
            code.aload(0).iload(AT);
            code.invokestatic(STEPS, "count", MethodTypeDesc.of(CD_int, PLAN, BYTES, CD_int));
            code.dup().istore(COUNT).iflt(unexpected);
            if (rows) {
                begin(code, list, unexpected);
            }
            code.iconst_m1().istore(INDEX);
            code.labelBinding(loop);
            code.iinc(COUNT, -1).iload(COUNT).iflt(done);
            if (rows) {
                add(code, plan);
            }
            if (plan.bare()) {
                value(code, plan.members().getFirst(), unexpected);
            } else {
                limit(code, unexpected);
                call(code, element, INDEX, unexpected);
                code.iload(LIMIT).istore(NEXT);
            }
            code.goto_(loop);
            code.labelBinding(done);
            if (admission) {
                code.iload(NEXT).iload(LIMIT_OF_METHOD).if_icmpne(unexpected);
            }
            code.iload(NEXT).ireturn();
            code.labelBinding(unexpected).iconst_m1().ireturn();
        });
        return name;
    }

    private static void begin(CodeBuilder code, MemberPlan list, Label unexpected) {
        code.aload(ELEMENT_ROWS)
                .loadConstant(list.list())
                .iload(PARENT)
                .iload(COUNT)
                .i2l();
        code.invokevirtual(ELEMENTS, "begin", MethodTypeDesc.of(ROWS, CD_int, CD_int, CD_long))
                .astore(LIST_ROWS);
        code.aload(ELEMENT_ROWS)
                .invokevirtual(ELEMENTS, "tooLarge", MethodTypeDesc.of(CD_boolean))
                .ifne(unexpected);
    }

    /** Adds a row, which the element is written to. */
    private void add(CodeBuilder code, GroupPlan plan) {
        code.aload(LIST_ROWS).iload(PARENT);
        constant(code, plan.blank(), BYTES);
        code.invokevirtual(ROWS, "add", MethodTypeDesc.of(CD_int, CD_int, BYTES))
                .istore(INDEX);
        code.aload(LIST_ROWS)
                .invokevirtual(ROWS, "rows", MethodTypeDesc.of(BYTES))
                .astore(ROW);
        code.iload(INDEX).loadConstant(plan.blank().length).imul().istore(ROW_AT);
    }

    private void plan(CodeBuilder code, MemberPlan member) {
        constant(code, member, PLAN);
    }

    private void constant(CodeBuilder code, Object value, ClassDesc type) {
        constants.add(value);
        code.loadConstant(
                DynamicConstantDesc.ofNamed(ConstantDescs.BSM_CLASS_DATA_AT, DEFAULT_NAME, type, constants.size() - 1));
    }
}
