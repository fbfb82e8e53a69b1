package io.millrace.codec;

import io.millrace.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Many records of one schema in one byte array, with a selection of those still alive.
 *
 * <pre>
 * bytes      | ... | record 0 | record 1 | record 2 | ...          count records from start, back to back
 * added            |  added 0 |  added 1 |  added 2 | ...          fields that steps added, same order
 * selection        {0, 2, ...}                                     ordinals still alive, ascending
 * </pre>
 *
 * A record is named by its <em>ordinal</em>, 0 to {@code count - 1}. Steps narrow the selection and never move a
 * record; only the store copies. The batch also says which stretch of its feed it covers.
 *
 * <p>Not thread-safe: a batch belongs to the thread that works it. It is reused: what it shows is good only until the
 * call that was given it returns. Filling it again allocates nothing unless it has to grow.
 */
public final class RecordBatch {

    /** Position of a batch that came from no replayable feed. */
    public static final long NO_POSITION = -1;

    private final Schema schema;
    private final int baseLength;
    private final int addedLength;
    private byte[] bytes = new byte[0];
    private int start;
    private int count;
    private int @Nullable [] bounds;
    private long @Nullable [] positions;
    private byte[] added = new byte[0];
    private int[] selection = new int[0];
    private int selected;
    private long from = NO_POSITION;
    private long to = NO_POSITION;

    /**
     * An empty batch.
     *
     * @param schema of the records, with all fields that will be added to them
     */
    public RecordBatch(Schema schema) {
        this.schema = schema;
        this.baseLength = schema.baseLength();
        this.addedLength = schema.recordLength() - schema.baseLength();
    }

    /**
     * Makes this batch show other records, all of them selected. Their added fields hold anything until a step assigns
     * them.
     *
     * @param newBytes array that holds them; not copied
     * @param newStart first byte of the first record
     * @param newCount how many whole records lie there, back to back
     * @param fromPosition feed position of the first record's first byte, or {@link #NO_POSITION}
     * @param toPosition feed position past the last byte that this batch covers
     */
    public RecordBatch fill(byte[] newBytes, int newStart, int newCount, long fromPosition, long toPosition) {
        if (newStart < 0 || newCount < 0 || newStart + (long) newCount * baseLength > newBytes.length) {
            throw new IndexOutOfBoundsException("start=" + newStart + " count=" + newCount + " records of " + baseLength
                    + " bytes do not lie inside " + newBytes.length + " bytes");
        }
        bytes = newBytes;
        bounds = null;
        positions = null;
        start = newStart;
        return selectAll(newCount, fromPosition, toPosition);
    }

    /**
     * Makes this batch show other records, of varying length and back to back, all of them selected. A position counts
     * records.
     *
     * @param newBytes array that holds them; not copied
     * @param newBounds where the records begin, and behind the last of these where that one ends; not copied
     * @param newCount how many records
     * @param fromPosition feed position of the first record, or {@link #NO_POSITION}
     */
    public RecordBatch fill(byte[] newBytes, int[] newBounds, int newCount, long fromPosition) {
        long to = fromPosition == NO_POSITION ? NO_POSITION : fromPosition + newCount;
        return fill(newBytes, newBounds, newCount, null, fromPosition, to);
    }

    /**
     * Makes this batch show other records, of varying length and back to back, all of them selected. Between them in
     * the feed there may be others.
     *
     * @param newBytes array that holds them; not copied
     * @param newBounds where the records begin, and behind the last of these where that one ends; not copied
     * @param newCount how many records
     * @param newPositions of the records in the feed, ascending, and behind the last of these the position up to which
     *     the batch covers the feed; not copied
     */
    public RecordBatch fill(byte[] newBytes, int[] newBounds, int newCount, long[] newPositions) {
        return fill(newBytes, newBounds, newCount, newPositions, newPositions[0], newPositions[newCount]);
    }

    private RecordBatch fill(
            byte[] newBytes,
            int[] newBounds,
            int newCount,
            long @Nullable [] newPositions,
            long fromPosition,
            long toPosition) {
        if (baseLength != 0) {
            throw new IllegalStateException("records of schema " + schema + " all have one length");
        }
        if (newBounds[0] < 0 || newBounds[newCount] > newBytes.length) {
            throw new IndexOutOfBoundsException("bounds=" + newBounds[0] + ".." + newBounds[newCount]
                    + " do not lie inside " + newBytes.length + " bytes");
        }
        bytes = newBytes;
        bounds = newBounds;
        positions = newPositions;
        start = newBounds[0];
        return selectAll(newCount, fromPosition, toPosition);
    }

    private RecordBatch selectAll(int newCount, long fromPosition, long toPosition) {
        count = newCount;
        from = fromPosition;
        to = toPosition;
        int addedBytes = newCount * addedLength;
        if (added.length < addedBytes) {
            added = new byte[addedBytes];
        }
        if (selection.length < newCount) {
            selection = new int[newCount];
        }
        for (int i = 0; i < newCount; i++) {
            selection[i] = i;
        }
        selected = newCount;
        return this;
    }

    /**
     * Makes this batch show the same records as another, none of them selected yet: how a route splits a batch. There
     * is room in the selection for all that the other has selected.
     */
    public RecordBatch share(RecordBatch other) {
        bytes = other.bytes;
        bounds = other.bounds;
        positions = other.positions;
        start = other.start;
        count = other.count;
        added = other.added;
        from = other.from;
        to = other.to;
        if (selection.length < other.selection.length) {
            selection = new int[other.selection.length];
        }
        selected = 0;
        return this;
    }

    /** Schema of the records, with the fields that are added to them. */
    public Schema schema() {
        return schema;
    }

    /** The array that holds the records as the feed brought them. */
    public byte[] bytes() {
        return bytes;
    }

    /** Offset in {@link #bytes()} of the first record. */
    public int start() {
        return start;
    }

    /** How many records lie in the array, alive or not. */
    public int count() {
        return count;
    }

    /** Offset in {@link #bytes()} of a record. */
    public int offset(int ordinal) {
        return bounds == null ? start + ordinal * baseLength : bounds[ordinal];
    }

    /** Length in bytes of a record as the feed brought it. */
    public int length(int ordinal) {
        return bounds == null ? baseLength : bounds[ordinal + 1] - bounds[ordinal];
    }

    /** The array that holds the added fields, {@link #addedLength()} bytes a record, in the order of the records. */
    public byte[] added() {
        return added;
    }

    /** Bytes of added fields for each record. */
    public int addedLength() {
        return addedLength;
    }

    /** Offset in {@link #added()} of a record's added fields. */
    public int addedOffset(int ordinal) {
        return ordinal * addedLength;
    }

    /** Ordinals of the records still alive, ascending: the first {@link #selected()} elements count. */
    public int[] selection() {
        return selection;
    }

    /** How many records are alive. */
    public int selected() {
        return selected;
    }

    /** Keeps only the first so many elements of the selection, after they were rewritten in place. */
    public void select(int howMany) {
        if (howMany < 0 || howMany > selection.length) {
            throw new IndexOutOfBoundsException("howMany=" + howMany + " of " + selection.length);
        }
        selected = howMany;
    }

    /** Feed position of the first byte covered, or {@link #NO_POSITION}. */
    public long from() {
        return from;
    }

    /** Feed position past the last byte covered, or {@link #NO_POSITION}. */
    public long to() {
        return to;
    }

    /** Feed position of a record, or {@link #NO_POSITION}. */
    public long position(int ordinal) {
        if (positions != null) {
            return positions[ordinal];
        }
        return from == NO_POSITION ? NO_POSITION : from + ordinal * (bounds == null ? (long) baseLength : 1);
    }

    /** Feed position past a record, or that of the next one in the batch, or {@link #NO_POSITION}. */
    public long positionAfter(int ordinal) {
        return position(ordinal + 1);
    }

    /**
     * Copies a record, with its added fields behind it as far as there is room for them.
     *
     * @param length {@link Schema#baseLength()} for the record as the feed had it, {@link Schema#recordLength()} for
     *     the whole
     */
    public void copyRecord(int ordinal, byte[] into, int at, int length) {
        RawBytes.copy(bytes, offset(ordinal), into, at, baseLength);
        if (length > baseLength) {
            RawBytes.copy(added, addedOffset(ordinal), into, at + baseLength, length - baseLength);
        }
    }
}
