package io.millrace.config.properties;

import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.enrich.EnrichDefinition;
import io.millrace.pipeline.step.filter.FilterDefinition;
import io.millrace.pipeline.step.measure.MeasureStepDefinition;
import io.millrace.pipeline.step.route.Branch;
import io.millrace.pipeline.step.route.RouteDefinition;
import io.millrace.pipeline.step.route.ToDefinition;
import io.millrace.pipeline.step.set.SetDefinition;
import io.millrace.pipeline.step.unnest.UnnestDefinition;
import io.millrace.pipeline.step.validate.ValidateDefinition;
import io.millrace.pipeline.step.validate.ValidateDefinition.OnInvalid;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a step, of which exactly one is set: all kinds of steps.
 *
 * @param validate what to do with records whose values violate constraints of their schema
 * @param filter condition of the records that continue; the others are dropped
 * @param enrich fields to add from a table
 * @param set fields to compute, each with its expression
 * @param unnest list whose elements become records
 * @param measure aggregates of groups over time windows
 * @param route branches, evaluated in order; the first match applies, and records without a match are dropped
 * @param to target of all records: a region, or channel: and the name of a message channel
 */
public record StepProperties(
        @Nullable OnInvalid validate,
        @Nullable String filter,
        @Nullable EnrichDefinition enrich,
        @Nullable Map<String, String> set,
        @Nullable String unnest,
        @Nullable MeasureStepDefinition measure,
        @Nullable List<Branch> route,
        @Nullable String to) {

    /** Returns the definitions of all properties that are set. */
    public List<StepDefinition> definitions() {
        return Stream.of(
                        definition(validate, ValidateDefinition::new),
                        definition(filter, FilterDefinition::new),
                        enrich,
                        definition(set, SetDefinition::new),
                        definition(unnest, UnnestDefinition::new),
                        measure,
                        definition(route, RouteDefinition::new),
                        definition(to, ToDefinition::new))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the names of all kinds. */
    public static List<String> kinds() {
        return Arrays.stream(StepProperties.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    private static <T> @Nullable StepDefinition definition(@Nullable T property, Function<T, StepDefinition> kind) {
        return property == null ? null : kind.apply(property);
    }
}
