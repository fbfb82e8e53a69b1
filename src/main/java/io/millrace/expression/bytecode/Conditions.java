package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.FoldKind;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
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

    Conditions(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
        this.texts = new TextConditions(record, values.texts());
        this.fields = new FieldReads(record);
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
            case Ir.Comparison comparison -> comparison(comparison, target, when);
            case Ir.ScaledComparison(var relation, var left, long factor, var right) ->
                shortOrdered(relation, left, right, target, when, () -> compareScaled(factor), () -> {
                    if (left.type().isWide() || right.type().isWide()) {
                        compareScaledWide(factor);
                    } else {
                        compareScaled(factor);
                    }
                });
            case Ir.MixedComparison(var relation, var decimal, var real) ->
                ordered(relation, decimal, real, target, when, () -> {
                    record.pushInt(decimal.type().scaleOfExact());
                    if (decimal.type().isWide()) {
                        record.call(WideMath.class, "compareMixed", CD_int, CD_long, CD_long, CD_double, CD_int);
                    } else {
                        record.call(DecimalMath.class, "compareMixed", CD_int, CD_long, CD_double, CD_int);
                    }
                });
            case Ir.Membership membership -> membership(membership, target, when);
            case TextNode.SameText same -> texts.same(same, target, when);
            case TextNode.TextMembership membership -> texts.in(membership, target, when);
            case TextNode.TextOrder order -> {
                texts.compare(order);
                jumpBy(when ? order.relation() : order.relation().negated(), target);
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

    private void comparison(Ir.Comparison node, Label target, boolean when) {
        Relation relation = node.relation();
        if ((relation == Relation.EQ || relation == Relation.NE)
                && node.left() instanceof Ir.Load(var field)
                && field.type() instanceof FieldType.EnumType type
                && node.right() instanceof Ir.Constant(var ignoredType, long code)
                && !field.optional()
                && !record.shared.uses(node.left())) {
            code(field, type, code, target, (relation == Relation.EQ) == when);
            return;
        }
        if (WideValues.isOfProduct(node) && !record.shared.uses(node.left())) {
            Ir.Arithmetic product = (Ir.Arithmetic) node.left();
            values.required(product.left());
            values.required(product.right());
            values.required(node.right());
            record.call(WideMath.class, "compareProduct", CD_int, CD_long, CD_long, CD_long);
            jumpBy(when ? relation : relation.negated(), target);
            return;
        }
        shortOrdered(relation, node.left(), node.right(), target, when, code::lcmp, () -> {
            if (node.left().type().isWide() || node.right().type().isWide()) {
                record.call(WideMath.class, "compare", CD_int, CD_long, CD_long, CD_long, CD_long);
            } else if (node.left().type() != Basic.DOUBLE) {
                code.lcmp();
            } else if (node.total()) {
                record.call(Double.class, "compare", CD_int, CD_double, CD_double);
            } else if (relation == Relation.LT || relation == Relation.LE) {
                code.dcmpg();
            } else {
                // NaN then compares as less than everything, so neither greater nor equal.
                code.dcmpl();
            }
        });
    }

    /**
     * Jumps if a field contains a code or, with {@code when} false, if it does not. A match needs no check of the code.
     */
    private void code(Field field, FieldType.EnumType type, long constant, Label target, boolean when) {
        Label same = code.newLabel();
        Label done = code.newLabel();
        fields.raw(field, type.storage());
        code.dup2().loadConstant(constant);
        code.lcmp().ifeq(same);
        fields.validate(field, type);
        code.pop2().goto_(when ? done : target);
        code.labelBinding(same).pop2();
        if (when) {
            code.goto_(target);
        }
        code.labelBinding(done);
    }

    /**
     * Jumps by the order of two values, which are compared in 64 bits if all steps fit them.
     *
     * @param compareLongs replaces two longs on the stack by an int below, at or above zero
     * @param compare does so with two values
     */
    private void shortOrdered(
            Relation relation, Ir left, Ir right, Label target, boolean when, Runnable compareLongs, Runnable compare) {
        WideValues wide = values.wide();
        if (left.optional() || right.optional() || (!wide.hasShortForm(left) && !wide.hasShortForm(right))) {
            ordered(relation, left, right, target, when, compare);
            return;
        }
        Label past = code.newLabel();
        Label done = code.newLabel();
        wide.operands(left);
        wide.operands(right);
        int first = wide.shortForm(left, past);
        int second = wide.shortForm(right, past);
        code.lload(first).lload(second);
        compareLongs.run();
        jumpBy(when ? relation : relation.negated(), target);
        code.goto_(done).labelBinding(past);
        int mark = record.shared.mark();
        ordered(relation, left, right, target, when, compare);
        record.shared.release(mark);
        code.labelBinding(done);
    }

    /**
     * Jumps by the order of two values.
     *
     * @param compare replaces the two values on the stack by an int below, at or above zero; if one of two decimals is
     *     wide, both are
     */
    private void ordered(Relation relation, Ir left, Ir right, Label target, boolean when, Runnable compare) {
        boolean wide = (left.type().isWide() || right.type().isWide())
                && left.type() != Basic.DOUBLE
                && right.type() != Basic.DOUBLE;
        if (!left.optional() && !right.optional()) {
            values.required(left);
            widen(left, wide);
            values.required(right);
            widen(right, wide);
            compare.run();
        } else {
            Saved first = save(left);
            Saved second = save(right);
            Label bothPresent = code.newLabel();
            Label compared = code.newLabel();
            code.iload(first.absent).iload(second.absent).ior().ifeq(bothPresent);
            code.iload(second.absent).iload(first.absent).isub().goto_(compared);
            code.labelBinding(bothPresent);
            values.load(left, first.value);
            widen(left, wide);
            values.load(right, second.value);
            widen(right, wide);
            compare.run();
            code.labelBinding(compared);
        }
        jumpBy(when ? relation : relation.negated(), target);
    }

    /** Compares two values on the stack, of which the first has larger units. */
    private void compareScaled(long factor) {
        // left right -> left factor right
        int rightValue = code.allocateLocal(TypeKind.LONG);
        code.lstore(rightValue).loadConstant(factor);
        code.lload(rightValue);
        record.call(DecimalMath.class, "compareScaled", CD_int, CD_long, CD_long, CD_long);
    }

    /** Compares two wide values on the stack, of which the first has larger units. */
    private void compareScaledWide(long factor) {
        int high = code.allocateLocal(TypeKind.LONG);
        int low = code.allocateLocal(TypeKind.LONG);
        code.lstore(high).lstore(low).loadConstant(factor);
        code.lload(low).lload(high);
        record.call(WideMath.class, "compareScaled", CD_int, CD_long, CD_long, CD_long, CD_long, CD_long);
    }

    private void widen(Ir value, boolean wide) {
        if (wide) {
            values.wide().widen(value);
        }
    }

    /** Local variables of a value and of an int that is 1 if it is absent. */
    private record Saved(int value, int absent) {}

    private Saved save(Ir node) {
        Saved saved = new Saved(values.allocate(node), code.allocateLocal(TypeKind.INT));
        Label absent = code.newLabel();
        Label done = code.newLabel();
        values.value(node, absent);
        values.store(node, saved.value);
        code.iconst_0().istore(saved.absent);
        if (node.optional()) {
            code.goto_(done).labelBinding(absent);
            if (node.type() == Basic.DOUBLE) {
                code.dconst_0();
            } else {
                code.lconst_0();
            }
            if (node.type().isWide()) {
                code.lconst_0();
            }
            values.store(node, saved.value);
            code.iconst_1().istore(saved.absent);
        } else {
            code.labelBinding(absent);
        }
        code.labelBinding(done);
        return saved;
    }

    private void jumpBy(Relation relation, Label target) {
        switch (relation) {
            case EQ -> code.ifeq(target);
            case NE -> code.ifne(target);
            case LT -> code.iflt(target);
            case LE -> code.ifle(target);
            case GT -> code.ifgt(target);
            case GE -> code.ifge(target);
        }
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
