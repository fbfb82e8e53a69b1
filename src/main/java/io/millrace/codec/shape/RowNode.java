package io.millrace.codec.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The row of a record whose repeating parts have rows of their own, or of an element of such a part. Mutable; belongs
 * to one thread.
 *
 * @param row values
 * @param lists elements of each repeating part, in the order of the scope
 */
public record RowNode(byte[] row, List<List<RowNode>> lists) {

    /** Returns a node with a row and without elements. */
    public static RowNode of(byte[] row, Shape.Scope scope) {
        return new RowNode(
                row,
                IntStream.range(0, scope.lists.size())
                        .<List<RowNode>>mapToObj(_ -> new ArrayList<>())
                        .toList());
    }

    /** Returns a node in which all optional values are absent. */
    public static RowNode blank(Shape.Scope scope) {
        return of(scope.blank(), scope);
    }
}
