package io.millrace.codec;

import org.apiguardian.api.API;

/** Receives records that could not be processed. */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface RejectSink {

    /**
     * Receives one record. The caller removes it from the selection of the batch before or after this call.
     *
     * @param batch batch that contains the record
     * @param ordinal ordinal of the record
     * @param reason why it was rejected
     */
    void reject(RecordBatch batch, int ordinal, RejectReason reason);
}
