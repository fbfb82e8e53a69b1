package io.millrace.pipeline.step.route;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.RunContext;
import io.millrace.pipeline.step.Target;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The configured names of the targets that all receive the same records. */
record TargetNames(List<String> names) {

    TargetNames {
        names = List.copyOf(names);
    }

    /** Requires names, each once. */
    void validate(String at, PropertyCheck check) {
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

    void requireKnown(String at, PlanContext context) {
        targets().forEach(target -> context.requireKnown(at, target));
    }

    List<Target> targets() {
        return names.stream().map(Target::parse).toList();
    }

    List<TargetOutput> outputs(RunContext run) {
        return targets().stream().map(target -> TargetOutput.of(target, run)).toList();
    }

    /** Returns the names, as in messages and rules. */
    String text() {
        return String.join(", ", names);
    }
}
