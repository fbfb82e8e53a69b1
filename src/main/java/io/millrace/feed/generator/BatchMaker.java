package io.millrace.feed.generator;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;

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

    /** Returns whether records of a schema can be generated. */
    static boolean canMake(Schema schema) {
        return !schema.layout().variesInLength() || schema.name().equals(AccountingMaker.SCHEMA);
    }

    /**
     * Returns the generator for the records of a schema.
     *
     * @param batchRecords maximum number of records per batch
     * @throws IllegalArgumentException if records of this schema cannot be generated
     */
    static BatchMaker of(Schema schema, long seed, int batchRecords) {
        if (!schema.layout().variesInLength()) {
            return new FixedMaker(schema, seed, batchRecords);
        }
        if (canMake(schema)) {
            return new AccountingMaker(seed, batchRecords);
        }
        throw new IllegalArgumentException("Unable to generate records of schema '" + schema.name() + "', of the "
                + schema.layout().name() + " layout. Use a schema of the fixed layout, or " + AccountingMaker.SCHEMA
                + ".");
    }
}
