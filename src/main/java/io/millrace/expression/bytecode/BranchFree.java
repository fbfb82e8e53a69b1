package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.Dictionary;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntConsumer;

/**
 * Writes the code of simple conditions as arithmetic on truth values: each leaves a long, 0 or 1, on the stack. A
 * branch on the data of a feed is one that the processor can't foresee, and a wrong guess costs more than a few
 * comparisons (K. A. Ross, "Selection conditions in main memory", ACM TODS 29:1, 2004).
 *
 * <p>All operands are computed, also those that {@code and} and {@code or} would not ask. That is why only conditions
 * fit that have an answer for all records, but for codes without a name: such a code counts only where the operand
 * would have been asked, which the truth value {@code asked} says.
 */
final class BranchFree {

    /** With more comparisons a wrong guess now and then is cheaper. */
    static final int COMPARISONS_MAX = 6;

    /** Where an operand is always asked. */
    private static final int ALWAYS = -1;

    /** So many codes fit the bits of a word. */
    private static final int WORD_CODES = Long.SIZE;

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;
    private final FieldReads fields;

    BranchFree(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
        this.fields = new FieldReads(record);
    }

    /** How many of some conditions that are asked in order, from the first on, can be computed without branches. */
    static int prefix(List<Ir> conditions) {
        int comparisons = 0;
        for (int i = 0; i < conditions.size(); i++) {
            comparisons += comparisons(conditions.get(i), i == 0);
            if (comparisons > COMPARISONS_MAX) {
                return i;
            }
        }
        return conditions.size();
    }

    /**
     * How many comparisons a condition comes to; more than can be where it needs branches.
     *
     * @param always whether it is asked of each record, so that it may also find that there is no result
     */
    private static int comparisons(Ir node, boolean always) {
        return switch (node) {
            case Ir.Comparison(var ignoredRelation, var left, var right, var ignoredTotal)
            when isOperand(left, always) && isOperand(right, always) -> 1;
            case Ir.Comparison comparison when always && Bound.of(comparison).isPresent() -> 1;
            case Ir.Membership(var value, var members, var ignoredAnswer)
            when isOperand(value, always) && members.getFirst() >= 0 && members.getLast() < WORD_CODES -> 1;
            case Ir.And(var operands) -> sum(operands, always);
            case Ir.Or(var operands) -> sum(operands, always);
            case Ir.Not(var value) -> comparisons(value, always);
            default -> COMPARISONS_MAX + 1;
        };
    }

    private static int sum(List<Ir> operands, boolean always) {
        int sum = 0;
        for (int i = 0; i < operands.size(); i++) {
            sum += comparisons(operands.get(i), always && i == 0);
        }
        return sum;
    }

    private static boolean isOperand(Ir value, boolean always) {
        if (value.optional() || value.type() == Basic.DOUBLE || value.type() == Basic.TEXT) {
            return false;
        }
        return always || value instanceof Ir.Constant || isSimple(value);
    }

    /** Whether there is nothing to a value but to read it, and maybe to look whether a code has a name. */
    private static boolean isSimple(Ir value) {
        if (!(value instanceof Ir.Load(var field))
                || !(field.type() instanceof FieldType.Numbered type)
                || type.storage().unsignedLong()) {
            return false;
        }
        return switch (type) {
            case FieldType.EnumType(var storage, var dictionary) -> dictionary.dense() && !storage.signed();
            case FieldType.BooleanType _ -> false;
            default -> true;
        };
    }

    /** Pushes whether all conditions hold. */
    void all(List<Ir> conditions) {
        every(conditions, ALWAYS);
    }

    /**
     * Pushes the number of the first condition that holds, or -1.
     *
     * @param next is told the number of each condition before its code
     */
    void first(List<Ir> conditions, IntConsumer next) {
        int asked = ALWAYS;
        int found = code.allocateLocal(TypeKind.LONG);
        code.loadConstant(-1L);
        code.lstore(found);
        for (int i = 0; i < conditions.size(); i++) {
            next.accept(i);
            push(conditions.get(i), asked);
            if (asked != ALWAYS) {
                code.lload(asked).land();
            }
            int holds = code.allocateLocal(TypeKind.LONG);
            code.dup2().lstore(holds).loadConstant(i + 1L);
            code.lmul().lload(found).ladd().lstore(found);
            int rest = code.allocateLocal(TypeKind.LONG);
            code.lload(holds);
            not();
            if (asked != ALWAYS) {
                code.lload(asked).land();
            }
            code.lstore(rest);
            asked = rest;
        }
        code.lload(found);
    }

    /** Pushes the answer to a condition that is asked only where the long in a local variable is 1. */
    private void push(Ir condition, int asked) {
        record.count();
        switch (condition) {
            case Ir.Comparison comparison -> comparison(comparison, asked);
            case Ir.Membership membership -> membership(membership, asked);
            case Ir.And(var operands) -> every(operands, asked);
            case Ir.Or(var operands) -> any(operands, asked);
            case Ir.Not(var value) -> {
                push(value, asked);
                not();
            }
            default -> throw new IllegalStateException("needs branches: " + condition);
        }
    }

    private void every(List<Ir> operands, int asked) {
        int all = code.allocateLocal(TypeKind.LONG);
        push(operands.getFirst(), asked);
        for (Ir operand : operands.subList(1, operands.size())) {
            // What is asked no more counts as false, whatever it is: the whole does not count then.
            if (asked != ALWAYS) {
                code.lload(asked).land();
            }
            code.lstore(all);
            push(operand, all);
            code.lload(all).land();
        }
    }

    private void any(List<Ir> operands, int asked) {
        int any = code.allocateLocal(TypeKind.LONG);
        int next = code.allocateLocal(TypeKind.LONG);
        push(operands.getFirst(), asked);
        for (Ir operand : operands.subList(1, operands.size())) {
            code.dup2().lstore(any);
            not();
            if (asked != ALWAYS) {
                code.lload(asked).land();
            }
            code.lstore(next);
            push(operand, next);
            code.lload(any).lor();
        }
    }

    private void not() {
        code.lconst_1().lxor();
    }

    private void comparison(Ir.Comparison node, int asked) {
        Bound.of(node)
                .ifPresentOrElse(this::bound, () -> comparison(node.relation(), node.left(), node.right(), asked));
    }

    /** Pushes whether a double lies in a range. */
    private void bound(Bound bound) {
        int key = code.allocateLocal(TypeKind.LONG);
        values.required(bound.value());
        record.call(Bound.class, "key", CD_long, CD_double);
        code.lstore(key);
        less(key, bound.from());
        not();
        less(key, bound.to());
        code.land();
    }

    private void comparison(Relation relation, Ir left, Ir right, int asked) {
        if (left instanceof Ir.Constant && !(right instanceof Ir.Constant)) {
            comparison(relation.flipped(), right, left, asked);
            return;
        }
        int value = value(left, asked);
        if (right instanceof Ir.Constant(var ignoredType, long constant)) {
            compare(relation, value, constant, isNatural(left));
        } else {
            compare(relation, value, value(right, asked));
        }
    }

    private static boolean isNatural(Ir value) {
        return value instanceof Ir.Load(var field)
                && field.type() instanceof FieldType.Numbered type
                && !type.storage().signed();
    }

    /** The local variable that holds a value, which is computed unless that was done before. */
    private int value(Ir node, int asked) {
        OptionalInt known = record.shared.find(node);
        if (known.isPresent()) {
            return known.getAsInt();
        }
        int local = code.allocateLocal(TypeKind.LONG);
        if (!isSimple(node)) {
            values.required(node);
            code.lstore(local);
            return local;
        }
        Field field = ((Ir.Load) node).field();
        FieldType.Numbered type = (FieldType.Numbered) field.type();
        fields.raw(field, type.storage());
        code.lstore(local);
        boolean total = !(type instanceof FieldType.EnumType(var storage, var dictionary))
                || storage.max() <= dictionary.lastCode();
        if (!total) {
            validate(field, ((FieldType.EnumType) type).dictionary(), local, asked);
        }
        if ((total || asked == ALWAYS) && record.shared.wants(node)) {
            record.shared.add(node, local);
        }
        return local;
    }

    /** Rejects a code without a name, where it is asked for. */
    private void validate(Field field, Dictionary dictionary, int value, int asked) {
        Label valid = code.newLabel();
        code.loadConstant((long) dictionary.lastCode());
        code.lload(value).lsub();
        sign();
        if (asked != ALWAYS) {
            code.lload(asked).land();
        }
        code.lconst_0().lcmp().ifeq(valid).lload(value);
        record.failWithValue("invalid", field.name());
        code.labelBinding(valid);
    }

    /** From a long on the stack: 1 where it is negative. */
    private void sign() {
        code.loadConstant(Long.SIZE - 1);
        code.lushr();
    }

    private void compare(Relation relation, int value, long constant, boolean natural) {
        switch (relation) {
            case EQ, NE -> {
                code.lload(value).loadConstant(constant);
                code.lxor();
                differs(natural && constant >= 0);
                if (relation == Relation.EQ) {
                    not();
                }
            }
            case LT -> less(value, constant);
            case GE -> {
                less(value, constant);
                not();
            }
            case LE, GT -> {
                if (constant == Long.MAX_VALUE) {
                    code.lconst_1();
                } else {
                    less(value, constant + 1);
                }
                if (relation == Relation.GT) {
                    not();
                }
            }
        }
    }

    /** The difference of two numbers on the same side of zero is never past 64 bits. */
    private void less(int value, long constant) {
        code.lload(value).lload(value).loadConstant(constant);
        code.lsub();
        if (constant >= 0) {
            code.lor();
        } else {
            code.land();
        }
        sign();
    }

    private void compare(Relation relation, int left, int right) {
        switch (relation) {
            case EQ, NE -> {
                code.lload(left).lload(right).lxor();
                differs(false);
                if (relation == Relation.EQ) {
                    not();
                }
            }
            case LT -> less(left, right);
            case GT -> less(right, left);
            case GE -> {
                less(left, right);
                not();
            }
            case LE -> {
                less(right, left);
                not();
            }
        }
    }

    /** Any two longs (H. S. Warren, "Hacker's Delight", 2-12). */
    private void less(int left, int right) {
        code.lload(left).lload(right);
        code.loadConstant(-1L);
        code.lxor().land();
        code.lload(left).lload(right).lxor().loadConstant(-1L);
        code.lxor().lload(left).lload(right).lsub().land().lor();
        sign();
    }

    /** From the exclusive or of two numbers on the stack: 1 unless it is zero. */
    private void differs(boolean positive) {
        if (positive) {
            code.lneg();
        } else {
            code.dup2().lneg().lor();
        }
        sign();
    }

    private void membership(Ir.Membership node, int asked) {
        int value = value(node.value(), asked);
        long bits = 0;
        for (long member : node.members()) {
            bits |= 1L << member;
        }
        code.loadConstant(bits);
        code.lload(value).l2i().lushr().lconst_1().land();
        // The shift looks at six bits of the value only.
        code.lload(value).loadConstant((long) WORD_CODES - 1);
        code.loadConstant(-1L);
        code.lxor().land();
        differs(false);
        not();
        code.land();
    }
}
