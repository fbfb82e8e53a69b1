package io.millrace.pipeline.step.set;

import static io.millrace.schema.ProblemCode.MISSING_VALUE;

import io.millrace.expression.Assignment;
import io.millrace.expression.BatchSetter;
import io.millrace.expression.Compiled;
import io.millrace.expression.FieldPlace;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes fields: overwrites existing fields and adds new ones. */
public record SetDefinition(Map<String, String> expressions) implements StepDefinition {

    private static final String KIND = "set";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        List<Assignment> assignments = new ArrayList<>();
        expressions.forEach((target, expression) -> {
            Assignment assignment = assignment(target, expression, context);
            if (assignment != null) {
                assignments.add(assignment);
            }
        });
        if (expressions.isEmpty()) {
            context.check().problem(MISSING_VALUE, "", "Missing value: the fields to set, each with an expression.");
        }
        if (assignments.size() < expressions.size()) {
            return null;
        }
        Compiled<BatchSetter> setter = context.compiler().setter(assignments);
        List<FieldPlace> places = assignments.stream()
                .map(assignment -> context.place(assignment.target()))
                .toList();
        List<ExplainedExpression> explained = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            explained.add(new ExplainedExpression(
                    KIND, places.get(i).name(), setter.expressions().get(i)));
        }
        return new StepPlan(
                new StepExplanation(context.name(), KIND, setter.codeBytes(), places, explained),
                run -> new SetStep(context.name(), setter.loop(), run.rejects()));
    }

    private static @Nullable Assignment assignment(String target, String expression, PlanContext context) {
        String property = "[" + target + "]";
        Field result = context.compile(property, compiler -> compiler.resultField(target, expression));
        if (result == null) {
            return null;
        }
        Field existing = context.schema().field(target);
        if (existing == null && context.canAdd(property, target)) {
            existing = context.add(result);
        }
        if (existing == null) {
            return null;
        }
        Assignment assignment = new Assignment(existing, expression);
        return context.compile(property, compiler -> compiler.setter(List.of(assignment))) == null ? null : assignment;
    }

    @Override
    public List<String> rule(Schema records) {
        List<String> rule = new ArrayList<>(List.of(KIND));
        expressions.forEach((target, expression) -> rule.addAll(List.of(target, expression)));
        return rule;
    }
}
