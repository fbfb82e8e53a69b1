package io.millrace.config.binding;

import io.millrace.pipeline.definition.Problem;
import java.util.stream.Collectors;

/** Formats problems for a terminal. */
public final class ProblemReport {

    private final Origins origins;

    public ProblemReport(Origins origins) {
        this.origins = origins;
    }

    /** Returns the property, its place and the message, whose lines are indented if there are several. */
    public String describe(Problem problem) {
        String place = origins.of(problem.property(), problem.atKey())
                .map(origin -> " (" + origin + ")")
                .orElse("");
        return problem.property() + place + ":\n    "
                + (problem.message().strip() + comment(problem)).replace("\n", "\n    ");
    }

    /** Returns a hint for an expression that a YAML comment may have cut off; empty if none may have. */
    private String comment(Problem problem) {
        return problem.message().startsWith("MR") && origins.hasComment(problem.property())
                ? "\nin YAML, ' #' begins a comment: quote the whole expression if it is part of it"
                : "";
    }

    /** Returns all problems of a configuration below a line with their number. */
    public String describe(ConfigurationException e) {
        return count(e.problems().size()) + ":\n\n"
                + e.problems().stream().map(this::describe).collect(Collectors.joining("\n\n"));
    }

    /** Returns the start of a sentence with the number of problems. */
    private static String count(int problems) {
        return problems == 1 ? "The configuration has a mistake" : "The configuration has " + problems + " mistakes";
    }
}
