package io.millrace.expression.check;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.Place;
import io.millrace.expression.ir.Fold;
import io.millrace.expression.ir.Ir;
import io.millrace.schema.Field;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts the operations of a checked expression. Nodes can be shared, for example by computed fields that are used
 * twice, so a short text can unfold to a large amount of code.
 */
public final class ExpressionCost {

    private static final long NODES_MAX = 20_000;

    private final IdentityHashMap<Ir, Long> sizes = new IdentityHashMap<>();
    private final Set<Field> reads = new LinkedHashSet<>();
    private final Set<String> groups = new LinkedHashSet<>();

    private ExpressionCost() {}

    /**
     * What an expression reads.
     *
     * @param fields fields of records and of elements
     * @param groups paths of the repeating parts whose elements are counted or read
     */
    public record Reads(List<Field> fields, List<String> groups) {}

    /** Returns what an expression reads; refuses an expression that unfolds to too many operations. */
    public static Reads reads(Ir node, Place place) {
        ExpressionCost cost = new ExpressionCost();
        if (cost.size(node) > NODES_MAX) {
            throw place.error(
                    ErrorCode.TOO_LARGE,
                    "with its computed fields the expression has more than " + NODES_MAX + " operations",
                    "split it into several");
        }
        return new Reads(List.copyOf(cost.reads), List.copyOf(cost.groups));
    }

    private long size(Ir node) {
        Long known = sizes.get(node);
        if (known != null) {
            return known;
        }
        if (node instanceof Ir.Load(var field)) {
            reads.add(field);
        } else if (node instanceof Fold fold) {
            groups.add(fold.path());
        }
        long size = 1;
        for (Ir operand : node.operands()) {
            size = Math.min(NODES_MAX + 1, size + size(operand));
        }
        sizes.put(node, size);
        return size;
    }
}
