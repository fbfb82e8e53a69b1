package io.millrace.codec.shape;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.ValueMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies values between rows. Stateless. */
public final class RowCopy {

    private RowCopy() {}

    /** Copies a record, or a part of one, to a row of the same shape. */
    public static void copy(Shape shape, Part source, byte[] bytes, int at, @Nullable RowNode node) {
        for (Member member : shape.members.values()) {
            switch (member) {
                case ValueMember value -> value.codec().get().setValue(bytes, at, source.value(value));
                case GroupMember group -> {
                    if (source.has(group)) {
                        mark(group, bytes, at, true);
                        copy(group.shape(), source, bytes, at, node);
                    } else {
                        remove(group, bytes, at, node);
                    }
                }
                case ListMember list -> copy(list, source.elements(list), bytes, at, node);
            }
        }
    }

    private static void copy(ListMember list, List<Part> elements, byte[] bytes, int at, @Nullable RowNode node) {
        if (list.inRow()) {
            for (int i = 0; i < list.count(); i++) {
                copy(list.shape(), elements.get(i), bytes, at + list.first() + i * list.stride(), null);
            }
            return;
        }
        List<RowNode> nodes = new ArrayList<>(elements.size());
        for (Part element : elements) {
            RowNode added = RowNode.blank(list.shape().scope);
            if (list.bare()) {
                list.bareValue().codec().get().setValue(added.row(), 0, element.bare(list));
            } else {
                copy(list.shape(), element, added.row(), 0, added);
            }
            nodes.add(added);
        }
        Objects.requireNonNull(node).lists().set(list.listIndex(), nodes);
    }

    /** Makes a group absent, with all its values. */
    public static void remove(GroupMember group, byte[] bytes, int at, @Nullable RowNode node) {
        if (group.presence() == null) {
            throw new IllegalArgumentException(
                    "Invalid value null for the group '" + group.shape().path + "', which is not optional.");
        }
        mark(group, bytes, at, false);
        clear(group.shape(), bytes, at, node);
    }

    /** Makes all values of a part absent, zero or empty. */
    public static void clear(Shape shape, byte[] bytes, int at, @Nullable RowNode node) {
        for (Member member : shape.members.values()) {
            switch (member) {
                case ValueMember value -> value.codec().get().clear(bytes, at);
                case GroupMember inner -> {
                    mark(inner, bytes, at, false);
                    clear(inner.shape(), bytes, at, node);
                }
                case ListMember list -> {
                    if (node != null && !list.inRow()) {
                        node.lists().set(list.listIndex(), new ArrayList<>());
                    }
                }
            }
        }
    }

    private static void mark(GroupMember group, byte[] bytes, int at, boolean present) {
        if (group.presence() != null) {
            FieldCodec codec = group.presence().get();
            ((BooleanCodec) codec).put(bytes, at, present);
        }
    }
}
