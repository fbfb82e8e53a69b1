package io.millrace.store.scan;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.StoredForm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stored records that vary in length: their fields that are in the schema's row are located again, and added fields are
 * copied next to them. Blocks are read in place, entries are collected first.
 */
final class VariedBatch implements StoredBatch {

    private final RecordBatch batch;
    private final Admission finder;
    private final StoredForm form;
    private final int foundLength;
    private final int addedLength;
    private int[] bounds = new int[0];
    private byte[] gathered = new byte[0];
    /** The current values, or null if the records are in a block. */
    private byte @Nullable [][] values;

    VariedBatch(Schema schema) {
        batch = new RecordBatch(schema);
        finder = LayoutCodecs.of(schema).deferringFinder();
        form = StoredForm.of(schema);
        foundLength = schema.foundLength();
        addedLength = form.commonLength();
    }

    @Override
    public RecordBatch batch() {
        return batch;
    }

    @Override
    public boolean show(Block block, RejectSink unreadable) {
        block.checkRecords();
        values = null;
        int count = block.count();
        ensureCapacity(count);
        block.bounds(bounds);
        fill(block.bytes(), count);
        for (int i = 0; i < count; i++) {
            copyAdded(block.bytes(), block.addedAt(i), i);
        }
        finder.admit(batch, unreadable);
        return true;
    }

    @Override
    public void show(byte[][] entries, int count, RejectSink unreadable) {
        values = entries;
        ensureCapacity(count);
        int end = 0;
        for (int i = 0; i < count; i++) {
            bounds[i] = end;
            end += entries[i].length - addedLength;
        }
        bounds[count] = end;
        if (gathered.length < end) {
            gathered = new byte[Math.max(end, 2 * gathered.length)];
        }
        fill(gathered, count);
        for (int i = 0; i < count; i++) {
            System.arraycopy(entries[i], addedLength, gathered, bounds[i], bounds[i + 1] - bounds[i]);
            copyAdded(entries[i], 0, i);
        }
        finder.admit(batch, unreadable);
    }

    private void ensureCapacity(int count) {
        if (bounds.length <= count) {
            bounds = Arrays.copyOf(bounds, Math.max(count + 1, 2 * bounds.length));
        }
    }

    private void fill(byte[] bytes, int count) {
        batch.fill(bytes, bounds, count, RecordBatch.NO_POSITION);
    }

    private void copyAdded(byte[] from, int at, int ordinal) {
        System.arraycopy(from, at, batch.added(), batch.addedOffset(ordinal) + foundLength, addedLength);
    }

    @Override
    public void require(byte[] value) {
        if (value.length < addedLength) {
            throw new StoreException("length=" + value.length
                    + " of the value is below that of the fields added to a record, " + addedLength);
        }
    }

    @Override
    public byte[] copy(int index) {
        int ordinal = batch.selection()[index];
        return values == null ? form.copy(batch, ordinal) : values[ordinal].clone();
    }

    /** Copies a record of a block, where the record and its added fields are apart, only if it is retained. */
    @Override
    public void offer(TopRecords top, long[][] columns, int index) {
        if (top.keeps(columns, index)) {
            int ordinal = batch.selection()[index];
            top.offer(columns, index, values == null ? form.copy(batch, ordinal) : values[ordinal], 0);
        }
    }
}
