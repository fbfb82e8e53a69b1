package io.millrace.codec.view;

import java.util.function.UnaryOperator;

/**
 * Converts between the type of a field's values and the type of a getter. Both directions are exact, or throw.
 *
 * @param toJava returns the getter's value of a field's value, neither of them null
 * @param toField returns the field's value of a getter's value, neither of them null
 */
record Conversion(UnaryOperator<Object> toJava, UnaryOperator<Object> toField) {

    /** No change. */
    static final Conversion NONE = new Conversion(UnaryOperator.identity(), UnaryOperator.identity());
}
