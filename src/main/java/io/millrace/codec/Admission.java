package io.millrace.codec;

/**
 * Checks every record before the first step. Afterwards each field of each record that is still selected can be read.
 * Not thread-safe.
 */
public interface Admission {

    /**
     * Removes unreadable records from the selection and sends each to the sink with the reason.
     *
     * @param batch records of the schema, possibly with fields that steps add
     */
    void admit(RecordBatch batch, RejectSink rejects);

    /**
     * Returns the constraints that it checks, as text. Of equal schemas, those with equal texts admit the same records.
     */
    default String constraints() {
        return "";
    }
}
