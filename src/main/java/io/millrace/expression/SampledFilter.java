package io.millrace.expression;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.expression.bytecode.FilterLoop;

/**
 * Two loops of one condition, of which each batch picks the faster by its first records. The processor foresees the
 * branches of a condition that holds nearly always or nearly never, and then skips what need not be asked; otherwise
 * the loop without branches is the faster (micro-adaptivity, B. Răducanu et al., SIGMOD 2013).
 */
record SampledFilter(FilterLoop branching, FilterLoop branchFree) implements BatchFilter {

    private static final int SAMPLE = 128;

    /** Up to so many of the sample may surprise the processor before the loop without branches is worth it. */
    private static final int SURPRISES_MAX = SAMPLE / 16;

    @Override
    public void apply(RecordBatch batch, RejectSink rejects) {
        int selected = batch.selected();
        int sample = Math.min(SAMPLE, selected);
        int kept = branchFree.run(batch, rejects, 0, sample, 0);
        if (sample < selected) {
            boolean foreseen = Math.min(kept, sample - kept) <= SURPRISES_MAX;
            FilterLoop loop = foreseen ? branching : branchFree;
            kept = loop.run(batch, rejects, sample, selected, kept);
        }
        batch.select(kept);
    }
}
