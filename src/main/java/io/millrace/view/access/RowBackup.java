package io.millrace.view.access;

import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.ValueMember;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content that a part of a mutable record had before a setter wrote to it, for a setter that is refused halfway. It
 * contains the row, because the values of a group are not next to each other, and the elements of the repeating parts
 * of the group. These lists do not change: setters replace them by others.
 *
 * @param bytes array that contains the row
 * @param at offset at which the row begins
 * @param row copy of the row
 * @param lists elements that are in rows of their own
 */
record RowBackup(byte[] bytes, int at, byte[] row, List<Elements> lists) {

    /**
     * The elements of a repeating part.
     *
     * @param node what contains the part
     * @param index of the part
     */
    record Elements(RowNode node, int index, List<RowNode> list) {}

    /** Returns a backup of the members of a part. */
    static RowBackup of(Shape part, byte[] bytes, int at, @Nullable RowNode node) {
        List<Elements> lists = new ArrayList<>();
        if (node != null) {
            add(part, node, lists);
        }
        return new RowBackup(
                bytes, at, Arrays.copyOfRange(bytes, at, at + part.scope().rowLength()), lists);
    }

    /** Returns a backup of bytes without repeating parts of their own. */
    static RowBackup of(byte[] bytes, int start, int length) {
        return new RowBackup(bytes, start, Arrays.copyOfRange(bytes, start, start + length), List.of());
    }

    private static void add(Shape part, RowNode node, List<Elements> lists) {
        for (Member member : part.members().values()) {
            switch (member) {
                case ListMember list
                when !list.inRow() -> {
                    int index = list.listIndex();
                    lists.add(new Elements(node, index, node.lists().get(index)));
                }
                case GroupMember group -> add(group.shape(), node, lists);
                case ListMember _, ValueMember _ -> {}
            }
        }
    }

    void restore() {
        System.arraycopy(row, 0, bytes, at, row.length);
        for (Elements each : lists) {
            each.node().lists().set(each.index(), each.list());
        }
    }
}
