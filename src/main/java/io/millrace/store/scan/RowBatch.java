package io.millrace.store.scan;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import java.util.Arrays;

/** Stored records of the fixed layout: blocks are read in place, entries are collected first. */
final class RowBatch implements StoredBatch {

    private final RecordBatch batch;
    private final int recordLength;
    private byte[] gathered = new byte[0];

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
        fill(block.bytes(), block.recordsAt(), block.count());
        return true;
    }

    @Override
    public void show(byte[][] entries, int count, RejectSink unreadable) {
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
    public byte[] copy(int index) {
        int at = batch.offset(batch.selection()[index]);
        return Arrays.copyOfRange(batch.bytes(), at, at + recordLength);
    }

    @Override
    public void copy(int count, PackedRecords.Builder into) {
        int at = into.reserve(count, recordLength);
        for (int i = 0; i < count; i++, at += recordLength) {
            System.arraycopy(batch.bytes(), batch.offset(batch.selection()[i]), into.bytes(), at, recordLength);
        }
    }

    /** Copies a record only if it is retained: a reference into a block would hold the whole block in memory. */
    @Override
    public void offer(TopRecords top, long[][] columns, int index) {
        if (top.keeps(columns, index)) {
            top.offer(columns, index, copy(index), 0);
        }
    }
}
