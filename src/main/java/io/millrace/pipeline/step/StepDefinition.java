package io.millrace.pipeline.step;

import io.millrace.schema.Schema;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A step of a pipeline as configured. Each kind of step has a package with its definition, which compiles to a
 * {@link StepPlan}, and its {@link BatchStep}, which processes batches and counts records. Immutable.
 */
public interface StepDefinition {

    /** Returns the name of this kind of step in configuration, channels and metrics. */
    String kind();

    /**
     * Validates the properties that need neither a schema nor other parts of the configuration.
     *
     * @param problems receives each error: the property, relative to the step, and the message
     */
    default void validate(BiConsumer<String, String> problems) {}

    /**
     * Compiles the step.
     *
     * @param context schema of the records that reach the step; receives the fields that the step adds, and each error
     * @return the plan, or null if an error was reported
     */
    @Nullable
    StepPlan plan(PlanContext context);

    /**
     * Returns the rule by which the step selects and changes records, in parts: steps with equal rules do the same to
     * every record. Stored as a fingerprint, so it must not change without a change of the rule. Empty if the step
     * neither selects nor changes records.
     *
     * @param records schema of the feed's records
     */
    List<String> rule(Schema records);

    /** Returns whether the step sends all records to targets, so that no step can follow. */
    default boolean endsPipeline() {
        return false;
    }

    /** Returns the targets of records. */
    default List<Target> targets() {
        return List.of();
    }

    /** Returns the names of the regions that store the results of measures. */
    default List<String> measureRegions() {
        return List.of();
    }
}
