package io.millrace.codec.tagged;

import io.millrace.codec.Admission;
import io.millrace.codec.Counter;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.schema.RecordLayout;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of tagged records: one pass over the elements of a record writes the fields of the schema's row,
 * which {@link Schema#project} selects.
 *
 * <p>Missing fields are absent. A value that is invalid for its field's type is absent too, and counted: a malformed
 * value must not drop a packet (RFC 6929, 2.8). A record is rejected if its outermost elements don't end where the
 * record ends, if a required field is missing, or if it is {@linkplain RecordLayout#MAX_VARYING_LENGTH too long}.
 *
 * <p>Not thread-safe; allocates only for rejects.
 */
public final class TaggedFinder implements Admission {

    private final int headerLength;
    private final int foundLength;
    private final byte[] blank;
    private final Level outermost;
    private final Slot[] header;
    private final Slot[] required;
    private final Counter malformed = new Counter();
    /** Elements found in the current record, by {@link Level.Entry#counted}. */
    private final int[] seen;

    /** @param slots creates the slot of each field */
    TaggedFinder(Schema schema, LevelBuilder.SlotMaker slots) {
        TaggedLayout layout = (TaggedLayout) schema.layout();
        headerLength = layout.headerLength();
        foundLength = schema.foundLength();
        LevelBuilder builder = new LevelBuilder(schema, layout, slots);
        outermost = builder.outermost();
        header = builder.header();
        required = builder.required();
        blank = builder.blank();
        seen = new int[builder.entries()];
    }

    /**
     * Returns the finder for records of a schema.
     *
     * @param schema schema of the tagged layout
     */
    public static TaggedFinder of(Schema schema) {
        return new TaggedFinder(schema, Slot::of);
    }

    /** Returns the counter of values that were invalid for their field's type. */
    public Counter malformed() {
        return malformed;
    }

    @Override
    public void admit(RecordBatch batch, RejectSink rejects) {
        int[] selection = batch.selection();
        byte[] bytes = batch.bytes();
        byte[] rows = batch.added();
        int remaining = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            int start = batch.offset(ordinal);
            int row = batch.addedOffset(ordinal);
            String fault = find(bytes, start, start + batch.length(ordinal), rows, row);
            if (fault == null) {
                selection[remaining++] = ordinal;
            } else {
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, fault));
            }
        }
        batch.select(remaining);
    }

    /**
     * Writes the fields of a record to a row.
     *
     * @param start offset of the record
     * @param end offset past the record
     * @param at offset of the row in {@code row}
     * @return why the record cannot be read, or null
     */
    public @Nullable String find(byte[] bytes, int start, int end, byte[] row, int at) {
        System.arraycopy(blank, 0, row, at, foundLength);
        if (end - start > RecordLayout.MAX_VARYING_LENGTH) {
            return "the record has " + (end - start) + " bytes, more than the " + RecordLayout.MAX_VARYING_LENGTH
                    + " that a record may have";
        }
        int first = start + headerLength;
        if (first > end) {
            return "the record has " + (end - start) + " bytes, fewer than its header, " + headerLength;
        }
        Arrays.fill(seen, 0);
        for (Slot slot : header) {
            if (!slot.read(bytes, start, first, row, at)) {
                malformed.add(1);
            }
        }
        int stop = walk(outermost, bytes, first, end, row, at);
        if (stop != end) {
            return "the element at byte " + (stop - start) + " of the record does not end inside its " + (end - start)
                    + " bytes";
        }
        for (Slot slot : required) {
            if (slot.isBlank(row, at, blank)) {
                return "field=" + slot.name() + " is missing, or no value of its type";
            }
        }
        return null;
    }

    /** Reads elements up to an offset. Returns where it stopped, which is less if an element does not end by then. */
    private int walk(Level level, byte[] bytes, int start, int end, byte[] row, int at) {
        int next = start;
        while (next < end) {
            int value = next + level.headerLength;
            if (value > end) {
                return next;
            }
            long length = level.length(bytes, next);
            long elementEnd = level.lengthOfAll ? next + length : value + length;
            if (elementEnd < value || elementEnd > end) {
                return next;
            }
            Level.Entry entry = level.find(bytes, next);
            if (entry != null) {
                take(entry, bytes, value, (int) elementEnd, row, at);
            }
            next = (int) elementEnd;
        }
        return next;
    }

    private void take(Level.Entry entry, byte[] bytes, int valueStart, int valueEnd, byte[] row, int at) {
        int occurrence = seen[entry.counted]++;
        for (Slot slot : entry.slots) {
            if (slot.wants(occurrence) && !slot.read(bytes, valueStart, valueEnd, row, at)) {
                malformed.add(1);
            }
        }
        for (Level inner : entry.inner) {
            int first = valueStart + inner.selectorLength;
            if (first > valueEnd || !inner.selects(bytes, valueStart)) {
                continue;
            }
            if (walk(inner, bytes, first, valueEnd, row, at) != valueEnd) {
                malformed.add(1);
            }
        }
    }

    /** Returns the bytes of a row that contain fields found in the record. */
    public int foundLength() {
        return foundLength;
    }

    static long unsigned(byte[] bytes, int at, int width) {
        return switch (width) {
            case 1 -> bytes[at] & 0xFF;
            case 2 -> RawBytes.getShort(bytes, at) & 0xFFFF;
            case 3 -> (bytes[at] & 0xFF) << 16 | (RawBytes.getShort(bytes, at + 1) & 0xFFFF);
            default -> RawBytes.getInt(bytes, at) & 0xFFFF_FFFFL;
        };
    }
}
