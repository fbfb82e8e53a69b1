package io.millrace.codec.compact;

/** Code that {@link FinderClass} generates to read the records of one schema. Stateless. */
interface GeneratedFinder {

    /**
     * Writes a record to rows.
     *
     * @param at offset of the record
     * @param end offset past the record
     * @param row receives the single values
     * @param rowAt offset of the row
     * @param elements receives the elements
     * @param parent index of the record, of which the elements are children
     * @return false if the record is malformed or has a form that the code does not handle. The row and the elements
     *     are then incomplete
     */
    boolean find(byte[] bytes, int at, int end, byte[] row, int rowAt, ElementRows elements, int parent);
}
