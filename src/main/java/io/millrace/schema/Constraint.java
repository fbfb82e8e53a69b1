package io.millrace.schema;

import io.millrace.regex.TextPattern;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Restricts the values of a field beyond its type. Checked when a value is written; in the fixed layout, limits of
 * numbers are also checked on admission.
 *
 * @param min smallest allowed number or, of texts, number of UTF-16 characters
 * @param max largest allowed number or, of texts, number of UTF-16 characters
 * @param pattern pattern that the whole text of a string or dictionary value must match
 * @param required whether a string must have at least one character
 */
@API(status = API.Status.STABLE)
public record Constraint(
        @Nullable BigDecimal min,
        @Nullable BigDecimal max,
        @Nullable TextPattern pattern,
        boolean required) implements Serializable {

    /** No constraint. */
    public static final Constraint NONE = new Constraint(null, null, null, false);

    /** Returns the properties that are set, as in a schema: {@code min 0, max 100}. */
    public String describe() {
        return Stream.of(
                        min == null ? null : "min " + min.toPlainString(),
                        max == null ? null : "max " + max.toPlainString(),
                        pattern == null ? null : "pattern " + pattern,
                        required ? "required" : null)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
    }

    /** Returns which numbers are allowed, as a sentence, or null if this one is. */
    public @Nullable String refusal(BigDecimal value) {
        if (min != null && value.compareTo(min) < 0) {
            return "Use " + min.toPlainString() + " or more.";
        }
        if (max != null && value.compareTo(max) > 0) {
            return "Use " + max.toPlainString() + " or less.";
        }
        return null;
    }

    /** Returns which texts are allowed, as a sentence, or null if this one is. */
    public @Nullable String refusal(String value) {
        if (required && value.isEmpty()) {
            return "Use at least one character.";
        }
        BigDecimal length = BigDecimal.valueOf(value.length());
        if (min != null && length.compareTo(min) < 0) {
            return "Use " + min.toPlainString() + " or more characters, not " + length + ".";
        }
        if (max != null && length.compareTo(max) > 0) {
            return "Use " + max.toPlainString() + " or fewer characters, not " + length + ".";
        }
        if (pattern != null && !pattern.matches(value)) {
            return "Use a text that matches '" + pattern + "'.";
        }
        return null;
    }
}
