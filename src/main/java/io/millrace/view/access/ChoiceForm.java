package io.millrace.view.access;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.shape.RowCopy;
import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.Shape.GroupMember;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a part whose class depends on which of its members is there.
 *
 * @param type Java type that the classes extend
 * @param options classes, of which a part has one
 * @param itself form of the type itself, which a part has without an option, or null if each part has one
 * @param scope finds members in compact bytes, or null for rows
 * @param mutable whether the objects can be changed
 */
public record ChoiceForm(
        Class<?> type,
        List<Option> options,
        @Nullable PartForm itself,
        @Nullable CompactScope scope,
        boolean mutable) implements PartForm {

    /**
     * One of the classes.
     *
     * @param member the member that is there if a part is of the class; contains the members of the class
     */
    public record Option(GroupMember member, Class<?> type, PartForm form) {

        private BooleanCodec presence() {
            return (BooleanCodec) Objects.requireNonNull(member.presence()).get();
        }
    }

    @Override
    public Object view(byte[] bytes, int at, @Nullable Object state) {
        Object index = state;
        if (scope != null && index == null && !scope.small()) {
            index = scope.index(bytes, at);
        }
        for (Option option : options) {
            if (has(option, bytes, at, index)) {
                return option.form().view(bytes, at, index);
            }
        }
        if (itself == null) {
            throw new IllegalArgumentException("A part of type " + type.getName() + " has none of "
                    + options.stream().map(option -> option.member().name()).toList() + ".");
        }
        return itself.view(bytes, at, index);
    }

    private boolean has(Option option, byte[] bytes, int at, @Nullable Object index) {
        if (scope == null) {
            return option.presence().get(bytes, at);
        }
        int slot = option.member().slot();
        return (index == null ? scope.find(bytes, at, slot) : scope.offset((byte[]) index, slot)) != 0;
    }

    @Override
    public @Nullable BinaryView prototype() {
        return null;
    }

    @Override
    public void assign(Object value, byte[] bytes, int at, @Nullable RowNode node) {
        Option chosen = option(value);
        (chosen == null ? Objects.requireNonNull(itself) : chosen.form()).assign(value, bytes, at, node);
        for (Option option : options) {
            if (option.equals(chosen)) {
                option.presence().put(bytes, at, true);
            } else {
                RowCopy.remove(option.member(), bytes, at, node);
            }
        }
    }

    /** Returns the most specific option of which an object is, or null if it is of the type itself. */
    private @Nullable Option option(Object value) {
        Option chosen = null;
        for (Option option : options) {
            boolean better = chosen == null || chosen.type().isAssignableFrom(option.type());
            if (option.type().isInstance(value) && better) {
                chosen = option;
            }
        }
        if (chosen == null && itself == null) {
            throw new IllegalArgumentException("Invalid class "
                    + value.getClass().getName() + ". The schema has "
                    + options.stream().map(option -> option.type().getName()).toList() + ".");
        }
        return chosen;
    }

    @Override
    public @Nullable RowNode row(BinaryView view) {
        for (Option option : options) {
            RowNode row = option.form().row(view);
            if (row != null) {
                option.presence().put(row.row(), 0, true);
                return row;
            }
        }
        return itself == null ? null : itself.row(view);
    }
}
