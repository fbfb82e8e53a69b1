package io.millrace.cli.check;

import io.millrace.expression.Explanation;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.Flow;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.trial.PipelineTrial;
import io.millrace.pipeline.trial.RuleTestCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of the tests of a pipeline's rules.
 *
 * @param pipeline name of the pipeline
 * @param tests results in the order of the configuration
 * @param uncovered conditions for which no test has one of the two results
 */
record RuleTestReport(String pipeline, List<Result> tests, List<Uncovered> uncovered) {

    /** Roles of expressions that are conditions. */
    private static final Set<String> CONDITIONS = Set.of("filter", "when");

    /**
     * The result of a test.
     *
     * @param property path of the test in the configuration
     * @param differences from what is expected; empty if the test has passed
     */
    record Result(String name, String property, List<String> differences) {}

    /**
     * A condition that the tests leave untested.
     *
     * @param result which of its results no test has: {@code true}, {@code false}, or {@code any} if no test reaches it
     */
    record Uncovered(String step, String condition, String result) {}

    /** Runs tests and returns their results. */
    static RuleTestReport of(PipelinePlan plan, List<RuleTestCase> tests, PipelineTrial trial) {
        List<Result> results = tests.stream()
                .map(test -> new Result(test.name(), test.property(), test.run(trial)))
                .toList();
        return new RuleTestReport(plan.name(), results, uncovered(plan, trial));
    }

    private static List<Uncovered> uncovered(PipelinePlan plan, PipelineTrial trial) {
        Map<String, StepPlan> plans = plan.steps().stream().collect(Collectors.toMap(StepPlan::name, step -> step));
        List<Uncovered> uncovered = new ArrayList<>();
        for (StepCounters step : trial.steps()) {
            List<ExplainedExpression> expressions =
                    Objects.requireNonNull(plans.get(step.name())).explanation().expressions();
            for (int i = 0; i < expressions.size(); i++) {
                Explanation explanation = expressions.get(i).explanation();
                if (explanation != null
                        && CONDITIONS.contains(expressions.get(i).role())) {
                    add(uncovered, step.name(), explanation.expression(), step.flow(i));
                }
            }
        }
        return uncovered;
    }

    private static void add(List<Uncovered> uncovered, String step, String condition, Flow flow) {
        if (flow.in() == 0) {
            uncovered.add(new Uncovered(step, condition, "any"));
        } else if (flow.out() == 0) {
            uncovered.add(new Uncovered(step, condition, "true"));
        } else if (flow.out() == flow.in()) {
            uncovered.add(new Uncovered(step, condition, "false"));
        }
    }

    /** Returns whether all tests have passed. */
    boolean passed() {
        return tests.stream().allMatch(test -> test.differences().isEmpty());
    }
}
