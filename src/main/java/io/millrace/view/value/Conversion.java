package io.millrace.view.value;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the type of a field's values and the type of a getter. Both directions are exact, or throw.
 *
 * @param toJava returns the getter's value of a field's value, which is not null; null for an empty text if the
 *     getter's type has no value for it
 * @param toField returns the field's value of a getter's value, neither of them null
 */
public record Conversion(Function<Object, @Nullable Object> toJava, UnaryOperator<Object> toField) {

    /** No change. */
    public static final Conversion NONE = new Conversion(value -> value, UnaryOperator.identity());
}
