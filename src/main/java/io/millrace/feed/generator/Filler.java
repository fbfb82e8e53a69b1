package io.millrace.feed.generator;

/** Writes the fields of a record. */
interface Filler {
    /**
     * Writes a record to a range of zeros.
     *
     * @param record number of the record, from 0 on
     */
    void fill(byte[] into, int at, long record, Draws draws);
}
