package io.millrace.codec.view;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A virtual field of the schema.
 *
 * @param conversion conversion to the type of the getter
 * @param optional whether the getter returns an {@link Optional}
 */
record VirtualAccess(VirtualValue virtual, Conversion conversion, boolean optional) implements Access {

    @Override
    public @Nullable Object get(BinaryView view) {
        Object value = virtual.value(view.millraceForm().kind().views().content(view));
        Object converted = value == null ? null : conversion.toJava().apply(value);
        return optional ? Optional.ofNullable(converted) : converted;
    }
}
