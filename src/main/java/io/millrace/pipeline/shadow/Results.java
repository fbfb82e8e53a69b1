package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;

/**
 * What rules did with the records of a batch.
 *
 * @param batch the records, with the values that the rules have set
 * @param decisions what they did with each
 * @param made what they did with the records that they made of these
 */
record Results(RecordBatch batch, Decisions decisions, MadeRecords made) {

    /**
     * Returns what they did with a record.
     *
     * @param ordinal ordinal of the record in the batch
     * @param index index of a record that was made of it; {@link MadeRecords#NONE} for the record itself
     */
    int decision(int ordinal, int index) {
        return index == MadeRecords.NONE ? decisions.of(ordinal) : made.decision(index);
    }

    /** Returns why they rejected a record. */
    RejectReason reason(int ordinal, int index) {
        return index == MadeRecords.NONE ? decisions.reason(ordinal) : made.reason(index);
    }
}
