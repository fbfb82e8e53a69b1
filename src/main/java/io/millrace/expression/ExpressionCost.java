package io.millrace.expression;

import io.millrace.expression.ir.Ir;
import io.millrace.schema.Field;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a checked expression comes to. Nodes can be shared, by computed fields that are used twice for example, so that
 * a short text may stand for very much code.
 */
final class ExpressionCost {

    private static final long NODES_MAX = 4000;

    private final IdentityHashMap<Ir, Long> sizes = new IdentityHashMap<>();
    private final Set<Field> reads = new LinkedHashSet<>();

    private ExpressionCost() {}

    /** The fields that an expression reads; refuses one that unfolds to too many operations. */
    static List<Field> reads(Ir node, Place place) {
        ExpressionCost weight = new ExpressionCost();
        if (weight.size(node) > NODES_MAX) {
            throw place.error(
                    ErrorCode.TOO_LARGE,
                    "with its computed fields the expression comes to more than " + NODES_MAX + " operations",
                    "split it into several");
        }
        return List.copyOf(weight.reads);
    }

    private long size(Ir node) {
        Long known = sizes.get(node);
        if (known != null) {
            return known;
        }
        if (node instanceof Ir.Load(var field)) {
            reads.add(field);
        }
        long size = 1;
        for (Ir operand : node.operands()) {
            size = Math.min(NODES_MAX + 1, size + size(operand));
        }
        sizes.put(node, size);
        return size;
    }
}
