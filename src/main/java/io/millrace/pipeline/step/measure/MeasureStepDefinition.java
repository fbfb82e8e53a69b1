package io.millrace.pipeline.step.measure;

import io.millrace.extension.PropertyCheck;
import io.millrace.measure.plan.MeasureDefinition;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.MeasurePlanner;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.PlanContext;
import io.millrace.pipeline.step.StepDefinition;
import io.millrace.pipeline.step.StepExplanation;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import io.millrace.schema.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.Delimiter;

/**
 * Properties of a measure: aggregates of groups of records over time windows.
 *
 * @param name name of the measure, unique among all measures
 * @param by fields by which records are grouped, or {@code expression as name}; empty for a single group
 * @param values names with the aggregates of each group, such as {@code count()} or {@code sum(amount)}
 * @param every length of a window; with {@code window}, the slide: the time between the ends of two windows. Required
 *     unless {@code daily} is set
 * @param window length of a sliding window, a multiple of {@code every}; by default, windows do not overlap
 * @param daily windows of one day each, instead of {@code every}
 * @param time expression for the event time of a record, an instant; by default the time at which it is processed
 * @param allowedLateness maximum difference between the latest event time and that of a record that is still counted; 0
 *     by default
 * @param idleTimeout time without records after which all windows close, with {@code time}; by default, windows stay
 *     open until later records close them
 * @param maxGroups maximum number of groups of a window; records of further groups are counted together
 * @param to targets of the rows of closed windows: regions, or {@code output:} followed by the name of an output;
 *     without it, they are not stored
 * @param meters number of groups of the last window whose values are exported as meters; 0 for none
 * @param alerts alerts on rows of closed windows, by name
 */
public record MeasureStepDefinition(
        @Nullable String name,
        // An expression may contain commas.
        @Delimiter(Delimiter.NONE) @DefaultValue List<String> by,
        @DefaultValue Map<String, String> values,
        @Nullable Duration every,
        @Nullable Duration window,
        @Nullable Daily daily,
        @Nullable String time,
        @Nullable Duration allowedLateness,
        @Nullable Duration idleTimeout,
        @DefaultValue("100000") int maxGroups,
        @Nullable List<String> to,
        @DefaultValue("0") int meters,
        @DefaultValue Map<String, Alert> alerts)
        implements StepDefinition {

    private static final String KIND = "measure";

    /**
     * Properties of windows of one day each.
     *
     * @param start time at which a day begins, such as 06:30
     * @param zone time zone of the start, such as Europe/Istanbul
     */
    public record Daily(
            @DefaultValue("00:00") String start,
            @DefaultValue("UTC") String zone) {}

    /**
     * Properties of an alert on the groups of a measure.
     *
     * @param when condition that raises the alert if the row of a group matches
     * @param until condition that clears the alert; by default the negation of {@code when}
     * @param raiseAfter number of consecutive windows in which {@code when} must match
     * @param clearAfter number of consecutive windows in which {@code until} must match
     * @param to targets that receive an event for each change: regions, {@code output:} followed by the name of an
     *     output, or {@code channel:} followed by that of a channel; none by default
     */
    public record Alert(
            @Nullable String when,
            @Nullable String until,
            @DefaultValue("1") int raiseAfter,
            @DefaultValue("1") int clearAfter,
            @Nullable List<String> to) {}

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void validate(PropertyCheck check) {
        new MeasureReader(this, check).read();
    }

    @Override
    public @Nullable StepPlan plan(PlanContext context) {
        TargetNames.of(to).requireKnown("to", context, false);
        alerts.forEach((alert, properties) ->
                TargetNames.of(properties.to()).requireKnown("alerts[" + alert + "].to", context, true));
        MeasureDefinition measure =
                new MeasureReader(this, new PropertyCheck("", (_, _) -> {})).read(); // they are reported
        MeasurePlan plan =
                new MeasurePlanner(measure, context.schema(), context.functions(), context.check()::report).plan();
        return plan == null
                ? null
                : new StepPlan(
                        explanation(context.name(), plan),
                        List.of(),
                        List.of(),
                        List.of(plan),
                        run -> new MeasureStep(context.name(), new MeasureAssembler(run).processor(plan), run.retry()));
    }

    private static StepExplanation explanation(String name, MeasurePlan plan) {
        return new StepExplanation(
                name,
                KIND,
                plan.codeBytes(),
                List.of(),
                plan.expressions().stream()
                        .map(one -> new ExplainedExpression(one.role(), one.target(), one.explanation()))
                        .toList());
    }

    /** Returns nothing: a measure changes no records. */
    @Override
    public List<String> rule(Schema records) {
        return List.of();
    }

    @Override
    public List<String> measureNames() {
        return Stream.ofNullable(name).toList();
    }

    @Override
    public List<Target> measureTargets() {
        return Stream.concat(
                        Stream.of(TargetNames.of(to)),
                        alerts.values().stream().map(alert -> TargetNames.of(alert.to())))
                .flatMap(names -> names.targets().stream())
                .toList();
    }
}
