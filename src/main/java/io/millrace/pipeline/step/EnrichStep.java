package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.memory.RawMemory;
import io.millrace.pipeline.definition.StepDefinition.OnMiss;
import io.millrace.pipeline.definition.StepPlan.Copy;
import io.millrace.pipeline.definition.StepPlan.EnrichPlan;
import io.millrace.table.TableReader;
import java.lang.foreign.MemorySegment;

/** Copies fields of a reference table's row to each record's added fields. */
public final class EnrichStep extends BatchStep {

    private final EnrichPlan plan;
    private final RejectSink rejects;
    private final Copy[] copies;
    private final TableReader reader;
    private final Counter misses = new Counter();
    private long[] keys = new long[0];
    private long[] rows = new long[0];

    public EnrichStep(EnrichPlan plan, RejectSink rejects) {
        super(plan.name(), plan.kind());
        this.plan = plan;
        this.rejects = rejects;
        this.copies = plan.copies().toArray(new Copy[0]);
        this.reader = plan.table().reader();
    }

    /** Records whose key the table did not hold. */
    public Counter misses() {
        return misses;
    }

    @Override
    protected void process(RecordBatch batch) {
        if (keys.length < batch.selected()) {
            keys = new long[batch.selection().length];
            rows = new long[batch.selection().length];
        }
        plan.keys().fill(batch, keys, rejects);
        int missed = reader.find(keys, batch.selected(), rows);
        misses.add(missed);
        if (missed > 0 && plan.onMiss() == OnMiss.REJECT) {
            rejectMisses(batch);
        }
        for (Copy copy : copies) {
            copy(copy, batch);
        }
    }

    private void rejectMisses(RecordBatch batch) {
        int[] selection = batch.selection();
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            if (rows[i] == reader.absentRow()) {
                rejects.reject(batch, ordinal, noRow(keys[i]));
            } else {
                rows[kept] = rows[i];
                selection[kept++] = ordinal;
            }
        }
        batch.select(kept);
    }

    /** One field of all records. A field of eight bytes, which most numbers are, goes as one word. */
    private void copy(Copy copy, RecordBatch batch) {
        MemorySegment from = reader.memory();
        byte[] into = batch.added();
        int[] selection = batch.selection();
        int selected = batch.selected();
        if (copy.length() == Long.BYTES) {
            for (int i = 0; i < selected; i++) {
                long word = RawMemory.getLong(from, rows[i] + copy.from());
                RawBytes.putLong(into, batch.addedOffset(selection[i]) + copy.to(), word);
            }
            return;
        }
        for (int i = 0; i < selected; i++) {
            int at = batch.addedOffset(selection[i]) + copy.to();
            RawMemory.copy(from, rows[i] + copy.from(), into, at, copy.length());
        }
    }

    private RejectReason noRow(long key) {
        return new RejectReason(
                RejectReason.Kind.NO_MATCH, "table=" + plan.table().name() + " holds no row with key=" + key);
    }
}
