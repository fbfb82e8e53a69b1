package io.millrace.config;

import io.millrace.pipeline.definition.Problem;

/** Formats problems for a terminal. */
public final class ProblemReport {

    private final Origins origins;

    public ProblemReport(Origins origins) {
        this.origins = origins;
    }

    /** Returns the property, its place and the message, whose lines are indented if there are several. */
    public String describe(Problem problem) {
        String place = origins.of(problem.property())
                .map(origin -> " (" + origin + ")")
                .orElse("");
        return problem.property() + place + ":\n    "
                + problem.message().strip().replace("\n", "\n    ");
    }

    /** Returns the number of mistakes as the beginning of a sentence. */
    public static String count(int problems) {
        return problems == 1 ? "The configuration has a mistake" : "The configuration has " + problems + " mistakes";
    }
}
