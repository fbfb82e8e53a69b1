package io.millrace.codec;

import io.millrace.codec.tagged.TaggedFinder;
import io.millrace.schema.Schema;

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

    /**
     * The admission of a schema's records: checks those of the fixed layout, and finds the fields of those of the
     * tagged one.
     */
    static Admission of(Schema schema) {
        return schema.tagged() == null ? RecordValidator.of(schema.base()) : TaggedFinder.of(schema);
    }
}
