package io.millrace.expression.check;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Ir;
import io.millrace.schema.VirtualField;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The computed fields that an expression uses: each is checked once and must not need itself. Not thread-safe. */
final class CheckedFields {

    private final Map<String, Ir> checked = new HashMap<>();
    private final Set<String> inProgress = new HashSet<>();

    /**
     * Returns the node of a field.
     *
     * @param check checks the field's expression
     */
    Ir node(VirtualField field, Place place, Supplier<Ir> check) {
        Ir known = checked.get(field.name());
        if (known != null) {
            return known;
        }
        if (!inProgress.add(field.name())) {
            throw place.error(
                    ErrorCode.RECURSION,
                    "computed field '" + field.name() + "' needs itself",
                    "its expression may only use fields that do not use it");
        }
        Ir node = check.get();
        // Before other expressions use it: text comparisons would unfold shared nodes.
        ExpressionCost.reads(node, new Place(field.expression(), 0));
        inProgress.remove(field.name());
        checked.put(field.name(), node);
        return node;
    }
}
