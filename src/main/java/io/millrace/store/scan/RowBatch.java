package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.error.StoreException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Stored records of the fixed layout: blocks are read in place, entries are collected first. */
final class RowBatch implements StoredBatch {

    private final RecordBatch batch;
    private final int recordLength;
    private byte[] gathered = new byte[0];
    /** The current values, or null if the records are in a block. */
    private byte @Nullable [][] values;

    RowBatch(Schema schema) {
        batch = new RecordBatch(schema);
        recordLength = schema.recordLength();
    }

    @Override
    public RecordBatch batch() {
        return batch;
    }

    @Override
    public boolean show(Block block, RejectSink unreadable) {
        block.checkRecords();
        values = null;
        fill(block.bytes(), block.recordsAt(), block.count());
        return true;
    }

    @Override
    public void show(byte[][] entries, int count, RejectSink unreadable) {
        values = entries;
        if (gathered.length < count * recordLength) {
            gathered = new byte[entries.length * recordLength];
        }
        for (int i = 0; i < count; i++) {
            System.arraycopy(entries[i], 0, gathered, i * recordLength, recordLength);
        }
        fill(gathered, 0, count);
    }

    private void fill(byte[] bytes, int at, int count) {
        batch.fill(bytes, at, count, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION);
    }

    @Override
    public void require(byte[] value) {
        if (value.length != recordLength) {
            throw new StoreException(
                    "Invalid length of the value: " + value.length + " bytes. Expected " + recordLength + ".");
        }
    }

    @Override
    public byte[] copy(int index) {
        int ordinal = batch.selection()[index];
        int at = batch.offset(ordinal);
        return values == null ? Arrays.copyOfRange(batch.bytes(), at, at + recordLength) : values[ordinal].clone();
    }

    @Override
    public void copy(int count, PackedRecords.Builder into) {
        int at = into.reserve(count, recordLength);
        for (int i = 0; i < count; i++, at += recordLength) {
            int ordinal = batch.selection()[i];
            if (values == null) {
                System.arraycopy(batch.bytes(), batch.offset(ordinal), into.bytes(), at, recordLength);
            } else {
                System.arraycopy(values[ordinal], 0, into.bytes(), at, recordLength);
            }
        }
    }

    @Override
    public void offer(TopRecords top, long[][] columns, int index) {
        int ordinal = batch.selection()[index];
        if (values == null) {
            if (top.keeps(columns, index)) {
                // A copy: a reference into a block would hold the whole block in memory.
                top.offer(columns, index, copy(index), 0);
            }
        } else {
            top.offer(columns, index, values[ordinal], 0);
        }
    }
}
