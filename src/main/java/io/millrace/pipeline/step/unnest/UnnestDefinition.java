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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Makes a record of each element of a list.
 *
 * @param list name of the list, such as {@code legs} or, for a list inside of its elements, {@code legs.payments}
 * @param fields names of the fields of the new records; all by default
 */
public record UnnestDefinition(
        @Nullable String list, @DefaultValue List<String> fields) implements StepDefinition {

    private static final String KIND = "unnest";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void validate(PropertyCheck check) {
        if (list == null) {
            check.problem(MISSING_VALUE, "list", "Missing value: the name of a list.");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            if (!names.add(fields.get(i))) {
                check.problem(
                        DUPLICATE_NAME,
                        "fields[" + i + "]",
                        "Duplicate field '" + fields.get(i) + "'. Remove one of them.");
            }
        }
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        Schema records = context.schema();
        List<String> lists =
                records.groups().stream().map(UnnestDefinition::name).toList();
        String name = Objects.requireNonNullElse(list, "");
        int group = lists.indexOf(name);
        if (group < 0) {
            String advice = lists.isEmpty()
                    ? ". Schema '" + records.name() + "' has no list here."
                    : NearestName.hint(name, lists) + " Use one of: " + String.join(", ", lists) + ".";
            context.check().problem(UNKNOWN_FIELD, "list", "Unknown list '" + name + "'" + advice);
            return null;
        }
        ElementCopy all = ElementCopy.of(records, group, List.of());
        if (!areKnown(all.names(), context.check())) {
            return null;
        }
        ElementCopy copy = fields.isEmpty() ? all : ElementCopy.of(records, group, fields);
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
        Schema elements = copy.schema(records.name() + "." + name);
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
                run -> new UnnestStep(context.name(), KIND, name, copy, run.output(), run.rejects()));
    }

    private boolean areKnown(List<String> known, PropertyCheck check) {
        for (int i = 0; i < fields.size(); i++) {
            String field = fields.get(i);
            if (!known.contains(field)) {
                check.problem(
                        UNKNOWN_FIELD,
                        "fields[" + i + "]",
                        "Unknown field '" + field + "'" + NearestName.hint(field, known) + " Use fields of: "
                                + String.join(", ", known) + ".");
            }
        }
        return known.containsAll(fields);
    }

    /** Returns the name of a list as expressions write it: {@code legs.payments} for {@code legs[].payments[]}. */
    private static String name(RepeatedGroup group) {
        return ElementCopy.name(group.path());
    }

    @Override
    public List<String> rule(Schema records) {
        return Stream.concat(Stream.of(KIND, Objects.requireNonNullElse(list, "")), fields.stream())
                .toList();
    }
}
