package io.millrace.codec;

/**
 * What every record passes before anything computes with it: afterwards each field of each record that is still
 * selected can be read. Belongs to one thread.
 */
public interface Admission {

    /**
     * Takes each record that can't be read out of the selection and hands it to the sink, with what is wrong.
     *
     * @param batch of the schema's records, maybe with fields that steps add
     */
    void admit(RecordBatch batch, RejectSink rejects);
}
