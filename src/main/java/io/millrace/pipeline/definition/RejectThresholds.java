package io.millrace.pipeline.definition;

/**
 * Shares of rejected records at which a pipeline warns, is degraded, or fails. A share counts as reached only if at
 * least one record was rejected.
 *
 * @param warnAt share from 0 to 1 at which the pipeline warns; {@link #NEVER} for no warning and no degraded state
 * @param failAt share from 0 to 1 at which the pipeline fails; {@link #NEVER} to continue whatever is rejected
 */
public record RejectThresholds(double warnAt, double failAt) {

    /** A share that is never reached. */
    public static final double NEVER = Double.POSITIVE_INFINITY;

    /** A pipeline that rejects at least this share, and at least {@link #warnAt}, is degraded. */
    public static final double DEGRADED_AT = 0.95;

    /** Warns from 1 %, never fails. */
    public static final RejectThresholds DEFAULT = new RejectThresholds(0.01, NEVER);

    /** Returns the share at which the pipeline is degraded. */
    public double degradedAt() {
        return Math.max(DEGRADED_AT, warnAt);
    }
}
