package io.millrace.store.scan;

import io.millrace.codec.Admission;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.schema.Schema;
import io.millrace.store.block.Block;
import io.millrace.store.region.EntryVersions;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/**
 * Stored records that vary in length, without regard to columns: their fields that are in the schema's row are located
 * again, and added fields are copied next to them. Blocks are read in place, entries are collected first.
 */
final class VariedBatch implements StoredBatch {

    private final RecordBatch batch;
    private final Admission finder;
    /** Finds single values and elements in one pass: columns have decided where elements are not needed. */
    private final Supplier<Admission> finderOfSelected;

    private final StoredForm form;
    private final int foundLength;
    private final int addedLength;
    private int[] bounds = new int[0];
    private byte[] gathered = new byte[0];
    /** The block whose records {@link #bounds} delimits, or null. */
    private @Nullable Block bounded;

    VariedBatch(Schema schema) {
        batch = new RecordBatch(schema);
        finder = LayoutCodecs.of(schema).deferringFinder();
        finderOfSelected = SingletonSupplier.of(() -> LayoutCodecs.of(schema).finder());
        form = StoredForms.of(schema);
        foundLength = schema.foundLength();
        addedLength = form.commonLength();
    }

    @Override
    public RecordBatch batch() {
        return batch;
    }

    @Override
    public boolean show(Block block, RejectSink unreadable) {
        readBounds(block);
        fill(block.bytes(), block.count());
        copyAdded(block);
        finder.admit(batch, unreadable);
        return true;
    }

    /**
     * Fills the batch with the records of a block, of which only some are selected.
     *
     * @param ordinals of these, ascending
     */
    void show(Block block, int[] ordinals, int count, RejectSink unreadable) {
        readBounds(block);
        fill(block.bytes(), block.count());
        System.arraycopy(ordinals, 0, batch.selection(), 0, count);
        batch.select(count);
        copyAdded(block);
        finderOfSelected.get().admit(batch, unreadable);
    }

    private void readBounds(Block block) {
        if (!block.equals(bounded)) {
            block.checkRecords();
            ensureCapacity(block.count());
            block.bounds(bounds);
            bounded = block;
        }
    }

    private void copyAdded(Block block) {
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = batch.selection()[i];
            copyAdded(block.bytes(), block.addedAt(ordinal), ordinal);
        }
    }

    @Override
    public void show(byte[][] entries, int count, RejectSink unreadable) {
        bounded = null;
        ensureCapacity(count);
        int end = 0;
        for (int i = 0; i < count; i++) {
            bounds[i] = end;
            end += entries[i].length - addedLength - EntryVersions.CHECKSUM_LENGTH;
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
    public byte[] copy(int index) {
        return form.copy(batch, batch.selection()[index]);
    }

    /** Returns a copy of a record of a block, in its stored form; the records are checked when the first is copied. */
    byte[] copy(Block block, int ordinal) {
        readBounds(block);
        int length = bounds[ordinal + 1] - bounds[ordinal];
        byte[] value = new byte[addedLength + length];
        System.arraycopy(block.bytes(), block.addedAt(ordinal), value, 0, addedLength);
        System.arraycopy(block.bytes(), bounds[ordinal], value, addedLength, length);
        return value;
    }

    /** Copies a record, whose added fields are elsewhere, only if it is retained. */
    @Override
    public void offer(TopRecords top, long[][] columns, int index) {
        if (top.keeps(columns, index)) {
            top.offer(columns, index, copy(index), 0);
        }
    }
}
