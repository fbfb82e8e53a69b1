package io.millrace.pipeline.step;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.extension.PropertyCheck;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configured names of the targets that all receive the same records.
 *
 * @param names names of regions, {@code output:} followed by the name of an output, or {@code channel:} followed by
 *     that of a channel
 */
public record TargetNames(List<String> names) {

    public TargetNames {
        names = List.copyOf(names);
    }

    /** Returns names that need not be configured. */
    public static TargetNames of(@Nullable List<String> names) {
        return new TargetNames(names == null ? List.of() : names);
    }

    /** Requires names, each once. */
    public void validate(String at, PropertyCheck check) {
        if (names.isEmpty() || names.stream().anyMatch(String::isBlank)) {
            check.problem(MISSING_VALUE, at, "Missing value: a target.");
        }
        Set<Target> targets = new HashSet<>();
        for (Target target : targets()) {
            if (!targets.add(target)) {
                check.problem(
                        DUPLICATE_NAME,
                        at,
                        "Duplicate target '" + target.name() + "'. A target receives a record once.");
            }
        }
    }

    /**
     * Reports each target that is an unknown region or output.
     *
     * @param channels whether targets may be channels
     */
    public void requireKnown(String at, PlanContext context, boolean channels) {
        targets().forEach(target -> context.requireKnown(at, target, channels));
    }

    /** Returns the targets, in order. */
    public List<Target> targets() {
        return names.stream().map(Target::parse).toList();
    }

    /** Returns the names, as in messages and rules. */
    public String text() {
        return String.join(", ", names);
    }
}
