package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.FoldKind;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.LongSets;
import io.millrace.expression.runtime.WideMath;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.List;

/** Writes the code of conditions: each jumps to a label for one of its two results, and falls through for the other. */
final class Conditions {

    /** Sets of up to this number of members are tested by one comparison for each. */
    private static final int COMPARED_MAX = 3;

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;
    private final TextConditions texts;
    private final FieldReads fields;
    private final NumberConditions numbers;

    Conditions(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
        this.texts = new TextConditions(record, values.texts());
        this.fields = new FieldReads(record);
        this.numbers = new NumberConditions(record, values, fields);
    }

    /** Jumps if the result of the condition is {@code when}. */
    void jump(Ir node, Label target, boolean when) {
        if (node instanceof Fold && record.shared.uses(node)) {
            values.required(node);
            code.l2i();
            jumpIfTrue(target, when);
        } else {
            decide(node, target, when);
        }
    }

    /** Jumps as {@link #jump} does, and computes the condition even if its result is shared. */
    void decide(Ir node, Label target, boolean when) {
        record.count();
        switch (node) {
            case Ir.Comparison comparison -> numbers.compare(comparison, target, when);
            case Ir.ScaledComparison comparison -> numbers.compare(comparison, target, when);
            case Ir.MixedComparison comparison -> numbers.compare(comparison, target, when);
            case Ir.Membership membership -> membership(membership, target, when);
            case TextNode.SameText same -> texts.same(same, target, when);
            case TextNode.TextMembership membership -> texts.in(membership, target, when);
            case TextNode.TextOrder order -> {
                texts.compare(order);
                numbers.jumpBy(when ? order.relation() : order.relation().negated(), target);
            }
            case TextNode.TextAnswer answer -> texts.answer(answer, target, when);
            case TextNode.TextMatch match -> texts.matches(match, target, when);
            case TextNode.EmptyText(var value) -> texts.empty(value, target, when);
            case Ir.IsAbsent(var value) -> absent(value, target, when);
            case Fold fold when fold.kind() == FoldKind.ANY -> values.folds().any(fold, target, when);
            case Ir.And(var operands) -> all(operands, target, when, false);
            case Ir.Or(var operands) -> all(operands, target, when, true);
            case Ir.Not(var value) -> jump(value, target, !when);
            case Ir.Constant(var ignoredType, long raw) -> {
                if ((raw != 0) == when) {
                    code.goto_(target);
                }
            }
            case Ir.Choice(var condition, var ifTrue, var ifFalse, var ignoredType) -> {
                Label otherwise = code.newLabel();
                Label done = code.newLabel();
                jump(condition, otherwise, false);
                int mark = record.shared.mark();
                jump(ifTrue, target, when);
                record.shared.release(mark);
                code.goto_(done).labelBinding(otherwise);
                jump(ifFalse, target, when);
                record.shared.release(mark);
                code.labelBinding(done);
            }
            default -> {
                values.required(node);
                code.l2i();
                jumpIfTrue(target, when);
            }
        }
    }

    /**
     * Evaluates operands of {@code and} or {@code or}: the result {@code decisive} of one operand decides the whole.
     */
    private void all(List<Ir> operands, Label target, boolean when, boolean decisive) {
        Label decided = code.newLabel();
        Label first = when == decisive ? target : decided;
        int mark = -1;
        for (Ir operand : operands.subList(0, operands.size() - 1)) {
            jump(operand, first, decisive);
            // Only the first operand is always evaluated.
            mark = mark < 0 ? record.shared.mark() : mark;
        }
        jump(operands.getLast(), target, when);
        if (mark >= 0) {
            record.shared.release(mark);
        }
        code.labelBinding(decided);
    }

    private void jumpIfTrue(Label target, boolean when) {
        if (when) {
            code.ifne(target);
        } else {
            code.ifeq(target);
        }
    }

    private void absent(Ir value, Label target, boolean when) {
        if (value.type() == Basic.TEXT) {
            texts.absent(value, target, when);
            return;
        }
        Label absent = code.newLabel();
        Label done = code.newLabel();
        if (value instanceof Ir.Load load && load.isUnsignedLong()) {
            fields.bits(load.field(), absent);
        } else {
            values.value(value, absent);
        }
        if (value.type() == Basic.ABSENT) {
            // Code here is unreachable, and the stack has no value.
            code.goto_(absent);
        } else {
            values.pop(value);
            code.goto_(when ? done : target);
        }
        code.labelBinding(absent);
        if (when) {
            code.goto_(target);
        }
        code.labelBinding(done);
    }

    private void membership(Ir.Membership node, Label target, boolean when) {
        Label absent = code.newLabel();
        Label done = code.newLabel();
        values.value(node.value(), absent);
        if (node.value().type().isWide()) {
            requireLong(when ? done : target);
        }
        List<Long> members = node.members();
        boolean small = members.getFirst() >= 0 && members.getLast() < LongSets.BIT_LIMIT;
        if (members.size() <= COMPARED_MAX) {
            compareEach(members, target, when);
        } else if (small) {
            record.pool.push(code, LongSets.bits(members));
            record.call(LongSets.class, "testBit", CD_boolean, CD_long, RecordCode.LONGS);
            jumpIfTrue(target, when);
        } else {
            record.pool.push(code, members.stream().mapToLong(Long::longValue).toArray());
            record.call(LongSets.class, "contains", CD_boolean, CD_long, RecordCode.LONGS);
            jumpIfTrue(target, when);
        }
        if (node.value().optional()) {
            code.goto_(done).labelBinding(absent);
            if (node.ifAbsent() == when) {
                code.goto_(target);
            }
        } else {
            code.labelBinding(absent);
        }
        code.labelBinding(done);
    }

    /** Replaces a wide value on the stack by its lower half, or jumps if it does not fit one long. */
    private void requireLong(Label past) {
        int high = code.allocateLocal(TypeKind.LONG);
        int low = code.allocateLocal(TypeKind.LONG);
        code.lstore(high).lstore(low).lload(low).lload(high);
        record.call(WideMath.class, "isLong", CD_boolean, CD_long, CD_long);
        code.ifeq(past).lload(low);
    }

    private void compareEach(List<Long> members, Label target, boolean when) {
        int value = code.allocateLocal(TypeKind.LONG);
        code.lstore(value);
        Label done = code.newLabel();
        for (long member : members.subList(0, members.size() - 1)) {
            code.lload(value).loadConstant(member);
            code.lcmp().ifeq(when ? target : done);
        }
        code.lload(value).loadConstant(members.getLast());
        code.lcmp();
        jumpIfTrue(target, !when);
        code.labelBinding(done);
    }
}
