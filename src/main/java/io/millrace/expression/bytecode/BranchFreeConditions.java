package io.millrace.expression.bytecode;

import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.ValueType.Basic;
import io.millrace.schema.FieldType;
import java.util.List;

/**
 * Decides which conditions {@link BranchFree} can compute: those of few comparisons whose operands have a result for
 * every record.
 */
final class BranchFreeConditions {

    /** With more comparisons, an occasional misprediction costs less. */
    static final int COMPARISONS_MAX = 6;

    /** Codes below this number fit the bits of a word. */
    static final int WORD_CODES = Long.SIZE;

    private BranchFreeConditions() {}

    /**
     * Returns the number of leading conditions, of some that are evaluated in order, that can be computed without
     * branches.
     */
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
     * Returns the number of comparisons of a condition; more than the maximum if it needs branches.
     *
     * @param always whether it is evaluated for each record, so that it may reject the record
     */
    private static int comparisons(Ir node, boolean always) {
        return switch (node) {
            case Ir.Comparison comparison when hasFold(comparison) -> COMPARISONS_MAX + 1;
            case Ir.Membership membership when hasFold(membership) -> COMPARISONS_MAX + 1;
            case Ir.Comparison(var ignoredRelation, var left, var right, var ignoredTotal)
            when always && isWide(left, right) -> 1;
            case Ir.Comparison(var ignoredRelation, var left, var right, var ignoredTotal)
            when isOperand(left, always) && isOperand(right, always) -> 1;
            case Ir.Comparison comparison when always && Bound.of(comparison).isPresent() -> 1;
            case Ir.Membership(var value, var members, var ignoredAnswer)
            when isOperand(value, always) && members.getFirst() >= 0 && members.getLast() < WORD_CODES -> 1;
            case Ir.Load load when load.type() == Basic.BOOLEAN && isOperand(load, always) -> 1;
            case Ir.And(var operands) -> sum(operands, always);
            case Ir.Or(var operands) -> sum(operands, always);
            case Ir.Not(var value) -> comparisons(value, always);
            default -> COMPARISONS_MAX + 1;
        };
    }

    /** Returns whether a value needs a loop, which has branches. */
    private static boolean hasFold(Ir node) {
        return node instanceof Fold || node.operands().stream().anyMatch(BranchFreeConditions::hasFold);
    }

    private static int sum(List<Ir> operands, boolean always) {
        int sum = 0;
        for (int i = 0; i < operands.size(); i++) {
            sum += comparisons(operands.get(i), always && i == 0);
        }
        return sum;
    }

    /** Returns whether two decimals that are never absent are compared in two longs each. */
    static boolean isWide(Ir left, Ir right) {
        return (left.type().isWide() || right.type().isWide()) && !left.optional() && !right.optional();
    }

    private static boolean isOperand(Ir value, boolean always) {
        if (value.optional() || value.type().isWide() || value.type() == Basic.DOUBLE || value.type() == Basic.TEXT) {
            return false;
        }
        return always || value instanceof Ir.Constant || isSimple(value);
    }

    /** Returns whether a value only has to be read and, at most, its code checked against the dictionary. */
    static boolean isSimple(Ir value) {
        if (!(value instanceof Ir.Load(var field))
                || !(field.type() instanceof FieldType.Numbered type)
                || type.storage().unsignedLong()) {
            return false;
        }
        return switch (type) {
            case FieldType.EnumType(var storage, var dictionary) -> dictionary.dense() && !storage.signed();
            case FieldType.BooleanType(var storage) -> !storage.signed();
            default -> true;
        };
    }
}
