package io.millrace.measure;

/**
 * A sketch that is kept of each group.
 *
 * @param kind what it tells
 * @param input index of the column that it is fed from: of identities, or of figures
 * @param real quantiles: whether the column holds doubles in their order
 * @param scale quantiles: digits behind the point of the column's numbers
 */
record SketchPlan(Kind kind, int input, boolean real, int scale) {

    /** What a sketch tells. */
    enum Kind {
        /** How many different values there were. */
        DISTINCT,
        /** Values below which so much of all lies. */
        QUANTILES
    }
}
