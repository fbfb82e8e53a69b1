package io.millrace.pipeline.shadow;

import io.millrace.expression.FieldPlace;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;

/** What rules write, as their plan declares it. */
final class Writes {

    private Writes() {}

    /**
     * Returns whether a step overwrites fields of the feed's records, so that it needs a copy of them. A step of the
     * application may, whatever it declares.
     */
    static boolean overwrite(PipelinePlan plan) {
        return hasStepsOfTheApplication(plan)
                || plan.steps().stream()
                        .flatMap(step -> step.explanation().writes().stream())
                        .anyMatch(field -> !field.added());
    }

    private static boolean hasStepsOfTheApplication(PipelinePlan plan) {
        String builtIn = StepDefinition.class.getPackageName() + ".";
        return plan.definition().steps().stream()
                .anyMatch(step -> !step.getClass().getPackageName().startsWith(builtIn));
    }

    /**
     * Returns whether two versions may give a record different values. They can't if the steps that write fields are
     * the same, in the same order, whatever other steps select.
     */
    static boolean differ(PipelinePlan plan, PipelinePlan other) {
        return hasStepsOfTheApplication(plan)
                || hasStepsOfTheApplication(other)
                || !rules(plan).equals(rules(other));
    }

    private static List<List<String>> rules(PipelinePlan plan) {
        Schema records = plan.schema().base();
        List<StepPlan> steps = plan.steps();
        List<List<String>> rules = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            List<FieldPlace> writes = steps.get(i).explanation().writes();
            if (!writes.isEmpty()) {
                rules.add(plan.definition().steps().get(i).rule(records));
            }
        }
        return rules;
    }
}
