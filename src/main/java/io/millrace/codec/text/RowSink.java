package io.millrace.codec.text;

import io.millrace.codec.ChildRows;
import java.io.IOException;
import java.util.List;

/** Receives records as rows of values: the bytes of a fixed record, or the row of a compact one. */
@FunctionalInterface
public interface RowSink {

    /**
     * Receives a record, whose values are valid.
     *
     * @param row array that contains the row; valid during the call
     * @param at offset of the row
     * @param children elements of the repeating parts, in the order of the schema's groups
     * @param ordinal index of the record, of which the elements are children
     * @throws IllegalArgumentException if the record is too long for the format or violates a condition of its schema;
     *     nothing is written
     */
    void write(byte[] row, int at, List<ChildRows> children, int ordinal) throws IOException;
}
