package io.millrace.view.access;

import io.millrace.expression.VirtualValue;
import io.millrace.view.value.Conversion;
import io.millrace.view.value.OptionalKind;
import org.jspecify.annotations.Nullable;

/**
 * A virtual field of the schema.
 *
 * @param conversion conversion to the type of the getter
 * @param optional how the getter shows an absent value
 */
record VirtualAccess(VirtualValue virtual, Conversion conversion, OptionalKind optional) implements Access {

    @Override
    public @Nullable Object get(BinaryView view) {
        Object value = virtual.value(view.millraceForm().content(view));
        return optional.wrap(value == null ? null : conversion.toJava().apply(value));
    }
}
