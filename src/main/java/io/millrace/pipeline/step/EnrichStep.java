package io.millrace.pipeline.step;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.definition.StepDefinition.OnMiss;
import io.millrace.pipeline.definition.StepPlan.Copy;
import io.millrace.pipeline.definition.StepPlan.EnrichPlan;
import io.millrace.table.Table;

/** Copies fields of a reference table's row to each record's added fields. */
public final class EnrichStep extends BatchStep {

    private final EnrichPlan plan;
    private final RejectSink rejects;
    private final Copy[] copies;
    private final Counter misses = new Counter();
    private long[] keys = new long[0];

    public EnrichStep(EnrichPlan plan, RejectSink rejects) {
        super(plan.name(), "enrich");
        this.plan = plan;
        this.rejects = rejects;
        this.copies = plan.copies().toArray(new Copy[0]);
    }

    /** Records whose key the table did not hold. */
    public Counter misses() {
        return misses;
    }

    @Override
    protected void process(RecordBatch batch) {
        if (keys.length < batch.selected()) {
            keys = new long[batch.selection().length];
        }
        plan.keys().fill(batch, keys, rejects);
        Table table = plan.table();
        boolean reject = plan.onMiss() == OnMiss.REJECT;
        int[] selection = batch.selection();
        int selected = batch.selected();
        int kept = 0;
        int missed = 0;
        for (int i = 0; i < selected; i++) {
            int ordinal = selection[i];
            int row = table.find(keys[i]);
            if (row == Table.NO_ROW) {
                missed++;
                if (reject) {
                    rejects.reject(batch, ordinal, noRow(keys[i]));
                    continue;
                }
            }
            copy(table, row, batch, ordinal);
            selection[kept++] = ordinal;
        }
        batch.select(kept);
        misses.add(missed);
    }

    private void copy(Table table, int row, RecordBatch batch, int ordinal) {
        int from = row * table.schema().recordLength();
        int to = batch.addedOffset(ordinal);
        for (Copy copy : copies) {
            System.arraycopy(table.rows(), from + copy.from(), batch.added(), to + copy.to(), copy.length());
        }
    }

    private RejectReason noRow(long key) {
        return new RejectReason(
                RejectReason.Kind.NO_MATCH, "table=" + plan.table().name() + " holds no row with key=" + key);
    }
}
