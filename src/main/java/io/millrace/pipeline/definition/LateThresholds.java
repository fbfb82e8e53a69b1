package io.millrace.pipeline.definition;

/**
 * The shares of late records of a measure at which a pipeline warns or fails. A share is reached only if at least one
 * record was late.
 *
 * @param warnAt share from 0 to 1 at which the pipeline warns; {@link RejectThresholds#NEVER} for no warning
 * @param failAt share from 0 to 1 at which the pipeline fails; {@link RejectThresholds#NEVER} to continue in any case
 */
public record LateThresholds(double warnAt, double failAt) {

    /** Warns at 1% and never fails. */
    public static final LateThresholds DEFAULT = new LateThresholds(0.01, RejectThresholds.NEVER);
}
