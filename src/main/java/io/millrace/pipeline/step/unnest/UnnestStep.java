package io.millrace.pipeline.step.unnest;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.schema.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Passes on a record for each element of a list. All elements of a record have its position in the feed and are in the
 * same batch. A batch of many elements is passed on in several batches, one after the other, so that it needs little
 * memory. A record without elements ends here.
 */
final class UnnestStep extends BatchStep {

    /** Maximum number of bytes that the elements of one record take. */
    static final int MAX_BYTES = 1 << 24;

    /** Number of elements at which a batch is passed on. */
    static final int BATCH_RECORDS = 4096;

    private final String list;
    private final ElementCopy copy;
    private final RejectSink rejects;
    private final RecordBatch elements;
    private final int[] rows;
    private final Counter made = new Counter();
    private final Counter atWork = new Counter();
    private byte[] bytes = new byte[0];
    private long[] positions = new long[1];
    private int[] origins = new int[0];
    /** Index in the selection of the first record whose elements have not been copied. */
    private int next;

    /**
     * @param list name of the list, for rejects
     * @param output schema of the elements' records, with the fields that later steps add
     */
    UnnestStep(String name, String kind, String list, ElementCopy copy, Schema output, RejectSink rejects) {
        super(name, kind);
        this.list = list;
        this.copy = copy;
        this.rejects = rejects;
        this.elements = new RecordBatch(output);
        this.rows = copy.newRows();
    }

    @Override
    protected void process(RecordBatch batch) {
        next = 0;
        copyElements(batch);
    }

    /** Copies the elements of the next records. */
    private void copyElements(RecordBatch batch) {
        int[] selection = batch.selection();
        int count = 0;
        int records = 0;
        long end = RecordBatch.NO_POSITION;
        while (next < batch.selected() && count < BATCH_RECORDS) {
            int ordinal = selection[next++];
            long found = copy.count(batch, ordinal);
            if (found * copy.length() > MAX_BYTES) {
                rejects.reject(batch, ordinal, tooLong(found));
                continue;
            }
            int total = count + (int) found;
            reserve(total);
            copy.write(batch, ordinal, rows, bytes, count * copy.length());
            Arrays.fill(positions, count, total, batch.position(ordinal));
            Arrays.fill(origins, count, total, ordinal);
            end = batch.positionAfter(ordinal);
            count = total;
            records++;
        }
        positions[count] = end;
        boolean positioned = count > 0 && positions[0] != RecordBatch.NO_POSITION;
        elements.fillMade(bytes, count, positioned ? positions : null, origins);
        atWork.set(count);
        made.add(count - records);
    }

    private RejectReason tooLong(long found) {
        return new RejectReason(
                RejectReason.Kind.OUT_OF_RANGE,
                "Too many elements of '" + list + "': " + found + " of " + copy.length()
                        + " bytes each. The elements of a record take at most " + MAX_BYTES + " bytes in memory.");
    }

    private void reserve(int count) {
        int length = count * copy.length();
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, Math.min(2 * bytes.length, 2 * MAX_BYTES)));
        }
        if (positions.length < count + 1) {
            positions = Arrays.copyOf(positions, Math.max(count + 1, 2 * positions.length));
            origins = Arrays.copyOf(origins, positions.length);
        }
    }

    @Override
    protected @Nullable BatchStep passOn(RecordBatch batch) {
        forward(elements);
        while (next < batch.selected()) {
            long startNanos = System.nanoTime();
            copyElements(batch);
            nanos().add(System.nanoTime() - startNanos);
            forward(elements);
        }
        atWork.set(0);
        return null;
    }

    @Override
    public Counter made() {
        return made;
    }

    @Override
    public Counter atWork() {
        return atWork;
    }
}
