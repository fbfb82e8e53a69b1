package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.store.block.Block;

/**
 * Stored values as a batch that compiled expressions can read, and access to the records that a query retains. Not
 * thread-safe.
 */
interface StoredBatch {

    /** Returns the batch; its content is valid until other values are shown. */
    RecordBatch batch();

    /**
     * Fills the batch with the records of a block, or those of them that {@linkplain #tested passed} the query's tests.
     * Passes unreadable records to the sink and removes them from the selection.
     *
     * @param block whose header was checked; its records are checked as far as they are read
     * @return false if evidently no record passes the tests: then the batch is not filled
     * @throws io.millrace.store.block.BlockFormatException if they are corrupt
     */
    boolean show(Block block, RejectSink unreadable);

    /**
     * Returns whether the batch contains only records that passed the query's tests, so that only the rest must be
     * evaluated.
     */
    default boolean tested() {
        return false;
    }

    /**
     * Fills the batch with {@code count} records that are values of their own; otherwise as for a block.
     *
     * @param entries as {@link io.millrace.store.region.EntryVersions#newest} returned them; copied
     */
    void show(byte[][] entries, int count, RejectSink unreadable);

    /**
     * Computes the order of the records in the batch by a field, as
     * {@link io.millrace.expression.ExpressionCompiler#orderKeys} does, if that is possible without assembling them.
     *
     * @param field whose numbers are in the order of its values
     * @param into receives the keys of the records in the selection
     * @return whether that was possible
     */
    default boolean keys(String field, long[] into) {
        return false;
    }

    /**
     * Returns a copy of a record, in its {@linkplain io.millrace.store.region.StoredForm stored form}.
     *
     * @param index of the record in the selection
     */
    byte[] copy(int index);

    /** Copies the first {@code count} records of the selection, in their stored form. */
    default void copy(int count, PackedRecords.Builder into) {
        for (int i = 0; i < count; i++) {
            into.add(copy(i));
        }
    }

    /**
     * Offers a record of the batch.
     *
     * @param columns values of each key of the order
     * @param index of the record in the selection, and of its values in each column
     */
    void offer(TopRecords top, long[][] columns, int index);
}
