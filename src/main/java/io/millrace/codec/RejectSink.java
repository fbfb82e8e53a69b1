package io.millrace.codec;

/** Takes records that could not be processed. */
@FunctionalInterface
public interface RejectSink {

    /**
     * Keeps one record; the caller has taken it out of the batch's selection, or is about to.
     *
     * @param batch holds the record
     * @param ordinal which one
     * @param reason what is wrong with it, for a person to read
     */
    void reject(RecordBatch batch, int ordinal, RejectReason reason);
}
