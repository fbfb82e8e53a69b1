package io.millrace.pipeline.step.route;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.TargetNames;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a branch of a route: a condition and its targets, or, in the last branch, otherwise.
 *
 * @param when condition of the records of this branch
 * @param to targets, each of which receives these records: a region, or channel: and the name of a message channel
 * @param otherwise targets of all other records, instead of when and to
 */
public record Branch(
        @Nullable String when,
        @DefaultValue List<String> to,
        @DefaultValue List<String> otherwise) {

    public Branch {
        to = List.copyOf(to);
        otherwise = List.copyOf(otherwise);
    }

    void validate(String at, PropertyCheck check) {
        if (isOtherwise()) {
            requireAlone(at, check);
        } else if (when == null || when.isBlank()) {
            check.problem(MISSING_VALUE, at + ".when", "Missing value: a condition.");
        }
        targets().validate(at + (isOtherwise() ? ".otherwise" : ".to"), check);
    }

    private void requireAlone(String at, PropertyCheck check) {
        if (when != null || !to.isEmpty()) {
            check.problem(
                    CONFLICTING_PROPERTIES,
                    at + ".otherwise",
                    "'otherwise' names the target itself. Write 'otherwise: REGION', without 'when' and 'to'.");
        }
    }

    private boolean isOtherwise() {
        return !otherwise.isEmpty();
    }

    /** Returns the condition, or null for "otherwise". */
    @Nullable
    String condition() {
        return isOtherwise() ? null : Objects.requireNonNullElse(when, "");
    }

    TargetNames targets() {
        return new TargetNames(isOtherwise() ? otherwise : to);
    }
}
