package io.millrace.pipeline.definition;

import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.layout.RecordUpgrade;
import io.millrace.expression.FieldPlace;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.pipeline.step.Target;
import io.millrace.schema.Schema;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.schema.evolution.SchemaEvolution;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A validated and compiled pipeline, ready to run.
 *
 * @param definition the definition it was compiled from
 * @param stages stages in order, at least one
 */
public record PipelinePlan(PipelineDefinition definition, List<Stage> stages) {

    /**
     * Steps that process the same records. The last step of each stage but the last makes the records of the next one.
     *
     * @param schema schema of the records, with all fields that the steps add
     * @param steps steps in order
     */
    public record Stage(Schema schema, List<StepPlan> steps) {
        public Stage {
            steps = List.copyOf(steps);
        }
    }

    public PipelinePlan {
        stages = List.copyOf(stages);
    }

    /** Returns the schema of the feed's records, with all fields that the steps of the first stage add. */
    public Schema schema() {
        return stages.getFirst().schema();
    }

    /** Returns the schema of the records that reach the targets, with all fields that the last stage adds. */
    public Schema targetSchema() {
        return stages.getLast().schema();
    }

    /** Returns all steps, in order. */
    public List<StepPlan> steps() {
        return stages.stream().flatMap(stage -> stage.steps().stream()).toList();
    }

    public String name() {
        return definition.name();
    }

    /** Returns the explanation of its compiled expressions. */
    public PipelineExplanation explanation() {
        return new PipelineExplanation(
                name(),
                definition.feed().describe(),
                schema().name(),
                schema().baseLength(),
                schema().recordLength() - schema().baseLength(),
                steps().stream().map(StepPlan::explanation).toList());
    }

    /** Returns the names of all fields that its expressions and steps read. */
    public Set<String> reads() {
        Stream<String> ofExpressions = steps().stream()
                .flatMap(step -> step.explanation().expressions().stream())
                .map(ExplainedExpression::explanation)
                .filter(Objects::nonNull)
                .flatMap(explanation -> explanation.reads().stream())
                .map(FieldPlace::name);
        Stream<String> ofSteps = steps().stream().flatMap(step -> step.reads().stream());
        return Stream.concat(ofExpressions, ofSteps).collect(Collectors.toSet());
    }

    /**
     * Returns the fingerprint of the rules that select and change its records, including the constraints that reject
     * records before the first step. Equal rules have equal fingerprints. Measures, which change no records, and the
     * contents of tables are not part of the rules.
     */
    public String rules() {
        return rules(schema().base().fingerprintHex());
    }

    private String rules(String fingerprint) {
        Schema records = schema().base();
        String text = fingerprint
                + admission(records)
                + definition.steps().stream()
                        .map(step -> step.rule(records))
                        .filter(rule -> !rule.isEmpty())
                        .map(PipelinePlan::text)
                        .collect(Collectors.joining());
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Returns the description of the records that the feed delivers. */
    public SchemaDescription records() {
        return SchemaDescription.of(schema().base());
    }

    /**
     * Returns the fingerprint of these rules with an earlier version of the schema, as {@link #rules()}; null if
     * records that these rules accepted with that version could be other records now.
     *
     * @param version of the records that the feed delivers
     */
    public @Nullable String rulesWith(SchemaDescription version) {
        SchemaDescription now = records();
        boolean same = SchemaEvolution.between(version, now).isAccepted()
                && (definition.feed().readsText()
                        ? SchemaEvolution.acceptsTexts(version, now)
                        : RecordUpgrade.between(version, now).sameBytes());
        return same ? rules(version.fingerprint()) : null;
    }

    /** Returns the constraints that decide which records of the feed reach the first step. */
    private String admission(Schema records) {
        String constraints = LayoutCodecs.of(records).admission().constraints()
                + definition.feed().constraints(records);
        return constraints.isEmpty() ? "" : text(List.of("constraints", constraints));
    }

    /** Returns the parts, each after its length, so that no other parts have the same text. */
    private static String text(List<String> rule) {
        return rule.stream().map(part -> " " + part.length() + ":" + part).collect(Collectors.joining("", "\n", ""));
    }

    /** Returns its measures, in order. */
    public List<MeasurePlan> measures() {
        return steps().stream().flatMap(step -> step.measures().stream()).toList();
    }

    /**
     * Returns whether any region of the pipeline or its measures is persistent, or records go to an output, which
     * remains like one. If so, commits and the states of measures are too.
     *
     * @param region returns whether the region of a name is persistent
     */
    public boolean keepsOnDisk(Predicate<String> region) {
        return definition.hasOutputs()
                || Stream.concat(definition.recordRegions().stream(), definition.measureRegions().stream())
                        .anyMatch(region);
    }

    /** Returns the regions and outputs that its steps can send records to. */
    public List<Target> targets() {
        Stream<Target> regions = regions().stream().map(Target.RegionTarget::new);
        return Stream.concat(regions, definition.outputs().stream()).toList();
    }

    /** Returns the names of the regions that its steps can send records to. */
    public Set<String> regions() {
        return definition.regions();
    }
}
