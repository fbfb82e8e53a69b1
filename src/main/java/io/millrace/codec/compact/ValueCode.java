package io.millrace.codec.compact;

import static io.millrace.codec.compact.FinderLocals.BITS;
import static io.millrace.codec.compact.FinderLocals.BYTES;
import static io.millrace.codec.compact.FinderLocals.END;
import static io.millrace.codec.compact.FinderLocals.LIMIT;
import static io.millrace.codec.compact.FinderLocals.LIMIT_OF_METHOD;
import static io.millrace.codec.compact.FinderLocals.NEXT;
import static io.millrace.codec.compact.FinderLocals.RECORD;
import static io.millrace.codec.compact.FinderLocals.ROW;
import static io.millrace.codec.compact.FinderLocals.ROW_AT;
import static io.millrace.codec.compact.FinderLocals.VALUE;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.codec.bytecode.NumberCode;
import io.millrace.codec.bytecode.Pool;
import io.millrace.codec.compact.GroupPlan.MemberPlan;
import io.millrace.codec.compact.GroupPlan.MemberPlan.Kind;
import io.millrace.schema.Dictionary;
import io.millrace.schema.IntStorage;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes the code that reads or skips a value at the next offset. The code of numbers is written out; other values have
 * a step of {@link FinderSteps} that knows the plan of the member.
 */
final class ValueCode {

    private static final ClassDesc PLAN = ClassDescs.of(MemberPlan.class);
    private static final ClassDesc STEPS = ClassDescs.of(FinderSteps.class);
    private static final MethodTypeDesc STEP =
            MethodTypeDesc.of(CD_int, PLAN, CD_boolean, BYTES, CD_int, CD_int, BYTES, CD_int);
    private static final MethodTypeDesc NUMBER = MethodTypeDesc.of(CD_long, BYTES, CD_int);

    private final CodeBuilder code;
    private final Pool pool;
    private final boolean admission;
    private final Label unexpected;

    /**
     * @param admission whether to check values that are not wanted
     * @param unexpected where to go if the value is malformed
     */
    ValueCode(CodeBuilder code, Pool pool, boolean admission, Label unexpected) {
        this.code = code;
        this.pool = pool;
        this.admission = admission;
        this.unexpected = unexpected;
    }

    /** Writes the code for a member that takes bytes and is not a part. */
    void read(MemberPlan member) {
        switch (member.kind()) {
            case UNSIGNED, CODE, SIGNED, DATE, DECIMAL -> number(member);
            default -> {
                pool.push(code, member);
                code.loadConstant(admission ? 1 : 0);
                code.aload(RECORD).iload(NEXT).iload(LIMIT_OF_METHOD).aload(ROW).iload(ROW_AT);
                code.invokestatic(STEPS, member.kind().name().toLowerCase(Locale.ROOT), STEP);
                code.dup().istore(NEXT).iflt(unexpected);
            }
        }
    }

    private void number(MemberPlan member) {
        code.aload(RECORD).iload(NEXT).iload(LIMIT_OF_METHOD);
        code.invokestatic(STEPS, "varintEnd", END);
        code.dup().istore(LIMIT).iflt(unexpected);
        if (member.rowAt() >= 0 || admission) {
            code.aload(RECORD).iload(NEXT);
            if (member.kind() == Kind.UNSIGNED || member.kind() == Kind.CODE) {
                code.invokestatic(ClassDescs.of(Varint.class), "get", NUMBER);
            } else {
                code.invokestatic(STEPS, member.kind().name().toLowerCase(Locale.ROOT), NUMBER);
            }
            code.lstore(VALUE);
            check(member);
        }
        if (member.rowAt() >= 0) {
            place(member.rowAt());
            NumberCode.put(code, pool, Objects.requireNonNull(member.storage()), VALUE);
            present(member);
        }
        code.iload(LIMIT).istore(NEXT);
    }

    private void check(MemberPlan member) {
        IntStorage storage = Objects.requireNonNull(member.storage());
        if (storage.bits() < Long.SIZE) {
            pool.push(code, storage);
            code.lload(VALUE)
                    .invokevirtual(ClassDescs.of(IntStorage.class), "holds", MethodTypeDesc.of(CD_boolean, CD_long))
                    .ifeq(unexpected);
        }
        Dictionary names = member.names();
        if (names == null) {
            return;
        }
        if (names.dense()) {
            code.lload(VALUE).loadConstant((long) names.lastCode());
            code.invokestatic(ClassDescs.of(Long.class), "compareUnsigned", MethodTypeDesc.of(CD_int, CD_long, CD_long))
                    .ifgt(unexpected);
        } else {
            pool.push(code, names);
            code.lload(VALUE)
                    .invokestatic(
                            STEPS, "named", MethodTypeDesc.of(CD_boolean, ClassDescs.of(Dictionary.class), CD_long))
                    .ifeq(unexpected);
        }
    }

    /** Writes the code for a boolean, whose value is a bit of the group. */
    void bit(MemberPlan member) {
        place(member.rowAt());
        code.lload(BITS).loadConstant(member.valueBit()).lushr();
        code.l2i().iconst_1().iand().bastore();
        present(member);
    }

    /** Writes the code that writes that an optional group is there. */
    void there(MemberPlan group) {
        place(group.rowAt());
        code.iconst_1().bastore();
    }

    private void present(MemberPlan member) {
        if (member.flagAt() >= 0) {
            place(member.flagAt());
            code.iconst_0().bastore();
        }
    }

    private void place(int offset) {
        code.aload(ROW).iload(ROW_AT).loadConstant(offset).iadd();
    }
}
