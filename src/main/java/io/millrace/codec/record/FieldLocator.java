package io.millrace.codec.record;

import java.util.List;

/** Locates the values of fields in a record, for display. Not thread-safe. */
@FunctionalInterface
public interface FieldLocator {

    /**
     * Returns the locations of a record's fields.
     *
     * @param start offset of the record, to which the returned offsets are relative
     * @param end offset past the record
     */
    List<FieldBytes> find(byte[] bytes, int start, int end);
}
