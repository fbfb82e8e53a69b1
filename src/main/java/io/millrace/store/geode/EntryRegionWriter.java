package io.millrace.store.geode;

import io.millrace.codec.Counter;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.store.EntryKey;
import io.millrace.store.RegionWriter;
import io.millrace.store.WriterCounters;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes records as entries of their own, in chunks; of two with the same key the later one wins, in a chunk as in the
 * region. The position is put by {@link #flush()} after the records before it, so that a replay from there writes some
 * records again and ends with the same entries.
 */
final class EntryRegionWriter implements RegionWriter {

    private static final int CHUNK = 1024;

    private final OpenRegion target;
    private final Positions positions;
    private final String positionKey;
    private final RejectSink rejects;
    private final EntryKey keys;
    private final int recordLength;
    private final BatchCursor cursor;
    private final WriterCounters counters = new WriterCounters();
    private final Counter covered = new Counter();
    private final Map<Object, byte[]> chunk = HashMap.newHashMap(CHUNK);
    private int inChunk;
    private long reached;

    EntryRegionWriter(OpenRegion target, Positions positions, String pipeline, int partition, RejectSink rejects) {
        this.target = target;
        this.positions = positions;
        this.rejects = rejects;
        positionKey = Positions.key(target.definition().name(), pipeline, partition);
        keys = EntryKey.of(target.definition());
        recordLength = target.definition().schema().recordLength();
        reached = positions.get(positionKey, target.definition().persistent());
        covered.set(reached);
        cursor = new BatchCursor(target.definition().name(), target.definition().schema(), reached, counters);
    }

    @Override
    public long covered() {
        return covered.get();
    }

    @Override
    public void append(RecordBatch batch) {
        int index = cursor.begin(batch);
        if (inChunk >= CHUNK) {
            putChunk();
        }
        while (index < batch.selected()) {
            take(batch, batch.selection()[index]);
            cursor.taken(++index);
            if (inChunk >= CHUNK) {
                putChunk();
            }
        }
        cursor.end();
        counters.pending().set(inChunk);
    }

    private void take(RecordBatch batch, int ordinal) {
        byte[] value = new byte[recordLength];
        batch.copyRecord(ordinal, value, 0, recordLength);
        try {
            chunk.put(keys.read(value), value);
            inChunk++;
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
        if (inChunk > 0) {
            putChunk();
        }
        if (reached > covered.get()) {
            positions.put(positionKey, reached, target.definition().persistent());
            covered.set(reached);
        }
    }

    private void putChunk() {
        counters.pending().set(inChunk);
        target.putAll(chunk, counters);
        counters.kept().add(inChunk);
        counters.pending().set(0);
        chunk.clear();
        inChunk = 0;
    }

    @Override
    public WriterCounters counters() {
        return counters;
    }
}
