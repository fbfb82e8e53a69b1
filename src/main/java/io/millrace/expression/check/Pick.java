package io.millrace.expression.check;

import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.FoldKind;
import io.millrace.expression.ir.Ir;
import java.util.List;

/**
 * The choice of one element of a repeating part, such as {@code legs.^[rate > 1]}. Immutable.
 *
 * @param kind one that {@linkplain FoldKind#picks() picks}
 * @param path path of the part, such as {@code legs[]}
 * @param index the number of elements before the chosen one that pass the filter, for {@link FoldKind#AT}
 * @param filter which elements can be chosen
 */
record Pick(FoldKind kind, String path, int index, Ir filter) {

    /** Returns a value that is computed from the chosen element; absent if there is no such element. */
    private Ir of(Ir value) {
        return value instanceof Ir.Absent ? value : new Fold(kind, path, index, filter, value, value.type());
    }

    /**
     * Returns a value that is computed from an element that several choices lead to.
     *
     * @param picks the innermost first
     */
    static Ir of(List<Pick> picks, Ir value) {
        Ir picked = value;
        for (Pick pick : picks) {
            picked = pick.of(picked);
        }
        return picked;
    }
}
