package io.millrace.store.query;

/** Reads a stored record as an object. */
@FunctionalInterface
public interface StoredRecordReader<T> {

    /**
     * Reads a record.
     *
     * @param stored array that contains its {@linkplain io.millrace.store.region.StoredForm stored form}; must not be
     *     retained or changed
     * @param from start offset of the record
     * @param to end offset of the record
     * @throws io.millrace.codec.FieldValueException if the bytes of a field are not a value of its type: the record
     *     counts as failed
     * @throws NoResultException if a computed value has no result: likewise
     */
    T read(byte[] stored, int from, int to);
}
