package io.millrace.config;

import io.millrace.pipeline.definition.Problem;

/** Puts problems into words for a person at a terminal. */
public final class ProblemReport {

    private final Origins origins;

    public ProblemReport(Origins origins) {
        this.origins = origins;
    }

    /** Where, what, and what to do; the lines of a longer message are indented. */
    public String describe(Problem problem) {
        String place = origins.of(problem.property())
                .map(origin -> " (" + origin + ")")
                .orElse("");
        return problem.property() + place + ":\n    "
                + problem.message().strip().replace("\n", "\n    ");
    }

    /** How many mistakes there are, as a sentence begins. */
    public static String count(int problems) {
        return problems == 1 ? "The configuration has a mistake" : "The configuration has " + problems + " mistakes";
    }
}
