package io.millrace.view;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The constructor of a generated class. */
@API(status = API.Status.STABLE)
@FunctionalInterface
public interface RecordFactory {

    /**
     * Creates a record.
     *
     * @param form how the bytes are read
     * @param bytes array that contains the record
     * @param at offset in bytes at which the record, or the part of it, begins
     * @param state rows or index of the record, or null
     */
    BinaryRecord create(RecordForm form, byte[] bytes, int at, @Nullable Object state);
}
