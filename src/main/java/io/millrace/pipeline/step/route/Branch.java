package io.millrace.pipeline.step.route;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.Target;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a branch of a route: a condition and its target, or, in the last branch, otherwise.
 *
 * @param when condition of the records of this branch
 * @param to target of these records: a region, or channel: and the name of a message channel
 * @param otherwise target of all other records, instead of when and to
 */
public record Branch(
        @Nullable String when,
        @Nullable String to,
        @Nullable String otherwise) {

    void validate(String at, PropertyCheck check) {
        if (otherwise == null) {
            require(at + ".when", when, "a condition", check);
            require(at + ".to", to, "a target", check);
        } else if (when != null || to != null) {
            check.problem(
                    CONFLICTING_PROPERTIES,
                    at + ".otherwise",
                    "'otherwise' names the target itself. Write 'otherwise: REGION', without 'when' and 'to'.");
        }
    }

    private static void require(String at, @Nullable String value, String what, PropertyCheck check) {
        if (value == null || value.isBlank()) {
            check.problem(MISSING_VALUE, at, "Missing value: " + what + ".");
        }
    }

    /** Returns the condition, or null for "otherwise". */
    @Nullable
    String condition() {
        return otherwise == null ? Objects.requireNonNullElse(when, "") : null;
    }

    /** Returns the target as configured. */
    String targetText() {
        return otherwise == null ? Objects.requireNonNullElse(to, "") : otherwise;
    }

    Target target() {
        return Target.parse(targetText());
    }
}
