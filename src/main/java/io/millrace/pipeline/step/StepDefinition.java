package io.millrace.pipeline.step;

import io.millrace.extension.PropertyCheck;
import io.millrace.schema.Schema;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A step of a pipeline as configured. It compiles to a {@link StepPlan}, which creates the {@link BatchStep} that
 * processes batches and counts records. Immutable.
 */
@API(status = API.Status.STABLE)
public interface StepDefinition {

    /** Returns the name of this kind of step in configuration, channels and metrics. */
    String kind();

    /** Validates the properties that need neither a schema nor other parts of the configuration. */
    default void validate(PropertyCheck check) {
        // all values are valid
    }

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
    @API(status = API.Status.INTERNAL)
    default boolean endsPipeline() {
        return false;
    }

    /** Returns the targets of records. */
    @API(status = API.Status.INTERNAL)
    default List<Target> targets() {
        return List.of();
    }

    /** Returns the targets of the rows and alerts of measures. */
    @API(status = API.Status.INTERNAL)
    default List<Target> measureTargets() {
        return List.of();
    }

    /** Returns the names of the measures that the step computes. */
    @API(status = API.Status.INTERNAL)
    default List<String> measureNames() {
        return List.of();
    }
}
