package io.millrace.pipeline.definition;

/**
 * The shares of rejected records at which a pipeline warns, is degraded, or fails. A share is reached only if at least
 * one record was rejected.
 *
 * @param warnAt share from 0 to 1 at which the pipeline warns; {@link #NEVER} for no warning and no degraded state
 * @param failAt share from 0 to 1 at which the pipeline fails; {@link #NEVER} to continue in any case
 */
public record RejectThresholds(double warnAt, double failAt) {

    /** A share that is never reached. */
    public static final double NEVER = Double.POSITIVE_INFINITY;

    /** The share at which a pipeline is degraded, provided that it also reaches {@link #warnAt}. */
    public static final double DEGRADED_AT = 0.95;

    /** The default: warns at 1 % and never fails. */
    public static final RejectThresholds DEFAULT = new RejectThresholds(0.01, NEVER);

    /** Returns the share at which the pipeline is degraded. */
    public double degradedAt() {
        return Math.max(DEGRADED_AT, warnAt);
    }
}
