package io.millrace.expression.bytecode;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_long;

import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.runtime.WideMath;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntConsumer;

/**
 * Writes the code of simple conditions as arithmetic on booleans: each leaves a long, 0 or 1, on the stack. The
 * processor cannot predict branches that depend on the data of a feed, and a misprediction costs more than a few
 * comparisons (K. A. Ross, "Selection conditions in main memory", ACM TODS 29:1, 2004).
 *
 * <p>All operands are computed, including those that {@code and} and {@code or} would skip. So only conditions that
 * have a result for every record are allowed. The exceptions are a code that its dictionary does not contain, and a
 * boolean other than 0 and 1: they reject the record only if the operand would not have been skipped, which is the case
 * if the local variable {@code needed} is 1.
 */
final class BranchFree {

    /** For an operand that is evaluated for every record. */
    private static final int ALWAYS = -1;

    private final RecordCode record;
    private final CodeBuilder code;
    private final Emitter values;
    private final FieldReads fields;
    private final BranchFreeLongs longs;

    BranchFree(RecordCode record, Emitter values) {
        this.record = record;
        this.code = record.code;
        this.values = values;
        this.fields = new FieldReads(record);
        this.longs = new BranchFreeLongs(record.code);
    }

    /** Pushes whether all conditions hold. */
    void all(List<Ir> conditions) {
        every(conditions, ALWAYS);
    }

    /**
     * Pushes the index of the first condition that holds, or -1.
     *
     * @param next receives the index of each condition before its code is written
     */
    void first(List<Ir> conditions, IntConsumer next) {
        int needed = ALWAYS;
        int result = code.allocateLocal(TypeKind.LONG);
        code.loadConstant(-1L);
        code.lstore(result);
        for (int i = 0; i < conditions.size(); i++) {
            next.accept(i);
            push(conditions.get(i), needed);
            if (needed != ALWAYS) {
                code.lload(needed).land();
            }
            int holds = code.allocateLocal(TypeKind.LONG);
            code.dup2().lstore(holds).loadConstant(i + 1L);
            code.lmul().lload(result).ladd().lstore(result);
            int rest = code.allocateLocal(TypeKind.LONG);
            code.lload(holds);
            longs.not();
            if (needed != ALWAYS) {
                code.lload(needed).land();
            }
            code.lstore(rest);
            needed = rest;
        }
        code.lload(result);
    }

    /** Pushes the result of a condition that is needed only if the long in a local variable is 1. */
    private void push(Ir condition, int needed) {
        record.count();
        switch (condition) {
            case Ir.Comparison comparison -> comparison(comparison, needed);
            case Ir.Membership membership -> membership(membership, needed);
            case Ir.Load load -> {
                code.lload(value(load, needed));
                // A boolean that is not needed can be invalid. With its other bits, the whole would not be 0 or 1.
                code.lconst_1().land();
            }
            case Ir.And(var operands) -> every(operands, needed);
            case Ir.Or(var operands) -> any(operands, needed);
            case Ir.Not(var value) -> {
                push(value, needed);
                longs.not();
            }
            default -> throw new IllegalStateException("needs branches: " + condition);
        }
    }

    private void every(List<Ir> operands, int needed) {
        int all = code.allocateLocal(TypeKind.LONG);
        push(operands.getFirst(), needed);
        for (Ir operand : operands.subList(1, operands.size())) {
            // If the whole is not needed, neither are its other operands; its result is ignored then.
            if (needed != ALWAYS) {
                code.lload(needed).land();
            }
            code.lstore(all);
            push(operand, all);
            code.lload(all).land();
        }
    }

    private void any(List<Ir> operands, int needed) {
        int any = code.allocateLocal(TypeKind.LONG);
        int next = code.allocateLocal(TypeKind.LONG);
        push(operands.getFirst(), needed);
        for (Ir operand : operands.subList(1, operands.size())) {
            code.dup2().lstore(any);
            longs.not();
            if (needed != ALWAYS) {
                code.lload(needed).land();
            }
            code.lstore(next);
            push(operand, next);
            code.lload(any).lor();
        }
    }

    private void comparison(Ir.Comparison node, int needed) {
        if (BranchFreeConditions.isWide(node.left(), node.right())) {
            wide(node.relation(), node.left(), node.right());
            return;
        }
        Bound.of(node)
                .ifPresentOrElse(this::bound, () -> comparison(node.relation(), node.left(), node.right(), needed));
    }

    private void wide(Relation relation, Ir left, Ir right) {
        ShortForm shortForm = values.shortForm();
        if (!shortForm.exists(left) && !shortForm.exists(right)) {
            halves(relation, left, right);
            return;
        }
        int result = code.allocateLocal(TypeKind.LONG);
        boolean constant = right instanceof Ir.Constant;
        shortForm.either(
                constant ? List.of(left) : List.of(left, right),
                () -> {
                    int second = constant ? -1 : storeLong();
                    int first = storeLong();
                    if (right instanceof Ir.Constant(var ignoredType, long raw)) {
                        longs.compare(relation, first, raw, false);
                    } else {
                        longs.compare(relation, first, second);
                    }
                    code.lstore(result);
                },
                () -> {
                    halves(relation, left, right);
                    code.lstore(result);
                });
        code.lload(result);
    }

    private int storeLong() {
        int local = code.allocateLocal(TypeKind.LONG);
        code.lstore(local);
        return local;
    }

    private void halves(Relation relation, Ir left, Ir right) {
        boolean flipped = relation == Relation.GT || relation == Relation.LE;
        values.wide().required(flipped ? right : left);
        values.wide().required(flipped ? left : right);
        boolean same = relation == Relation.EQ || relation == Relation.NE;
        record.call(WideMath.class, same ? "same" : "less", CD_long, CD_long, CD_long, CD_long, CD_long);
        if (relation == Relation.NE || relation == Relation.GE || relation == Relation.LE) {
            longs.not();
        }
    }

    /** Pushes whether a double is in a range. */
    private void bound(Bound bound) {
        int key = code.allocateLocal(TypeKind.LONG);
        values.required(bound.value());
        record.call(Bound.class, "key", CD_long, CD_double);
        code.lstore(key);
        longs.less(key, bound.from());
        longs.not();
        longs.less(key, bound.to());
        code.land();
    }

    private void comparison(Relation relation, Ir left, Ir right, int needed) {
        if (left instanceof Ir.Constant && !(right instanceof Ir.Constant)) {
            comparison(relation.flipped(), right, left, needed);
            return;
        }
        int value = value(left, needed);
        if (right instanceof Ir.Constant(var ignoredType, long constant)) {
            longs.compare(relation, value, constant, isNonNegative(left));
        } else {
            longs.compare(relation, value, value(right, needed));
        }
    }

    private static boolean isNonNegative(Ir value) {
        return value instanceof Ir.Load(var field)
                && field.type() instanceof FieldType.Numbered type
                && !type.storage().signed();
    }

    /** Returns the local variable of a value, and computes the value unless that was done before. */
    private int value(Ir node, int needed) {
        OptionalInt known = record.shared.find(node);
        if (known.isPresent()) {
            return known.getAsInt();
        }
        int local = code.allocateLocal(TypeKind.LONG);
        if (!BranchFreeConditions.isSimple(node)) {
            values.required(node);
            code.lstore(local);
            return local;
        }
        Field field = ((Ir.Load) node).field();
        FieldType.Numbered type = (FieldType.Numbered) field.type();
        fields.raw(field, type.storage());
        code.lstore(local);
        long last = switch (type) {
            case FieldType.EnumType(var ignoredStorage, var dictionary) -> dictionary.lastCode();
            case FieldType.BooleanType _ -> 1;
            default -> Long.MAX_VALUE;
        };
        boolean total = type.storage().max() <= last;
        if (!total) {
            validate(field, last, local, needed);
        }
        if ((total || needed == ALWAYS) && record.shared.wants(node)) {
            record.shared.add(node, local);
        }
        return local;
    }

    /** Rejects a code or boolean that is greater than the last valid one, if the operand is needed. */
    private void validate(Field field, long last, int value, int needed) {
        Label valid = code.newLabel();
        code.loadConstant(last);
        code.lload(value).lsub();
        longs.sign();
        if (needed != ALWAYS) {
            code.lload(needed).land();
        }
        code.lconst_0().lcmp().ifeq(valid).lload(value);
        record.failWithValue("invalid", field.name());
        code.labelBinding(valid);
    }

    private void membership(Ir.Membership node, int needed) {
        int value = value(node.value(), needed);
        long bits = 0;
        for (long member : node.members()) {
            bits |= 1L << member;
        }
        code.loadConstant(bits);
        code.lload(value).l2i().lushr().lconst_1().land();
        // The shift uses only the lower six bits of the value.
        code.lload(value).loadConstant((long) BranchFreeConditions.WORD_CODES - 1);
        code.loadConstant(-1L);
        code.lxor().land();
        longs.differs(false);
        longs.not();
        code.land();
    }
}
