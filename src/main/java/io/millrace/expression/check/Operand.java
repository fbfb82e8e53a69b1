package io.millrace.expression.check;

import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.expression.operand.Constants;
import io.millrace.expression.operand.Unification;
import java.util.List;
import java.util.stream.Stream;

/** What a part of an expression stands for: only a single value can be computed. Immutable. */
sealed interface Operand {

    /** A value. */
    record Single(Ir ir) implements Operand {}

    /**
     * The record, a group in it, or an element of a repeating part.
     *
     * @param path path that the names of its fields begin with; empty for the record
     * @param picks how the element is chosen in which the group is, the innermost first; empty for the record and for
     *     the element that a fold is at
     */
    record Part(String path, List<Pick> picks) implements Operand {

        static final Part ROOT = new Part("", List.of());

        /** Returns the path of a member. */
        String member(String name) {
            return path.isEmpty() ? name : path + "." + name;
        }
    }

    /**
     * The elements of a repeating part.
     *
     * @param path path of the part, such as {@code legs[]}
     * @param filter which elements
     * @param item what each element is, seen from a fold over the part
     * @param presence whether the group that contains the part is there, seen from the row that contains the group
     * @param picks how the element is chosen in which the part is, the innermost first
     */
    record Elements(String path, Ir filter, Operand item, Ir presence, List<Pick> picks) implements Operand {

        /** Returns the elements for which a condition holds in addition. */
        Elements where(Ir condition) {
            return new Elements(path, and(condition), item, presence, picks);
        }

        private Ir and(Ir condition) {
            if (filter.equals(Fold.ALL)) {
                return condition;
            }
            return new Ir.And(
                    filter instanceof Ir.And(var operands)
                            ? Stream.concat(operands.stream(), Stream.of(condition))
                                    .toList()
                            : List.of(filter, condition));
        }

        /** Returns the same elements as other items. */
        Elements as(Operand other) {
            return new Elements(path, filter, other, presence, picks);
        }

        /** Returns a fold over the elements as a value of the expression; absent if what contains the part is. */
        Ir folded(Ir fold) {
            Ir value = presence.equals(Fold.ALL) ? fold : new Ir.Choice(presence, fold, new Ir.Absent(), fold.type());
            return Pick.of(picks, value);
        }

        /**
         * Returns a fold over the elements as a value of the expression, which is 0 if what contains the part is
         * absent.
         */
        Ir foldedOrZero(Ir fold, Place place) {
            return Unification.fallback(Pick.of(picks, fold), Constants.whole(0), place);
        }

        /** Returns a fold over the elements that is absent without elements, as a value of the expression. */
        Ir foldedOrAbsent(Ir fold) {
            return Pick.of(picks, fold);
        }
    }
}
