package io.millrace.view.access;

import io.millrace.codec.compact.CompactElements;
import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.compact.CompactValueReader;
import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.view.value.Conversion;
import io.millrace.view.value.ElementContainer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A repeating part, as a list that reads the bytes.
 *
 * @param form form of the views of elements, or null if these are single values
 * @param prototype view that creates those of elements, or null if elements are single values or Java records
 * @param container what the getter returns the elements in
 * @param conversion conversion of elements that are single values
 * @param scope finds the part in compact bytes, or null for rows
 * @param mutable whether the list can be changed
 */
record ListAccess(
        ListMember member,
        @Nullable PartForm form,
        @Nullable BinaryView prototype,
        ElementContainer container,
        Conversion conversion,
        @Nullable CompactScope scope,
        boolean mutable)
        implements Access {

    @Override
    public Object get(BinaryView view) {
        return container.of(elements(view));
    }

    private List<?> elements(BinaryView view) {
        byte[] bytes = view.millraceBytes();
        if (scope == null) {
            return member.inRow()
                    ? new RowList(this, bytes, view.millraceAt())
                    : new NodeList(this, lists(view).get(member.listIndex()));
        }
        int offset = CompactIndex.entry(view, scope, member.slot());
        if (offset == 0) {
            return List.of();
        }
        CompactValueReader bare = member.bare() ? member.bareValue().reader() : null;
        return new CompactList(
                this, bytes, new CompactElements(bytes, view.millraceAt() + offset, bare, member.path()));
    }

    private static List<List<RowNode>> lists(BinaryView view) {
        return Objects.requireNonNull((RowNode) view.millraceState()).lists();
    }

    /** Returns the view of an element that has no rows of its own. */
    Object element(byte[] bytes, int at) {
        return prototype != null
                ? prototype.millraceNew(bytes, at, null)
                : Objects.requireNonNull(form).view(bytes, at, null);
    }

    @Override
    public void set(BinaryView view, @Nullable Object value) {
        if (!mutable) {
            Access.super.set(view, value);
            return;
        }
        if (view.millraceBytes() == null) {
            return;
        }
        if (value instanceof Set && (form != null || !container.set())) {
            throw new IllegalArgumentException("Invalid elements of '" + member.path() + "': "
                    + (form == null
                            ? "views would return a list instead of this set. Declare the getter as Set."
                            : "a set of groups has no order, so that equal sets would have different bytes. Use a"
                                    + " list."));
        }
        // A copy, because the list may be the one that is replaced.
        List<Object> elements = value == null ? List.of() : ElementContainer.elements(value, conversion);
        if (elements(view) instanceof NodeList list) {
            lists(view).set(member.listIndex(), list.replacement(elements));
        } else {
            ((RowList) elements(view)).replace(elements);
        }
    }

    /** Returns the value of an element as the list shows it. */
    @Nullable
    Object shown(@Nullable Object value) {
        return value == null ? null : conversion.toJava().apply(value);
    }

    /** Writes an element to a row. If one of its values is refused, those before are written. */
    void write(@Nullable Object element, byte[] row, int at, @Nullable RowNode node) {
        if (form == null) {
            member.bareValue()
                    .codec()
                    .get()
                    .setValue(
                            row,
                            at,
                            element == null ? null : conversion.toField().apply(element));
        } else {
            form.assign(Objects.requireNonNull(element, "element"), row, at, node);
        }
    }
}
