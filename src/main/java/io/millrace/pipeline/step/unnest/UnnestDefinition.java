package io.millrace.pipeline.step.unnest;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_FIELD;

import io.millrace.expression.FieldPlace;
import io.millrace.extension.PropertyCheck;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.schema.NearestName;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a record of each element of a list.
 *
 * @param list name of the list, such as {@code legs} or, for a list inside of its elements, {@code legs.payments}
 */
public record UnnestDefinition(String list) implements StepDefinition {

    private static final String KIND = "unnest";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void validate(PropertyCheck check) {
        if (list.isBlank()) {
            check.problem(MISSING_VALUE, "", "Missing value: the name of a list.");
        }
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        Schema records = context.schema();
        List<String> lists =
                records.groups().stream().map(UnnestDefinition::name).toList();
        int group = lists.indexOf(list);
        if (group < 0) {
            String advice = lists.isEmpty()
                    ? ". Schema '" + records.name() + "' has no list here."
                    : NearestName.hint(list, lists) + " Use one of: " + String.join(", ", lists) + ".";
            context.check().problem(UNKNOWN_FIELD, "", "Unknown list '" + list + "'" + advice);
            return null;
        }
        ElementCopy copy = ElementCopy.of(records, group);
        String duplicate = copy.duplicate();
        if (duplicate != null) {
            context.check()
                    .problem(
                            DUPLICATE_NAME,
                            "",
                            "Duplicate field '" + duplicate
                                    + "': of the record and of the elements. Rename the field in the schema.");
            return null;
        }
        Schema elements = copy.schema(records.name() + "." + list);
        context.make(elements);
        return new StepPlan(
                new StepExplanation(
                        context.name(),
                        KIND,
                        0,
                        elements.fields().stream()
                                .map(field -> FieldPlace.of(field, elements))
                                .toList(),
                        List.of()),
                copy.reads(),
                run -> new UnnestStep(context.name(), KIND, list, copy, run.output(), run.rejects()));
    }

    /** Returns the name of a list as expressions write it: {@code legs.payments} for {@code legs[].payments[]}. */
    private static String name(RepeatedGroup group) {
        return ElementCopy.name(group.path());
    }

    @Override
    public List<String> rule(Schema records) {
        return List.of(KIND, list);
    }
}
