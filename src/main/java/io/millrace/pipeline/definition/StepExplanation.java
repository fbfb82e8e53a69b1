package io.millrace.pipeline.definition;

import io.millrace.expression.BatchFilter;
import io.millrace.expression.BatchRouter;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.Compiled;
import io.millrace.expression.Explanation;
import io.millrace.expression.FieldPlace;
import io.millrace.measure.MeasurePlan;
import io.millrace.pipeline.definition.StepDefinition.BranchDefinition;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The explanation of a compiled step.
 *
 * @param name name of the step and of its output channel
 * @param kind kind of the step in the configuration
 * @param codeBytes length of the generated code in bytes: one loop with all expressions of the step, and for some
 *     filters a second form of it; 0 without expressions
 * @param writes fields that the step writes
 * @param expressions expressions in the order of the configuration
 */
public record StepExplanation(
        String name, String kind, int codeBytes, List<FieldPlace> writes, List<ExplainedExpression> expressions) {

    public StepExplanation {
        writes = List.copyOf(writes);
        expressions = List.copyOf(expressions);
    }

    static StepExplanation filter(String name, Compiled<BatchFilter> filter) {
        return new StepExplanation(
                name,
                "filter",
                filter.codeBytes(),
                List.of(),
                List.of(new ExplainedExpression(
                        "filter", null, filter.expressions().getFirst())));
    }

    /** @param added fields that are copied from the table's row */
    static StepExplanation enrich(String name, Compiled<?> key, List<FieldPlace> added) {
        return new StepExplanation(
                name,
                "enrich",
                key.codeBytes(),
                added,
                List.of(new ExplainedExpression("key", null, key.expressions().getFirst())));
    }

    /** @param targets fields that are set, in order */
    static StepExplanation set(String name, Compiled<BatchSetter> setter, List<FieldPlace> targets) {
        List<ExplainedExpression> values = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            values.add(new ExplainedExpression(
                    "set", targets.get(i).name(), setter.expressions().get(i)));
        }
        return new StepExplanation(name, "set", setter.codeBytes(), targets, values);
    }

    static StepExplanation measure(String name, MeasurePlan measure) {
        return new StepExplanation(
                name,
                "measure",
                measure.codeBytes(),
                List.of(),
                measure.expressions().stream()
                        .map(one -> new ExplainedExpression(one.role(), one.target(), one.explanation()))
                        .toList());
    }

    static StepExplanation route(String name, Compiled<BatchRouter> router, List<BranchDefinition> branches) {
        List<ExplainedExpression> taken = new ArrayList<>();
        Iterator<Explanation> conditions = router.expressions().iterator();
        for (BranchDefinition branch : branches) {
            taken.add(
                    branch.condition() == null
                            ? new ExplainedExpression("otherwise", branch.target(), null)
                            : new ExplainedExpression("when", branch.target(), conditions.next()));
        }
        return new StepExplanation(name, "route", router.codeBytes(), List.of(), taken);
    }

    static StepExplanation to(String name, String target) {
        return new StepExplanation(name, "to", 0, List.of(), List.of(new ExplainedExpression("to", target, null)));
    }
}
