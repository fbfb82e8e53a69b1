package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the elements of a batch, and how much memory they take. Not thread-safe; allocates if a batch has more
 * repeating parts than those before.
 */
final class ElementRows {

    /** Maximum number of bytes that the rows of the elements of all records in a batch take. */
    static final int MAX_BATCH_BYTES = 1 << 28;

    private List<ChildRows> lists = List.of();
    private int[] marks = new int[0];
    private long recordBytes;
    private long batchBytes;
    private long batchBytesBefore;

    /** Begins a batch, which has no elements yet. */
    void beginBatch() {
        batchBytes = 0;
    }

    /**
     * Begins a record.
     *
     * @param children rows of the repeating parts
     */
    void beginRecord(List<ChildRows> children) {
        lists = children;
        recordBytes = 0;
        batchBytesBefore = batchBytes;
        if (marks.length < 2 * children.size()) {
            marks = new int[2 * children.size()];
        }
        for (int i = 0; i < children.size(); i++) {
            ChildRows rows = children.get(i);
            marks[2 * i] = rows.count();
            marks[2 * i + 1] = rows.parents();
        }
    }

    /** Removes the elements of the record that was begun last. */
    void rewind() {
        recordBytes = 0;
        batchBytes = batchBytesBefore;
        for (int i = 0; i < lists.size(); i++) {
            lists.get(i).rewind(marks[2 * i], marks[2 * i + 1]);
        }
    }

    /**
     * Begins the elements of a parent. The caller checks {@link #batchTooLarge} and {@link #recordTooLarge} before it
     * adds a row.
     *
     * @param list index of the repeating part
     * @param count number of elements, at most that of the schema
     */
    ChildRows begin(int list, int parent, long count) {
        ChildRows rows = lists.get(list);
        rows.begin(parent);
        recordBytes += count * rows.rowLength();
        batchBytes += count * rows.rowLength();
        return rows;
    }

    /**
     * Adds rows for the elements of a parent, unless the rows would take too much memory.
     *
     * @param list index of the repeating part
     * @param count number of elements, at most that of the schema
     * @param blank content of each row; empty if all bytes of the rows will be written
     * @return the rows of the part, or null if they would take too much memory
     */
    @Nullable
    ChildRows addAll(int list, int parent, int count, byte[] blank) {
        ChildRows rows = lists.get(list);
        long added = (long) count * rows.rowLength();
        recordBytes += added;
        batchBytes += added;
        if (batchTooLarge() || recordTooLarge()) {
            return null;
        }
        rows.addAll(parent, count, blank);
        return rows;
    }

    /** Returns whether the elements of the batch take more than {@link #MAX_BATCH_BYTES}. */
    boolean batchTooLarge() {
        return batchBytes > MAX_BATCH_BYTES;
    }

    /** Returns whether the elements of the record take more than {@link CompactFinder#MAX_ROW_BYTES}. */
    boolean recordTooLarge() {
        return recordBytes > CompactFinder.MAX_ROW_BYTES;
    }
}
