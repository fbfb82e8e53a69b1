package io.millrace.expression.check;

import io.millrace.expression.check.Operand.Elements;
import io.millrace.expression.check.Operand.Part;
import io.millrace.expression.check.Operand.Single;
import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.ir.Relation;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operator.Comparisons;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares two groups, or elements that are groups: they are equal if both are absent, or if both are there and each
 * member of one equals that of the other, as {@code ==} compares them.
 */
final class GroupEquality {

    private final GroupNames names;
    private final Place place;

    GroupEquality(GroupNames names, Place place) {
        this.names = names;
        this.place = place;
    }

    /** Returns the node of a comparison of two groups, or null if it is none. */
    @Nullable
    Ir compare(Relation relation, Operand left, Operand right) {
        if ((relation != Relation.EQ && relation != Relation.NE)
                || !(left instanceof Part first)
                || !(right instanceof Part second)
                || first.path().isEmpty()
                || second.path().isEmpty()) {
            return null;
        }
        List<Ir> conditions = new ArrayList<>();
        collect(first, second, conditions);
        Ir same = conditions.isEmpty()
                ? Constants.truth(true)
                : conditions.size() == 1 ? conditions.getFirst() : new Ir.And(List.copyOf(conditions));
        return relation == Relation.EQ ? same : new Ir.Not(same);
    }

    private void collect(Part first, Part second, List<Ir> conditions) {
        Ir here = Lists.isPresent(first, names.presence(first));
        Ir there = Lists.isPresent(second, names.presence(second));
        if (!here.equals(Fold.ALL) || !there.equals(Fold.ALL)) {
            conditions.add(Comparisons.compare(Relation.EQ, here, there, place));
        }
        Set<String> members = names.members(first);
        if (!members.equals(names.members(second))) {
            throw unlike(first, second, members);
        }
        for (String name : members) {
            Operand a = names.member(first, name);
            Operand b = names.member(second, name);
            if (a instanceof Single(var left) && b instanceof Single(var right)) {
                conditions.add(Comparisons.compare(Relation.EQ, left, right, place));
            } else if (a instanceof Part left && b instanceof Part right) {
                collect(left, right, conditions);
            } else {
                throw repeated(a instanceof Elements ? first : second, name);
            }
        }
    }

    private ExpressionException unlike(Part first, Part second, Set<String> members) {
        return place.error(
                ErrorCode.TYPE_MISMATCH,
                "the groups " + first.path() + " and " + second.path() + " have different members: "
                        + String.join(", ", members) + "; and " + String.join(", ", names.members(second)),
                "compare the members that both have");
    }

    private ExpressionException repeated(Part group, String name) {
        return place.error(
                ErrorCode.NOT_ALLOWED,
                "groups with a part that repeats can't be compared, such as " + group.member(name),
                "compare the other members one by one");
    }
}
