package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.NumberNode;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.expression.runtime.DecimalMath;
import io.millrace.expression.runtime.WideMath;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.List;

/**
 * Writes the code of comparisons of two longs, decimals or doubles: each jumps to a label for one of its two results,
 * and falls through for the other. An absent value equals another and precedes all others.
 */
final class NumberConditions {

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;
    private final FieldReads fields;

    NumberConditions(RecordCode record, Emitter values, FieldReads fields) {
        this.record = record;
        this.code = record.code;
        this.values = values;
        this.fields = fields;
    }

    /** Jumps if a comparison has the result {@code when}. */
    void compare(Ir.Comparison node, Label target, boolean when) {
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
        if (!record.isNarrow() && WideValues.isOfProduct(node) && !record.shared.uses(node.left())) {
            record.addShortForm();
            NumberNode.Arithmetic product = (NumberNode.Arithmetic) node.left();
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

    /** Jumps if a comparison of values in different units has the result {@code when}. */
    void compare(Ir.ScaledComparison node, Label target, boolean when) {
        boolean wide = node.left().type().isWide() || node.right().type().isWide();
        shortOrdered(
                node.relation(), node.left(), node.right(), target, when, () -> compareScaled(node.factor()), () -> {
                    if (wide) {
                        compareScaledWide(node.factor());
                    } else {
                        compareScaled(node.factor());
                    }
                });
    }

    /** Jumps if a comparison of a decimal with a double has the result {@code when}. */
    void compare(Ir.MixedComparison node, Label target, boolean when) {
        Ir decimal = node.decimal();
        ShortForm shortForm = values.shortForm();
        if (shortForm.exists(decimal) && !node.real().optional()) {
            shortForm.either(
                    List.of(decimal),
                    () -> {
                        values.required(node.real());
                        record.pushInt(decimal.type().scaleOfExact());
                        record.call(DecimalMath.class, "compareMixed", CD_int, CD_long, CD_double, CD_int);
                        jumpBy(when ? node.relation() : node.relation().negated(), target);
                    },
                    () -> mixed(node, target, when));
        } else {
            mixed(node, target, when);
        }
    }

    private void mixed(Ir.MixedComparison node, Label target, boolean when) {
        Ir decimal = node.decimal();
        ordered(node.relation(), decimal, node.real(), target, when, () -> {
            record.pushInt(decimal.type().scaleOfExact());
            if (decimal.type().isWide()) {
                record.call(WideMath.class, "compareMixed", CD_int, CD_long, CD_long, CD_double, CD_int);
            } else {
                record.call(DecimalMath.class, "compareMixed", CD_int, CD_long, CD_double, CD_int);
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
        ShortForm shortForm = values.shortForm();
        if (left.optional() || right.optional() || (!shortForm.exists(left) && !shortForm.exists(right))) {
            ordered(relation, left, right, target, when, compare);
            return;
        }
        shortForm.either(
                List.of(left, right),
                () -> {
                    compareLongs.run();
                    jumpBy(when ? relation : relation.negated(), target);
                },
                () -> ordered(relation, left, right, target, when, compare));
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

    /** Jumps if an int on the stack has a relation to zero. */
    void jumpBy(Relation relation, Label target) {
        switch (relation) {
            case EQ -> code.ifeq(target);
            case NE -> code.ifne(target);
            case LT -> code.iflt(target);
            case LE -> code.ifle(target);
            case GT -> code.ifgt(target);
            case GE -> code.ifge(target);
        }
    }
}
