package io.millrace.codec.compact;

import io.millrace.codec.ChildRows;
import io.millrace.schema.RepeatedGroup;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the elements of a batch, and how much memory they take, with the bounds of the lists in them. Not
 * thread-safe; allocates if a batch has more repeating parts than those before.
 */
final class ElementRows {

    /** Maximum number of bytes that the rows of the elements of all records in a batch take. */
    static final int MAX_BATCH_BYTES = 1 << 28;

    /**
     * Bytes of a batch that its records share equally. The others are for those that come first: a record with few
     * elements fits, whatever those before it take.
     */
    private static final int SHARED_BYTES = MAX_BATCH_BYTES / 4;

    private final int[] rowBytes;
    private List<ChildRows> lists = List.of();
    private int[] marks = new int[0];
    private long recordBytes;
    private long batchBytes;
    private long batchBytesBefore;
    private long shareBytes;

    /** @param groups repeating parts, in the order of their indexes */
    ElementRows(List<RepeatedGroup> groups) {
        rowBytes = IntStream.range(0, groups.size())
                .map(group -> rowBytes(groups, group))
                .toArray();
    }

    /** Returns the memory of an element: its row, and the bounds of each list in it. */
    static int rowBytes(List<RepeatedGroup> groups, int group) {
        long lists = groups.stream().filter(each -> each.parent() == group).count();
        return groups.get(group).rowLength() + (int) lists * ChildRows.BOUNDS_BYTES;
    }

    /**
     * Begins a batch, which has no elements yet.
     *
     * @param records number of its records
     */
    void beginBatch(int records) {
        batchBytes = 0;
        shareBytes = SHARED_BYTES / Math.max(1, records);
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
        recordBytes += count * rowBytes[list];
        batchBytes += count * rowBytes[list];
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
        long added = (long) count * rowBytes[list];
        recordBytes += added;
        batchBytes += added;
        if (batchTooLarge() || recordTooLarge()) {
            return null;
        }
        rows.addAll(parent, count, blank);
        return rows;
    }

    /** Returns whether the elements of the batch take too much, and those of the record more than its share. */
    boolean batchTooLarge() {
        return batchBytes > MAX_BATCH_BYTES - SHARED_BYTES && recordBytes > shareBytes;
    }

    /** Returns whether the elements of the record take more than {@link CompactFinder#MAX_ROW_BYTES}. */
    boolean recordTooLarge() {
        return recordBytes > CompactFinder.MAX_ROW_BYTES;
    }
}
