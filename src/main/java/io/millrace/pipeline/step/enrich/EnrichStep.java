package io.millrace.pipeline.step.enrich;

import io.millrace.codec.Counter;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.memory.RawMemory;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.StepMeter;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Copies fields of a reference table's row to each record's added fields. */
final class EnrichStep extends BatchStep {

    private final String table;
    private final RowFinder finder;
    private final Copy[] copies;
    private final OnMiss onMiss;
    private final RejectSink rejects;
    /** Records whose key was not in the table. */
    private final Counter misses = new Counter();

    private long[] rows = new long[0];

    /** @param table name of the table */
    EnrichStep(String name, String table, RowFinder finder, List<Copy> copies, OnMiss onMiss, RejectSink rejects) {
        super(name, "enrich");
        this.table = table;
        this.finder = finder;
        this.copies = copies.toArray(new Copy[0]);
        this.onMiss = onMiss;
        this.rejects = rejects;
    }

    @Override
    public List<StepMeter> meters() {
        return List.of(
                new StepMeter("millrace.enrich.misses", "Records whose key the table does not contain.", misses));
    }

    @Override
    protected void process(RecordBatch batch) {
        if (rows.length < batch.selected()) {
            rows = new long[batch.selection().length];
        }
        int missed = finder.find(batch, rows, rejects);
        misses.add(missed);
        if (missed > 0 && onMiss == OnMiss.REJECT) {
            rejectMisses(batch);
        }
        for (Copy copy : copies) {
            copy(copy, batch);
            if (copy.flagsMiss()) {
                flagMisses(copy, batch);
            }
            if (missed > 0 && onMiss == OnMiss.DEFAULT) {
                copyDefault(copy, batch);
            }
        }
    }

    private void rejectMisses(RecordBatch batch) {
        int[] selection = batch.selection();
        long absentRow = finder.rows().absentRow();
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            if (rows[i] == absentRow) {
                rejects.reject(batch, ordinal, noRow(i));
            } else {
                rows[kept] = rows[i];
                selection[kept++] = ordinal;
            }
        }
        batch.select(kept);
    }

    /**
     * Copies one field of all records. Values of eight bytes, which most numbers have, are copied as one word. The null
     * flag after them is copied in the same loop: a second loop would access each row again.
     */
    private void copy(Copy copy, RecordBatch batch) {
        MemorySegment from = finder.rows().memory();
        byte[] into = batch.added();
        int[] selection = batch.selection();
        int selected = batch.selected();
        switch (copy.length()) {
            case Long.BYTES -> {
                for (int i = 0; i < selected; i++) {
                    long word = RawMemory.getLong(from, rows[i] + copy.from());
                    RawBytes.putLong(into, batch.addedOffset(selection[i]) + copy.to(), word);
                }
            }
            case Long.BYTES + 1 -> {
                for (int i = 0; i < selected; i++) {
                    long row = rows[i] + copy.from();
                    int at = batch.addedOffset(selection[i]) + copy.to();
                    // Read both before writing either: the other order is slower, see EnrichBenchmark.
                    byte nullFlag = RawMemory.getByte(from, row + Long.BYTES);
                    long word = RawMemory.getLong(from, row);
                    into[at + Long.BYTES] = nullFlag;
                    RawBytes.putLong(into, at, word);
                }
            }
            default -> {
                for (int i = 0; i < selected; i++) {
                    int at = batch.addedOffset(selection[i]) + copy.to();
                    RawMemory.copy(from, rows[i] + copy.from(), into, at, copy.length());
                }
            }
        }
    }

    /** Writes the null flag of one field of all records, if only a missing row leaves the field without a value. */
    private void flagMisses(Copy copy, RecordBatch batch) {
        long absentRow = finder.rows().absentRow();
        byte[] into = batch.added();
        int[] selection = batch.selection();
        int selected = batch.selected();
        for (int i = 0; i < selected; i++) {
            into[batch.addedOffset(selection[i]) + copy.to() + copy.length()] = (byte) (rows[i] == absentRow ? 1 : 0);
        }
    }

    /** Writes one field's default to the records without a matching row. */
    private void copyDefault(Copy copy, RecordBatch batch) {
        long absentRow = finder.rows().absentRow();
        for (int i = 0; i < batch.selected(); i++) {
            if (rows[i] == absentRow) {
                int at = batch.addedOffset(batch.selection()[i]) + copy.to();
                RawBytes.copy(copy.otherwise(), 0, batch.added(), at, copy.otherwise().length);
            }
        }
    }

    private RejectReason noRow(int index) {
        return new RejectReason(
                RejectReason.Kind.NO_MATCH,
                "Unknown key '" + finder.key(index) + "' in table '" + table + "'. Add a row with this key.");
    }
}
