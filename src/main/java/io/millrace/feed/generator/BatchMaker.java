package io.millrace.feed.generator;

import io.millrace.codec.RecordBatch;

/** Generates the records of a batch. Not thread-safe; filling allocates nothing. */
interface BatchMaker {

    /**
     * Sets a batch to generated records, which are valid until the next call.
     *
     * @param first number of the first record, from 0 on; the same number always yields the same record
     * @param count number of records
     */
    void fill(RecordBatch batch, long first, int count);

    /** Returns the distance between the positions of consecutive records. */
    int positionsPerRecord();
}
