package io.millrace.expression.operator;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.ir.TextNode;
import io.millrace.expression.operand.ConstantComparisons;
import io.millrace.expression.operand.Constants;
import java.util.List;
import java.util.TreeSet;

/** The types of {@code between} and {@code contains}. */
public final class ListOperators {

    /** Up to this number of texts, the bytes of a field are compared with one text after the other. */
    private static final int TEXTS_COMPARED_MAX = 4;

    private ListOperators() {}

    public static Ir between(Ir value, List<Ir> bounds, Place place) {
        if (bounds.size() != 2) {
            throw place.error(
                    ErrorCode.TYPE_MISMATCH,
                    "'between' needs a list of two values, not of " + bounds.size(),
                    "write: field between {1, 5}");
        }
        return new Ir.And(List.of(
                Comparisons.compare(Relation.GE, value, bounds.getFirst(), true, place),
                Comparisons.compare(Relation.LE, value, bounds.getLast(), true, place)));
    }

    /** Returns whether the value equals any element of the list, as {@code ==} compares. */
    public static Ir contains(List<Ir> list, Ir value, Place place) {
        if (list.isEmpty()) {
            throw place.error(ErrorCode.TYPE_MISMATCH, "the list is empty", "");
        }
        List<Ir> answers = list.stream()
                .map(element -> Comparisons.compare(Relation.EQ, value, element, place))
                .filter(answer -> !answer.equals(Constants.truth(false)))
                .distinct()
                .toList();
        if (answers.isEmpty()) {
            return Constants.truth(false);
        }
        if (answers.size() == 1) {
            return answers.getFirst();
        }
        if (answers.stream().allMatch(answer -> isMember(answer, value))) {
            TreeSet<Long> members = new TreeSet<>();
            answers.forEach(answer -> {
                Ir.Comparison comparison = (Ir.Comparison) answer;
                if (comparison.relation() == Relation.EQ) {
                    members.add(((Ir.Constant) comparison.right()).raw());
                }
            });
            return new Ir.Membership(value, List.copyOf(members), false);
        }
        boolean inPlace = value instanceof Ir.Load && answers.size() <= TEXTS_COMPARED_MAX;
        if (!inPlace && answers.stream().allMatch(answer -> isSameText(answer, value))) {
            return new TextNode.TextMembership(
                    value,
                    answers.stream()
                            .map(answer -> ((Ir.Text) ((TextNode.SameText) answer).right()).value())
                            .toList());
        }
        return new Ir.Or(answers);
    }

    /** Returns whether a comparison tests the value for a constant, or never holds as the constant is out of range. */
    private static boolean isMember(Ir answer, Ir value) {
        return answer.equals(ConstantComparisons.never(value))
                || (answer instanceof Ir.Comparison(var relation, var left, var right, var ignoredTotal)
                        && relation == Relation.EQ
                        && left.equals(value)
                        && right instanceof Ir.Constant);
    }

    /** Returns whether a comparison tests the value, which is a text then, for a constant. */
    private static boolean isSameText(Ir answer, Ir value) {
        return answer instanceof TextNode.SameText(var left, var right)
                && left.equals(value)
                && right instanceof Ir.Text;
    }
}
