package io.millrace.pipeline.step.filter;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;

/** Counts the rejects of one call and passes them on, so that a step can distinguish rejected from dropped records. */
final class CountingRejects implements RejectSink {

    private final RejectSink next;
    private int count;

    CountingRejects(RejectSink next) {
        this.next = next;
    }

    void reset() {
        count = 0;
    }

    int count() {
        return count;
    }

    @Override
    public void reject(RecordBatch batch, int ordinal, RejectReason reason) {
        count++;
        next.reject(batch, ordinal, reason);
    }
}
