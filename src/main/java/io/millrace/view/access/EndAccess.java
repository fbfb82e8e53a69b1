package io.millrace.view.access;

import io.millrace.view.value.Conversion;
import io.millrace.view.value.ElementContainer;
import io.millrace.view.value.OptionalKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member of the innermost part of a type that contains itself: the schema has no fields for it, so it is always
 * absent or empty.
 *
 * @param path path of the member
 * @param container what the getter returns elements in, or null if the member does not repeat
 * @param optional how the getter shows an absent value
 * @param mutable whether the setter accepts an absent value
 */
record EndAccess(String path, @Nullable ElementContainer container, OptionalKind optional, boolean mutable)
        implements Access {

    @Override
    public @Nullable Object get(BinaryView view) {
        return container == null ? optional.wrap(null) : container.of(List.of());
    }

    @Override
    public void set(BinaryView view, @Nullable Object value) {
        if (!mutable) {
            Access.super.set(view, value);
            return;
        }
        Object plain = OptionalKind.unwrap(value);
        boolean empty = plain == null
                || (container != null
                        && ElementContainer.elements(plain, Conversion.NONE).isEmpty());
        if (view.millraceBytes() != null && !empty) {
            throw new IllegalArgumentException("Invalid value of '" + path
                    + "': the type contains itself more often than the schema allows. Use a larger 'depth'.");
        }
    }
}
