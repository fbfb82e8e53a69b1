package io.millrace.codec.tagged;

import io.millrace.codec.Admission;
import io.millrace.codec.Counter;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of tagged records: one pass over a record's elements, which writes those that the schema's row has
 * room for to the row, as {@link Schema#project} left it.
 *
 * <p>What is not there is absent. A value that is none of its field's type is absent as well, and counted: a malformed
 * value must not drop a packet (RFC 6929, 2.8). A record is refused where its outermost elements don't end where it
 * does, where a field is missing that every record must have, and where it is
 * {@linkplain TaggedLayout#MAX_RECORD_LENGTH too long}.
 *
 * <p>Not thread-safe; allocates only for a reject.
 */
public final class TaggedFinder implements Admission {

    private final int headerLength;
    private final int foundLength;
    private final byte[] blank;
    private final Level outermost;
    private final Slot[] header;
    private final Slot[] required;
    private final Counter malformed = new Counter();
    /** Elements of the record at hand by {@link Level.Entry#counted}. */
    private final int[] seen;

    /** @param slots make what reads each field */
    TaggedFinder(Schema schema, TaggedLayout layout, LevelBuilder.SlotMaker slots) {
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
     * The finder of a schema's records.
     *
     * @param schema of the tagged layout
     */
    public static TaggedFinder of(Schema schema) {
        return new TaggedFinder(schema, Objects.requireNonNull(schema.tagged(), "the layout is tagged"), Slot::of);
    }

    /** Values that were none of their field's type, since the finder was made. */
    public Counter malformed() {
        return malformed;
    }

    @Override
    public void admit(RecordBatch batch, RejectSink rejects) {
        int[] selection = batch.selection();
        byte[] bytes = batch.bytes();
        byte[] rows = batch.added();
        int kept = 0;
        for (int i = 0; i < batch.selected(); i++) {
            int ordinal = selection[i];
            int from = batch.offset(ordinal);
            int row = batch.addedOffset(ordinal);
            String fault = find(bytes, from, from + batch.length(ordinal), rows, row);
            if (fault == null) {
                selection[kept++] = ordinal;
            } else {
                rejects.reject(batch, ordinal, new RejectReason(RejectReason.Kind.INVALID_VALUE, fault));
            }
        }
        batch.select(kept);
    }

    /**
     * Writes a record's fields to a row.
     *
     * @param from first byte of the record
     * @param to byte past the record
     * @param at first byte of the row in {@code row}
     * @return why it can't be read, or null
     */
    public @Nullable String find(byte[] bytes, int from, int to, byte[] row, int at) {
        System.arraycopy(blank, 0, row, at, foundLength);
        if (to - from > TaggedLayout.MAX_RECORD_LENGTH) {
            return "the record has " + (to - from) + " bytes, more than the " + TaggedLayout.MAX_RECORD_LENGTH
                    + " that a record may have";
        }
        int first = from + headerLength;
        if (first > to) {
            return "the record has " + (to - from) + " bytes, fewer than its header, " + headerLength;
        }
        Arrays.fill(seen, 0);
        for (Slot slot : header) {
            if (!slot.read(bytes, from, first, row, at)) {
                malformed.add(1);
            }
        }
        int end = walk(outermost, bytes, first, to, row, at);
        if (end != to) {
            return "the element at byte " + (end - from) + " of the record does not end inside its " + (to - from)
                    + " bytes";
        }
        for (Slot slot : required) {
            if (slot.isBlank(row, at, blank)) {
                return "field=" + slot.name() + " is missing, or no value of its type";
            }
        }
        return null;
    }

    /** Goes through elements; returns where it stopped, which is the end unless an element lies across it. */
    private int walk(Level level, byte[] bytes, int from, int to, byte[] row, int at) {
        int next = from;
        while (next < to) {
            int value = next + level.headerLength;
            if (value > to) {
                return next;
            }
            long length = level.length(bytes, next);
            long end = level.lengthOfAll ? next + length : value + length;
            if (end < value || end > to) {
                return next;
            }
            Level.Entry entry = level.find(bytes, next);
            if (entry != null) {
                take(entry, bytes, value, (int) end, row, at);
            }
            next = (int) end;
        }
        return next;
    }

    private void take(Level.Entry entry, byte[] bytes, int from, int to, byte[] row, int at) {
        int occurrence = seen[entry.counted]++;
        for (Slot slot : entry.slots) {
            if (slot.wants(occurrence) && !slot.read(bytes, from, to, row, at)) {
                malformed.add(1);
            }
        }
        for (Level inner : entry.inner) {
            int first = from + inner.selectorLength;
            if (first > to || !inner.selects(bytes, from)) {
                continue;
            }
            if (walk(inner, bytes, first, to, row, at) != to) {
                malformed.add(1);
            }
        }
    }

    /** Bytes of a row that are fields found in the record. */
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
