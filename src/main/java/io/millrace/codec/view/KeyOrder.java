package io.millrace.codec.view;

import io.millrace.codec.view.Shape.ValueMember;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders views by the values of key fields. Absent values come first. Thread-safe.
 *
 * @param members key fields, the most significant first
 */
record KeyOrder(List<ValueMember> members) implements Comparator<BinaryView> {

    @Override
    public int compare(BinaryView one, BinaryView other) {
        Part left = Part.of(one);
        Part right = Part.of(other);
        for (ValueMember member : members) {
            int order = compareValues(left.value(member), right.value(member));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @SuppressWarnings("unchecked")
    private static int compareValues(@Nullable Object left, @Nullable Object right) {
        if (left == null || right == null) {
            return Boolean.compare(left != null, right != null);
        }
        if (left instanceof Number one && right instanceof Number other && one.getClass() != other.getClass()) {
            return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString()));
        }
        return ((Comparable<Object>) left).compareTo(right);
    }
}
