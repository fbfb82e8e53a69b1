package io.millrace.codec.shape;

import java.util.ArrayList;
import java.util.List;

/**
 * The row of a record whose repeating parts have rows of their own, or of an element of such a part. Mutable; belongs
 * to one thread.
 *
 * @param row values
 * @param lists elements of each repeating part, in the order of the scope. To replace them all, another list takes the
 *     place of theirs: an application may still have the one before
 */
public record RowNode(byte[] row, List<List<RowNode>> lists) {

    /** Returns a node with a row and without elements. */
    public static RowNode of(byte[] row, Shape.Scope scope) {
        List<List<RowNode>> lists = new ArrayList<>(scope.lists.size());
        scope.lists.forEach(_ -> lists.add(new ArrayList<>()));
        return new RowNode(row, lists);
    }

    /** Returns a node in which all optional values are absent. */
    public static RowNode blank(Shape.Scope scope) {
        return of(scope.blank(), scope);
    }
}
