package io.millrace.pipeline.definition;

/**
 * The share of late records at which a pipeline warns of a measure, provided that at least one record was late.
 *
 * @param warnAt share from 0 to 1; {@link RejectThresholds#NEVER} for no warning
 */
public record LateThresholds(double warnAt) {

    /** Warns at 1%. */
    public static final LateThresholds DEFAULT = new LateThresholds(0.01);
}
