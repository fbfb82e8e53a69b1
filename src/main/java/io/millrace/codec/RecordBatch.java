package io.millrace.codec;

import io.millrace.schema.Schema;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Records of one schema in one byte array, with a selection of those still processed.
 *
 * <pre>
 * bytes      | ... | record 0 | record 1 | record 2 | ...          count records; those of one length back to back
 * added            |  added 0 |  added 1 |  added 2 | ...          fields that steps added, same order
 * selection        {0, 2, ...}                                     ordinals still processed, ascending
 * </pre>
 *
 * A record is identified by its <em>ordinal</em>, 0 to {@code count - 1}. Steps narrow the selection and never move a
 * record; only the store copies. The batch also has the range of feed positions that it covers.
 *
 * <p>Not thread-safe: a batch belongs to the thread that processes it. Batches are reused: the content of a batch is
 * valid only until the call that received it returns. Refilling allocates only if the batch has to grow.
 */
@API(status = API.Status.STABLE)
public final class RecordBatch {

    /** Position of a batch from a feed that is not replayable. */
    public static final long NO_POSITION = -1;

    private final Schema schema;
    private final int baseLength;
    private final int addedLength;
    private byte[] bytes = new byte[0];
    private int start;
    private int count;
    private int @Nullable [] starts;
    private int[] ends = new int[0];
    /** Index of the end of the first record: 1 if the ends are the starts of the next records. */
    private int firstEnd;

    private long @Nullable [] positions;
    private int @Nullable [] origins;
    private byte[] added = new byte[0];
    private final BatchElements elements;
    private int[] selection = new int[0];
    private int selected;
    private long startPosition = NO_POSITION;
    private long endPosition = NO_POSITION;

    /**
     * Creates an empty batch.
     *
     * @param schema schema of the records, with all fields that will be added to them
     */
    public RecordBatch(Schema schema) {
        this.schema = schema;
        this.baseLength = schema.baseLength();
        this.addedLength = schema.recordLength() - schema.baseLength();
        this.elements = new BatchElements(schema.groups().stream()
                .map(group -> new ChildRows(group.rowLength()))
                .toList());
    }

    /**
     * Replaces the records of this batch and selects all of them. The content of added fields is undefined until a step
     * assigns them.
     *
     * @param newBytes array that contains the records; not copied
     * @param newStart offset of the first record
     * @param newCount number of complete records, back to back
     * @param fromPosition feed position of the first record's first byte, or {@link #NO_POSITION}
     * @param toPosition feed position past the last byte that this batch covers
     */
    public RecordBatch fill(byte[] newBytes, int newStart, int newCount, long fromPosition, long toPosition) {
        if (newStart < 0 || newCount < 0 || newStart + (long) newCount * baseLength > newBytes.length) {
            throw new IndexOutOfBoundsException("Invalid range of records: " + newCount + " of " + baseLength
                    + " bytes from offset " + newStart + ". The array has " + newBytes.length + " bytes.");
        }
        bytes = newBytes;
        starts = null;
        positions = null;
        start = newStart;
        return selectAll(newCount, fromPosition, toPosition);
    }

    /**
     * Replaces the records of this batch by records of varying length, back to back, and selects all of them. Positions
     * count records.
     *
     * @param newBytes array that contains the records; not copied
     * @param newBounds offset of each record, then the end of the last one; not copied
     * @param newCount number of records
     * @param fromPosition feed position of the first record, or {@link #NO_POSITION}
     */
    public RecordBatch fill(byte[] newBytes, int[] newBounds, int newCount, long fromPosition) {
        long toPosition = fromPosition == NO_POSITION ? NO_POSITION : fromPosition + newCount;
        return fill(newBytes, newBounds, newBounds, 1, newCount, null, fromPosition, toPosition);
    }

    /**
     * Replaces the records of this batch by records of varying length, back to back, and selects all of them. The feed
     * may contain other records between them.
     *
     * @param newBytes array that contains the records; not copied
     * @param newBounds offset of each record, then the end of the last one; not copied
     * @param newCount number of records
     * @param newPositions feed position of each record, ascending, then the position up to which this batch covers the
     *     feed; not copied
     */
    public RecordBatch fill(byte[] newBytes, int[] newBounds, int newCount, long[] newPositions) {
        return fill(newBytes, newBounds, newBounds, 1, newCount, newPositions, newPositions[0], newPositions[newCount]);
    }

    /**
     * Replaces the records of this batch by records of varying length, and selects all of them. There can be other
     * bytes between them, such as the lengths and delimiters of frames.
     *
     * @param newBytes array that contains the records; not copied
     * @param newStarts offset of each record, ascending; not copied
     * @param newEnds offset past each record; not copied
     * @param newCount number of records
     * @param newPositions feed position of each record, ascending, then the position up to which this batch covers the
     *     feed; not copied. Null if the feed has no positions
     */
    public RecordBatch fill(
            byte[] newBytes, int[] newStarts, int[] newEnds, int newCount, long @Nullable [] newPositions) {
        long from = newPositions == null ? NO_POSITION : newPositions[0];
        long to = newPositions == null ? NO_POSITION : newPositions[newCount];
        return fill(newBytes, newStarts, newEnds, 0, newCount, newPositions, from, to);
    }

    /**
     * Replaces the records of this batch by records of one length, and selects all of them. The feed may contain other
     * records between them. Several can have the same position, if they were made of the same record.
     *
     * @param newBytes array that contains the records from its start, back to back; not copied
     * @param newCount number of records
     * @param newPositions feed position of each record, ascending, then the position up to which this batch covers the
     *     feed; not copied. Null if the feed has no positions
     */
    public RecordBatch fill(byte[] newBytes, int newCount, long @Nullable [] newPositions) {
        fill(
                newBytes,
                0,
                newCount,
                newPositions == null ? NO_POSITION : newPositions[0],
                newPositions == null ? NO_POSITION : newPositions[newCount]);
        positions = newPositions;
        return this;
    }

    /**
     * Replaces the records of this batch by records of one length that a step has made of those of another batch, and
     * selects all of them.
     *
     * @param newBytes array that contains the records from its start, back to back; not copied
     * @param newCount number of records
     * @param newPositions feed position of each record, ascending, then the position up to which this batch covers the
     *     feed; not copied. Null if the feed has no positions
     * @param newOrigins ordinal, in the other batch, of the record that each record was made of, ascending; not copied
     */
    @API(status = API.Status.INTERNAL)
    public void fillMade(byte[] newBytes, int newCount, long @Nullable [] newPositions, int[] newOrigins) {
        fill(newBytes, newCount, newPositions);
        origins = newOrigins;
    }

    /**
     * Replaces the records of this batch by one whose values are in rows, and selects it.
     *
     * @param row array that contains the bytes of a record of the fixed layout, or the row of another one
     * @param at offset in the array
     * @param children elements of the repeating parts; not copied
     * @param ordinal ordinal of the record, of which the elements are children; 0 in the fixed layout
     */
    @API(status = API.Status.INTERNAL)
    public void fillRow(byte[] row, int at, List<ChildRows> children, int ordinal) {
        if (baseLength == 0) {
            selectAll(ordinal + 1, NO_POSITION, NO_POSITION);
            RawBytes.copy(row, at, added, addedOffset(ordinal), addedLength);
            elements.use(children);
        } else {
            fill(row, at, 1, NO_POSITION, NO_POSITION);
        }
        selection[0] = count - 1;
        selected = 1;
    }

    private RecordBatch fill(
            byte[] newBytes,
            int[] newStarts,
            int[] newEnds,
            int newFirstEnd,
            int newCount,
            long @Nullable [] newPositions,
            long fromPosition,
            long toPosition) {
        if (baseLength != 0) {
            throw new IllegalStateException("Invalid bounds for schema '" + schema.name()
                    + "', whose records have one length. Fill without bounds.");
        }
        int from = newCount == 0 ? 0 : newStarts[0];
        int to = newCount == 0 ? 0 : newEnds[newCount - 1 + newFirstEnd];
        if (from < 0 || to > newBytes.length) {
            throw new IndexOutOfBoundsException(
                    "Invalid bounds '" + from + ".." + to + "'. The array has " + newBytes.length + " bytes.");
        }
        bytes = newBytes;
        starts = newStarts;
        ends = newEnds;
        firstEnd = newFirstEnd;
        positions = newPositions;
        start = from;
        return selectAll(newCount, fromPosition, toPosition);
    }

    private RecordBatch selectAll(int newCount, long fromPosition, long toPosition) {
        count = newCount;
        origins = null;
        elements.clear();
        startPosition = fromPosition;
        endPosition = toPosition;
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
     * Makes this batch share the records of another batch, with none selected. Used by a route to split a batch. The
     * selection has capacity for all records that the other has selected.
     */
    public RecordBatch share(RecordBatch other) {
        bytes = other.bytes;
        starts = other.starts;
        ends = other.ends;
        firstEnd = other.firstEnd;
        positions = other.positions;
        origins = other.origins;
        start = other.start;
        count = other.count;
        added = other.added;
        elements.share(other.elements);
        startPosition = other.startPosition;
        endPosition = other.endPosition;
        if (selection.length < other.selection.length) {
            selection = new int[other.selection.length];
        }
        selected = 0;
        return this;
    }

    /** Returns the schema of the records, including the added fields. */
    public Schema schema() {
        return schema;
    }

    /** Returns the array that contains the records as the feed delivered them. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the offset of the first record in {@link #bytes()}. */
    public int start() {
        return start;
    }

    /** Returns the number of records in the array, selected or not. */
    public int count() {
        return count;
    }

    /** Returns the offset of a record in {@link #bytes()}. */
    public int offset(int ordinal) {
        return starts == null ? start + ordinal * baseLength : starts[ordinal];
    }

    /** Returns the length in bytes of a record as the feed delivered it. */
    public int length(int ordinal) {
        return starts == null ? baseLength : ends[ordinal + firstEnd] - starts[ordinal];
    }

    /** Returns the array of added fields, {@link #addedLength()} bytes per record, in the order of the records. */
    public byte[] added() {
        return added;
    }

    /** Returns the bytes of added fields per record. */
    public int addedLength() {
        return addedLength;
    }

    /** Returns the offset of a record's added fields in {@link #added()}. */
    public int addedOffset(int ordinal) {
        return ordinal * addedLength;
    }

    /** Returns the elements of the parts that repeat. */
    @API(status = API.Status.INTERNAL)
    public BatchElements elements() {
        return elements;
    }

    /** Returns the elements of the parts that repeat, in the order of {@link Schema#groups()}. */
    @API(status = API.Status.INTERNAL)
    public List<ChildRows> childRows() {
        return elements.rows();
    }

    /**
     * Returns the ordinals of the selected records, ascending. Only the first {@link #selected()} elements are valid.
     */
    public int[] selection() {
        return selection;
    }

    /** Returns the number of selected records. */
    public int selected() {
        return selected;
    }

    /** Sets the number of selected records, after the selection was rewritten in place. */
    public void select(int howMany) {
        if (howMany < 0 || howMany > selection.length) {
            throw new IndexOutOfBoundsException(
                    "Invalid number of selected records '" + howMany + "'. Use 0 to " + selection.length + ".");
        }
        selected = howMany;
    }

    /** Returns the feed position of the first byte (or record) covered, or {@link #NO_POSITION}. */
    public long from() {
        return startPosition;
    }

    /** Returns the feed position past the last byte (or record) covered, or {@link #NO_POSITION}. */
    public long to() {
        return endPosition;
    }

    /** Returns the feed position of a record, or {@link #NO_POSITION}. */
    public long position(int ordinal) {
        if (positions != null) {
            return positions[ordinal];
        }
        return startPosition == NO_POSITION
                ? NO_POSITION
                : startPosition + ordinal * (starts == null ? (long) baseLength : 1);
    }

    /**
     * Returns the feed position after a record, or {@link #NO_POSITION}. If positions were given, this is the position
     * of the next record in the batch with another one.
     */
    public long positionAfter(int ordinal) {
        int next = ordinal + 1;
        while (next < count && samePosition(ordinal, next)) {
            next++;
        }
        return position(next);
    }

    /**
     * Returns whether two records have the same position in the feed, because they were made of the same record. The
     * feed delivers them together, so a region has to cover both or neither.
     */
    @API(status = API.Status.INTERNAL)
    public boolean samePosition(int ordinal, int other) {
        return positions != null && positions[ordinal] == positions[other];
    }

    /** Returns whether the records were made of those of another batch, such as elements of their lists. */
    @API(status = API.Status.INTERNAL)
    public boolean isMade() {
        return origins != null;
    }

    /**
     * Returns the ordinal of the record that a record was made of, in the batch that the step received which made it.
     *
     * @throws IllegalStateException if the records were not made of others
     */
    @API(status = API.Status.INTERNAL)
    public int origin(int ordinal) {
        if (origins == null) {
            throw new IllegalStateException("The records of this batch were not made of others.");
        }
        return origins[ordinal];
    }

    /**
     * Copies a record, followed by as many bytes of its added fields as the length allows.
     *
     * @param length {@link Schema#baseLength()} for the record as the feed delivered it, {@link Schema#recordLength()}
     *     to include all added fields
     */
    public void copyRecord(int ordinal, byte[] into, int at, int length) {
        RawBytes.copy(bytes, offset(ordinal), into, at, baseLength);
        if (length > baseLength) {
            RawBytes.copy(added, addedOffset(ordinal), into, at + baseLength, length - baseLength);
        }
    }
}
