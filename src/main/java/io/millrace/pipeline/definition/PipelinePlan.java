package io.millrace.pipeline.definition;

import io.millrace.expression.FieldPlace;
import io.millrace.measure.MeasurePlan;
import io.millrace.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A pipeline, checked and compiled, ready to run.
 *
 * @param definition what it was made from
 * @param schema of its records, with all fields that its steps add
 * @param steps in order
 */
public record PipelinePlan(PipelineDefinition definition, Schema schema, List<StepPlan> steps) {

    public String name() {
        return definition.name();
    }

    /** What its expressions became. */
    public PipelineExplanation explanation() {
        return new PipelineExplanation(
                name(),
                schema.name(),
                schema.baseLength(),
                schema.recordLength() - schema.baseLength(),
                steps.stream().map(StepPlan::explanation).toList());
    }

    /** Names of all fields that its expressions read. */
    public Set<String> reads() {
        return steps.stream()
                .flatMap(step -> step.explanation().expressions().stream())
                .map(ExplainedExpression::explanation)
                .filter(Objects::nonNull)
                .flatMap(explanation -> explanation.reads().stream())
                .map(FieldPlace::name)
                .collect(Collectors.toSet());
    }

    /**
     * Identifies the rules that judge and change its records: equal for equal ones. Measures, which change nothing, and
     * what tables hold are no part of it.
     */
    public String rules() {
        String text = schema.base().fingerprintHex()
                + definition.steps().stream()
                        .filter(step -> !(step instanceof StepDefinition.MeasureStepDefinition))
                        .map(Object::toString)
                        .collect(Collectors.joining("\n"));
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /** Its measures, in order. */
    public List<MeasurePlan> measures() {
        return steps.stream()
                .filter(StepPlan.MeasureStepPlan.class::isInstance)
                .map(step -> ((StepPlan.MeasureStepPlan) step).measure())
                .toList();
    }

    /** Whether any of its regions, and those of its measures, is kept on disk; then its states are too. */
    public boolean keepsOnDisk(Predicate<String> region) {
        return Stream.concat(regions().stream(), definition.measureRegions().stream())
                .anyMatch(region);
    }

    /** Names of the regions that records can end in, rejects aside. */
    public Set<String> regions() {
        return definition.regions();
    }
}
