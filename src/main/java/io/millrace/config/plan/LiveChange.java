package io.millrace.config.plan;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.RegionProperties;
import io.millrace.extension.PropertyCheck;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.output.OutputDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.rules.RulesException.Mistake;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaDifference;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a change of rules needs a start for: other stored schemas, other measures, and targets that do not exist yet.
 *
 * @param setup the configuration with which the process has started
 * @param channels returns whether the application has a channel of a name that somebody receives from
 */
record LiveChange(Setup setup, MillraceProperties properties, Predicate<String> channels) {

    private static final String FROM_FILE = " Change the configuration, and restart.";

    /** Returns why a plan can't replace another one while the pipeline runs; empty if it can. */
    List<Mistake> refusals(PipelinePlan started, PipelinePlan next) {
        List<Mistake> refusals = new ArrayList<>();
        next.regions().forEach(region -> addRegion(region, next, refusals));
        addOutputs(started, next, refusals);
        Set<String> persistent = setup.regions().stream()
                .filter(RegionDefinition::persistent)
                .map(RegionDefinition::name)
                .collect(Collectors.toSet());
        if (started.keepsOnDisk(persistent::contains) != next.keepsOnDisk(persistent::contains)) {
            refusals.add(mistake(
                    "steps",
                    (next.keepsOnDisk(persistent::contains)
                                    ? "These rules store records on disk, but all regions of the pipeline were in memory."
                                    : "These rules store all records in memory, but the pipeline had a region on disk.")
                            + " Its positions would be stored elsewhere." + FROM_FILE));
        }
        addChannels(started, next, refusals);
        addMeasures(started, next, refusals);
        PartitionsCheck.mistakes(next, setup.regions()).forEach(why -> refusals.add(mistake("steps", why)));
        return refusals;
    }

    private void addRegion(String name, PipelinePlan next, List<Mistake> refusals) {
        RegionDefinition region = setup.regions().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
        RegionProperties configured = properties.regions().get(name);
        if (region == null || configured == null || Reject.isStoredIn(region)) {
            refusals.add(
                    mistake(name, "Region '" + name + "' can't store records of this pipeline. Use another region."));
            return;
        }
        if (setup.pipelines().stream()
                .anyMatch(plan -> name.equals(plan.definition().keepRaw()))) {
            refusals.add(mistake(name, "Region '" + name + "' stores the records of 'keep-raw'. Use another region."));
            return;
        }
        if (setup.pipelines().stream()
                .anyMatch(plan -> plan.definition().measureRegions().contains(name))) {
            refusals.add(mistake(name, "Region '" + name + "' stores the rows of a measure. Use another region."));
            return;
        }
        Schema stored = configured.keepAdded()
                ? next.targetSchema().stored()
                : next.targetSchema().base();
        if (stored.fingerprint() != region.schema().fingerprint()) {
            SchemaDescription before = SchemaDescription.of(region.schema());
            SchemaDescription after = SchemaDescription.of(stored);
            List<String> differences = SchemaDifference.between(before, after);
            refusals.add(mistake(
                    name,
                    "Region '" + name + "' stores records of another schema: " + String.join("; ", differences)
                            + ". To store other fields, send these records to a new region." + FROM_FILE));
        }
    }

    private void addOutputs(PipelinePlan started, PipelinePlan next, List<Mistake> refusals) {
        boolean same = started.targetSchema().stored().fingerprint()
                == next.targetSchema().stored().fingerprint();
        next.definition().outputs().forEach(output -> {
            if (!same) {
                List<String> differences = SchemaDifference.between(
                        SchemaDescription.of(started.targetSchema().stored()),
                        SchemaDescription.of(next.targetSchema().stored()));
                refusals.add(mistake(
                        output.name(),
                        "Output '" + output.name() + "' contains records of another schema: "
                                + String.join("; ", differences) + ". Send these records to a new region."
                                + FROM_FILE));
                return;
            }
            OutputDefinition definition = setup.outputs().get(output.name());
            if (definition != null) {
                definition.check(
                        next.targetSchema(),
                        new PropertyCheck("", (_, message) -> refusals.add(mistake(output.name(), message))));
            }
        });
    }

    private void addChannels(PipelinePlan started, PipelinePlan next, List<Mistake> refusals) {
        Set<Target> before = Set.copyOf(started.steps().getLast().targets());
        next.steps().getLast().targets().stream()
                .distinct()
                .filter(target -> target instanceof Target.ChannelTarget && !before.contains(target))
                .filter(target -> !channels.test(target.name()))
                .forEach(target -> refusals.add(mistake(
                        target.name(),
                        "Nobody receives from channel '" + target.name() + "'. Use a channel of the application.")));
    }

    private static void addMeasures(PipelinePlan started, PipelinePlan next, List<Mistake> refusals) {
        Map<String, MeasurePlan> before = byName(started);
        Map<String, MeasurePlan> after = byName(next);
        before.keySet().stream()
                .filter(name -> !after.containsKey(name))
                .forEach(name -> refusals.add(
                        mistake(name, "Measure '" + name + "' can't be removed while the pipeline runs." + FROM_FILE)));
        after.forEach((name, measure) -> {
            MeasurePlan running = before.get(name);
            if (running == null) {
                refusals.add(
                        mistake(name, "Measure '" + name + "' can't be added while the pipeline runs." + FROM_FILE));
            } else if (!running.differences(measure).isEmpty()) {
                refusals.add(mistake(
                        name,
                        "Measure '" + name + "' would change: "
                                + String.join("; ", running.differences(measure))
                                + ". Only conditions of its alerts can change while it counts. To count something else,"
                                + " add a measure with another name." + FROM_FILE));
            }
        });
    }

    private static Map<String, MeasurePlan> byName(PipelinePlan plan) {
        Map<String, MeasurePlan> measures = new LinkedHashMap<>();
        plan.measures().forEach(measure -> measures.put(measure.name(), measure));
        return measures;
    }

    private static Mistake mistake(String property, String message) {
        return new Mistake(property, "", message);
    }
}
