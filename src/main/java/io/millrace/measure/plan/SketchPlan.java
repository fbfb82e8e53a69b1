package io.millrace.measure.plan;

/**
 * A sketch that each group has.
 *
 * @param kind what it estimates
 * @param input index of its input column: among distinct keys, or among the columns of aggregates
 * @param real for quantiles: whether the column holds doubles in their order-preserving form
 * @param scale for quantiles: number of fraction digits of the column's decimals
 */
public record SketchPlan(Kind kind, int input, boolean real, int scale) {

    /** What a sketch estimates. */
    public enum Kind {
        /** The number of distinct values. */
        DISTINCT,
        /** Quantiles of the values. */
        QUANTILES
    }
}
