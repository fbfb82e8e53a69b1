package io.millrace.expression.ir;

import io.millrace.expression.ir.ValueType.Basic;
import java.util.List;
import java.util.stream.Stream;

/**
 * The elements of a repeating part, folded to one value. The filter and the value are computed for each element in
 * turn, up to the element that decides the result.
 *
 * @param path path of the part, such as {@code legs[]}. The fields of its elements have their full paths as names
 * @param index the number of elements that pass the filter before the element of {@link FoldKind#AT}; else 0
 * @param filter which elements count; {@link #ALL} for each
 * @param value the value of an element; {@link #ALL} if it is not used
 */
public record Fold(FoldKind kind, String path, int index, Ir filter, Ir value, ValueType type) implements Ir {

    /** The filter that all elements pass. */
    public static final Ir ALL = new Ir.Constant(Basic.BOOLEAN, 1);

    /** Returns whether any element passes a filter. */
    public static Fold any(String path, Ir filter) {
        return new Fold(FoldKind.ANY, path, 0, filter, ALL, Basic.BOOLEAN);
    }

    /** Returns the number of elements that pass a filter. */
    public static Fold count(String path, Ir filter) {
        return new Fold(FoldKind.COUNT, path, 0, filter, ALL, Basic.WHOLE);
    }

    /** Returns whether all elements pass the filter. */
    public boolean isOfAll() {
        return filter.equals(ALL);
    }

    @Override
    public boolean optional() {
        return !kind.hasAlwaysResult();
    }

    @Override
    public List<Ir> operands() {
        return Stream.of(filter, value).filter(operand -> !operand.equals(ALL)).toList();
    }
}
