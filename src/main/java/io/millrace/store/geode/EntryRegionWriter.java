package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.EntryKey;
import io.millrace.store.RegionDefinition;
import io.millrace.store.RegionWriter;
import io.millrace.store.Removals;
import io.millrace.store.StoredForm;
import io.millrace.store.WriterCounters;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as entries of their own, in chunks; of two with the same key the later one wins, in a chunk as in the
 * region, and one that {@linkplain Removals removes} takes the entry away that is there then. The position is put by
 * {@link #flush()} after the records before it, so that a replay from there writes some records again and ends with the
 * same entries.
 */
final class EntryRegionWriter implements RegionWriter {

    private final OpenRegion target;
    private final Positions positions;
    private final String positionKey;
    private final RejectSink rejects;
    private final boolean tagged;
    private final EntryKey keys;
    private final StoredForm form;
    private final @Nullable Removals removals;
    private final BatchCursor cursor;
    private final WriterCounters counters = new WriterCounters();
    private final Counter covered = new Counter();
    private final EntryChunk chunk;
    private long reached;
    private boolean open;

    /**
     * @param records schema of the batches
     * @param removals which records remove entries, null where none do
     */
    EntryRegionWriter(
            OpenRegion target,
            Positions positions,
            String positionKey,
            Schema records,
            @Nullable Removals removals,
            RejectSink rejects) {
        RegionDefinition definition = target.definition();
        this.target = target;
        this.positions = positions;
        this.positionKey = positionKey;
        this.removals = removals;
        this.rejects = rejects;
        tagged = definition.schema().tagged() != null;
        keys = tagged ? EntryKey.of(definition, records) : EntryKey.of(definition);
        form = StoredForm.of(definition.schema());
        chunk = new EntryChunk(target, counters);
        cursor = new BatchCursor(definition.name(), definition.schema(), records, counters);
    }

    @Override
    public void open() {
        if (!open) {
            target.requireThere();
            reached = positions.get(positionKey, target.definition().persistent());
            covered.set(reached);
            cursor.storedBefore(reached);
            open = true;
        }
    }

    @Override
    public long covered() {
        return covered.get();
    }

    @Override
    public void append(RecordBatch batch) {
        open();
        boolean resumed = cursor.resumes(batch);
        int index = cursor.begin(batch);
        if (removals != null && !resumed) {
            // Once for a batch, so that a record for which the condition has no result is rejected once.
            removals.ask(batch, index, rejects);
        }
        if (chunk.full()) {
            chunk.store();
        }
        while (index < batch.selected()) {
            take(batch, batch.selection()[index]);
            cursor.taken(++index);
            if (chunk.full()) {
                chunk.store();
            }
        }
        cursor.end();
        counters.pending().set(chunk.records());
    }

    private void take(RecordBatch batch, int ordinal) {
        if (removals != null && removals.rejected(ordinal)) {
            return;
        }
        byte[] value = form.copy(batch, ordinal);
        try {
            // The fields of a tagged record lie in the batch's row, all others in the value.
            Object key = tagged ? keys.read(batch.added(), batch.addedOffset(ordinal)) : keys.read(value, 0);
            if (removals != null && removals.removes(ordinal)) {
                chunk.remove(key);
            } else {
                chunk.put(key, value);
            }
        } catch (FieldValueException e) {
            rejects.reject(
                    batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void coverUpTo(long position) {
        cursor.requireEnded();
        reached = Math.max(reached, position);
    }

    @Override
    public void flush() {
        open();
        if (chunk.records() > 0) {
            chunk.store();
        }
        if (reached > covered.get()) {
            positions.put(positionKey, reached, target.definition().persistent());
            covered.set(reached);
        }
    }

    @Override
    public WriterCounters counters() {
        return counters;
    }
}
