package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.bytecode.RecordLoop;

/**
 * Chooses between two loops of one condition for each batch, by its first records. The branches of a condition that
 * nearly always or nearly never holds are predicted well by the processor, and the branching loop evaluates less.
 * Otherwise the branch-free loop is faster (micro-adaptivity, B. Răducanu et al., SIGMOD 2013).
 */
record SampledFilter(RecordLoop branching, RecordLoop branchFree) implements BatchFilter {

    private static final int SAMPLE_RECORDS = 128;

    /** Maximum number of mispredictions in the sample with which the branching loop is faster. */
    private static final int MISPREDICTIONS_MAX = SAMPLE_RECORDS / 16;

    @Override
    public void apply(RecordBatch batch, RejectSink rejects) {
        int selected = batch.selected();
        int sample = Math.min(SAMPLE_RECORDS, selected);
        int kept = branchFree.run(batch, null, rejects, 0, sample, 0);
        if (sample < selected) {
            boolean predictable = Math.min(kept, sample - kept) <= MISPREDICTIONS_MAX;
            RecordLoop loop = predictable ? branching : branchFree;
            kept = loop.run(batch, null, rejects, sample, selected, kept);
        }
        batch.select(kept);
    }
}
