package io.millrace.codec.shape;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.compact.CompactElements;
import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.compact.CompactValueReader;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.ValueMember;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A record or an element of a repeating part, read by member. Allocates; getters of views don't use it. */
public sealed interface Part {

    /** Returns the value in the type of the field, or null if it is absent. */
    @Nullable
    Object value(ValueMember member);

    /** Returns whether a group is there. Its members are read from this part too. */
    boolean has(GroupMember member);

    /** Returns the elements of a repeating part. */
    List<Part> elements(ListMember member);

    /** Returns the value of an element that is a single value. */
    default @Nullable Object bare(ListMember member) {
        return value(member.bareValue());
    }

    /**
     * A row.
     *
     * @param node rows of repeating parts, or null if these are in the row itself
     */
    record Row(byte[] bytes, int at, @Nullable RowNode node) implements Part {
        @Override
        public @Nullable Object value(ValueMember member) {
            return member.codec().get().value(bytes, at);
        }

        @Override
        public boolean has(GroupMember member) {
            return member.presence() == null
                    || ((BooleanCodec) member.presence().get()).get(bytes, at);
        }

        @Override
        public List<Part> elements(ListMember member) {
            List<Part> elements = new ArrayList<>();
            if (node != null && !member.inRow()) {
                node.lists().get(member.listIndex()).forEach(each -> elements.add(new Row(each.row(), 0, each)));
                return elements;
            }
            for (int i = 0; i < member.count(); i++) {
                elements.add(new Row(bytes, at + member.first() + i * member.stride(), null));
            }
            return elements;
        }
    }

    /** Compact bytes with their index. */
    record Compact(CompactScope scope, byte[] bytes, int at, byte[] index) implements Part {
        @Override
        public @Nullable Object value(ValueMember member) {
            int offset = scope.offset(index, member.slot());
            CompactValueReader reader = Objects.requireNonNull(member.reader());
            if (offset == 0) {
                return null;
            }
            return member.isBit() ? CompactValueReader.truth(offset) : reader.value(bytes, at + offset);
        }

        @Override
        public boolean has(GroupMember member) {
            return scope.offset(index, member.slot()) != 0;
        }

        @Override
        public List<Part> elements(ListMember member) {
            int offset = scope.offset(index, member.slot());
            if (offset == 0) {
                return List.of();
            }
            CompactValueReader bare = member.bare() ? member.bareValue().reader() : null;
            List<Part> elements = new ArrayList<>();
            CompactElements found = new CompactElements(bytes, at + offset, bare, member.path());
            for (int i = 0; i < found.count(); i++) {
                int each = found.offset(i);
                CompactScope inner = member.shape().scope.compact;
                elements.add(
                        bare == null && inner != null
                                ? new Compact(inner, bytes, each, inner.index(bytes, each))
                                : new Bare(bytes, each));
            }
            return elements;
        }
    }

    /** An element of compact bytes that is a single value. */
    record Bare(byte[] bytes, int at) implements Part {
        @Override
        public Object value(ValueMember member) {
            return Objects.requireNonNull(member.reader()).element(bytes, at);
        }

        @Override
        public boolean has(GroupMember member) {
            return false;
        }

        @Override
        public List<Part> elements(ListMember member) {
            return List.of();
        }
    }

    /** Returns all values that are there, in order, for comparisons. */
    static List<@Nullable Object> content(Shape shape, Part part) {
        List<@Nullable Object> content = new ArrayList<>();
        for (Shape.Member member : shape.members.values()) {
            content.add(
                    switch (member) {
                        case ValueMember value -> comparable(part.value(value));
                        case GroupMember group -> part.has(group) ? content(group.shape(), part) : null;
                        case ListMember list -> {
                            List<@Nullable Object> elements = new ArrayList<>();
                            part.elements(list)
                                    .forEach(each -> elements.add(
                                            list.bare() ? comparable(each.bare(list)) : content(list.shape(), each)));
                            yield elements;
                        }
                    });
        }
        return content;
    }

    private static @Nullable Object comparable(@Nullable Object value) {
        return value instanceof byte[] bytes ? Arrays.toString(bytes) : value;
    }
}
