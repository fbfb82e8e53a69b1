package io.millrace.feed.generator;

import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;

/** Makes up the records of a batch. Not thread-safe; filling allocates nothing. */
interface BatchMaker {

    /**
     * Makes a batch show made-up records, which are good until the next call.
     *
     * @param first number of the first record, from 0 on; the same number always makes the same record
     * @param count how many
     */
    void fill(RecordBatch batch, long first, int count);

    /** How far positions are apart from one record to the next. */
    int positionsPerRecord();

    /** Whether records of a schema can be made up. */
    static boolean canMake(Schema schema) {
        return schema.tagged() == null || schema.name().equals(AccountingMaker.SCHEMA);
    }

    /**
     * What makes the records of a schema.
     *
     * @param batchRecords the most records of a batch
     * @throws IllegalArgumentException where records of this schema can't be made up
     */
    static BatchMaker of(Schema schema, long seed, int batchRecords) {
        if (schema.tagged() == null) {
            return new FixedMaker(schema, seed, batchRecords);
        }
        if (canMake(schema)) {
            return new AccountingMaker(seed, batchRecords);
        }
        throw new IllegalArgumentException("records of schema " + schema.name()
                + " can't be made up: of the tagged layout only those of " + AccountingMaker.SCHEMA);
    }
}
