package io.millrace.codec.tagged;

/** Code that {@link TaggedFinderClass} generates to read the records of one schema. Stateless. */
interface GeneratedTaggedFinder {

    /** Returned if the record has to be rejected. */
    int UNEXPECTED = -1;

    /**
     * Writes the fields of a record to a row.
     *
     * @param start offset of the record
     * @param end offset past the record
     * @param at offset of the row in {@code row}
     * @return number of values that are invalid for their field's type, or {@link #UNEXPECTED}. The row is then
     *     incomplete
     */
    int find(byte[] bytes, int start, int end, byte[] row, int at);
}
