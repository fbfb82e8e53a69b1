package io.millrace.codec;

import java.util.Arrays;

/**
 * The elements of one repeating part of the records in a batch, as rows of fixed length. The elements of a parent are
 * adjacent. A parent is a record of the batch, identified by its ordinal, or a row of the part that contains this one.
 *
 * <pre>
 * bounds  | first, end of parent 0 | first, end of parent 1 | ...
 * rows    | row 0 | row 1 | row 2 | ...
 * </pre>
 *
 * <p>Not thread-safe. Reused: allocates only to grow.
 */
public final class ChildRows {

    /** Memory of a parent's bounds in bytes. */
    public static final int BOUNDS_BYTES = 2 * Integer.BYTES;

    private static final int INITIAL_ROWS = 64;

    private final int rowLength;
    private byte[] rows;
    private int[] bounds = new int[0];
    private int parents;
    private int count;

    /** @param rowLength length in bytes of a row, which may be 0 */
    public ChildRows(int rowLength) {
        this.rowLength = rowLength;
        this.rows = new byte[INITIAL_ROWS * rowLength];
    }

    /** Removes all rows. Every parent has no element until {@link #begin} is called for it. */
    public void clear() {
        Arrays.fill(bounds, 0, 2 * parents, 0);
        parents = 0;
        count = 0;
    }

    /** Returns the number of parents up to the last one that {@link #begin} was called for. */
    public int parents() {
        return parents;
    }

    /**
     * Removes the rows that were added, and the parents that were begun, after an earlier state.
     *
     * @param earlierCount {@link #count()} of the earlier state
     * @param earlierParents {@link #parents()} of the earlier state; all parents begun since then have larger indexes
     */
    public void rewind(int earlierCount, int earlierParents) {
        Arrays.fill(bounds, 2 * earlierParents, 2 * parents, 0);
        parents = earlierParents;
        count = earlierCount;
    }

    /** Makes the rows that are added from now on elements of a parent. */
    public void begin(int parent) {
        reach(parent);
        bounds[2 * parent] = count;
        bounds[2 * parent + 1] = count;
        parents = Math.max(parents, parent + 1);
    }

    /** Makes {@link #bounds()} long enough for a number of parents. */
    public void reach(int parent) {
        if (2 * parent + 2 > bounds.length) {
            bounds = Arrays.copyOf(bounds, Math.max(2 * parent + 2, 2 * bounds.length));
        }
    }

    /**
     * Adds a row to the elements of a parent, whose {@link #begin} was called last.
     *
     * @param blank content of the new row
     * @return index of the row
     */
    public int add(int parent, byte[] blank) {
        int at = count * rowLength;
        if (at + rowLength > rows.length) {
            rows = Arrays.copyOf(rows, Math.max(2 * rows.length, INITIAL_ROWS * rowLength));
        }
        RawBytes.copy(blank, 0, rows, at, rowLength);
        bounds[2 * parent + 1] = ++count;
        return count - 1;
    }

    /**
     * Makes a number of new rows the elements of a parent, which has none.
     *
     * @param blank content of each of the rows; empty if their content is arbitrary
     * @return index of the first row
     */
    public int addAll(int parent, int elements, byte[] blank) {
        begin(parent);
        int first = count;
        int end = (first + elements) * rowLength;
        if (end > rows.length) {
            rows = Arrays.copyOf(rows, Math.max(2 * rows.length, end));
        }
        if (blank.length > 0) {
            for (int at = first * rowLength; at < end; at += rowLength) {
                RawBytes.copy(blank, 0, rows, at, rowLength);
            }
        }
        count = first + elements;
        bounds[2 * parent + 1] = count;
        return first;
    }

    /** Returns the array of rows; row {@code i} begins at {@code i * rowLength()}. Replaced when rows are added. */
    public byte[] rows() {
        return rows;
    }

    /** Returns the length in bytes of a row. */
    public int rowLength() {
        return rowLength;
    }

    /** Returns the indexes of the first row of each parent and of the row past its last one, in turn. */
    public int[] bounds() {
        return bounds;
    }

    /** Returns the index of a parent's first row. */
    public int first(int parent) {
        return parent < parents ? bounds[2 * parent] : 0;
    }

    /** Returns the index past a parent's last row; the same as {@link #first} if it has none. */
    public int end(int parent) {
        return parent < parents ? bounds[2 * parent + 1] : 0;
    }

    /**
     * Shows only some of a parent's rows, or all again.
     *
     * @param parent index of a parent that has rows
     */
    public void show(int parent, int first, int end) {
        bounds[2 * parent] = first;
        bounds[2 * parent + 1] = end;
    }

    /** Returns the number of rows of all parents. */
    public int count() {
        return count;
    }
}
