package io.millrace.store;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;

/** Stored values as a batch that compiled expressions can read, and what of it a query keeps. Not thread-safe. */
interface StoredBatch {

    /**
     * The batch of a region's values.
     *
     * @param schema that expressions are compiled against: that of the stored records, of the tagged layout perhaps
     *     with room for fewer fields
     * @param query what is asked of the records
     */
    static StoredBatch of(Schema schema, EncodedQuery query) {
        return schema.tagged() == null
                ? new ColumnBatch(schema, ColumnLayout.of(schema), query)
                : new VariedBatch(schema);
    }

    /** The batch; what it shows is good until other values are shown. */
    RecordBatch batch();

    /**
     * Shows the records of a block, or those of them that {@linkplain #tested passed} the query's tests. Those that
     * can't be read are handed to the sink and leave the selection.
     *
     * @param block whose header was checked; its records are, as far as they are read
     * @return false where it is plain that no record passes the tests: then none is shown
     * @throws BlockFormatException where they are damaged
     */
    boolean show(Block block, RejectSink unreadable);

    /** Whether the records shown are those that passed the query's tests, so that only the rest need be asked. */
    default boolean tested() {
        return false;
    }

    /** Shows records that are values of their own, as many as there are; else as blocks are shown. */
    void show(byte[][] values, int count, RejectSink unreadable);

    /**
     * Refuses a value that is no record.
     *
     * @throws StoreException saying why
     */
    void require(byte[] value);

    /**
     * Gives the order of the records shown by a field, as {@link io.millrace.expression.ExpressionCompiler#orderKeys}
     * does, where it can be had without putting them together.
     *
     * @param field whose numbers are in the order of its values
     * @param into receives the keys of the records in the selection
     * @return whether that was so
     */
    default boolean keys(String field, long[] into) {
        return false;
    }

    /**
     * A copy of a record, in its {@linkplain StoredForm stored form}.
     *
     * @param index of the record in the selection
     */
    byte[] copy(int index);

    /**
     * Offers a record of the batch.
     *
     * @param columns for each key of the order its values
     * @param index of the record in the selection, and of its values in each column
     */
    void offer(TopRecords top, long[][] columns, int index);
}
