package io.millrace.view;

import io.millrace.codec.shape.Part;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.view.access.BinaryView;
import io.millrace.view.value.Conversion;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders views by the values of key fields, as the objects that they stand for: absent values come first, and constants
 * of a Java enum, or other objects that the field contains as text, are in the order of their class. Thread-safe.
 *
 * @param keys key fields, the most significant first
 */
record KeyOrder(List<Key> keys) implements Comparator<BinaryView> {

    /** @param conversion conversion to the objects that are compared, or none */
    record Key(ValueMember member, Conversion conversion) {

        private @Nullable Object value(Part part) {
            Object value = part.value(member);
            return value == null ? null : conversion.toJava().apply(value);
        }
    }

    @Override
    public int compare(BinaryView one, BinaryView other) {
        Part left = ViewForm.part(one);
        Part right = ViewForm.part(other);
        for (Key key : keys) {
            int order = compareValues(key.value(left), key.value(right));
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
