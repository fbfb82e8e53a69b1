package io.millrace.store;

/** Makes something of a stored record. */
@FunctionalInterface
public interface RecordReader<T> {

    /**
     * Reads a record.
     *
     * @param stored array that holds its {@linkplain StoredForm stored form}; not to be kept or changed
     * @param from where it begins
     * @param to where it ends
     * @throws io.millrace.codec.FieldValueException where the bytes of a field are no value of its type: the record
     *     counts as failed
     * @throws NoResultException where something computed has no result: likewise
     */
    T read(byte[] stored, int from, int to);
}
