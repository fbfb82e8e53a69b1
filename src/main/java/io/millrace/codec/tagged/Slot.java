package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Reading;
import io.millrace.schema.TaggedField;
import java.util.Arrays;

/** A place in a row, and how the bytes of an element become the value that lies there. Immutable. */
abstract class Slot {

    private static final int KINDS = 256;
    private static final int WHOLE = -1;
    private static final int NOT_THERE = -1;

    private final Field field;
    private final int occurrence;
    private final int width;
    private final int offset;
    /** Offset of the part by the value's first byte; empty where that doesn't matter. */
    private final int[] byKind;

    Slot(Field field, TaggedField found) {
        this.field = field;
        this.occurrence = found.occurrence();
        this.width = found.reading().bytes();
        this.offset = found.part().offset();
        if (found.part().byKind().isEmpty()) {
            byKind = new int[0];
        } else {
            byKind = new int[KINDS];
            Arrays.fill(byKind, NOT_THERE);
            found.part().byKind().forEach((kind, at) -> byKind[kind] = at);
        }
    }

    /** What reads a field. */
    static Slot of(Field field, TaggedField found, FieldCodec codec) {
        return switch (found.reading()) {
            case Reading.WholeNumber(var storage) -> new NumberSlot(field, found, storage, codec);
            case Reading.Real(int bytes, var order) -> new RealSlot(field, found, bytes, order);
            case Reading.Varying _ ->
                field.type() instanceof FieldType.StringType text
                        ? new TextSlot(field, found, text)
                        : new BytesSlot(field, found);
            case Reading.Exact _ -> new BytesSlot(field, found);
            case Reading.Plmn _ -> new PlmnSlot(field, found);
            case Reading.QuarterHours _ -> new QuarterHoursSlot(field, found);
            case Reading.Count _ -> new CountSlot(field, found);
        };
    }

    final String name() {
        return field.name();
    }

    /** Whether an element is the one that holds the field, the first of its kind being 0. */
    boolean wants(int candidate) {
        return candidate == occurrence;
    }

    /** Whether a record may lack the field. */
    boolean mayBeMissing() {
        return true;
    }

    /**
     * Writes the value to the row, unless it is not there.
     *
     * @param from first byte of the element's value
     * @param to byte past it
     * @param rowAt first byte of the row
     * @return false where the bytes are no value of the field's type
     */
    final boolean read(byte[] bytes, int from, int to, byte[] row, int rowAt) {
        int start = from;
        if (byKind.length > 0) {
            if (from == to) {
                return false;
            }
            int part = byKind[bytes[from] & 0xFF];
            if (part == NOT_THERE) {
                return true;
            }
            start += part;
        } else if (offset == WHOLE) {
            if (width > 0 && to - from != width) {
                return false;
            }
        } else {
            start += offset;
        }
        if (start + width > to) {
            return false;
        }
        return put(bytes, start, width > 0 ? width : to - start, row, rowAt + field.offset());
    }

    /** Writes the value of so many bytes to its place in the row; false where they are none. */
    abstract boolean put(byte[] bytes, int from, int length, byte[] row, int at);

    /** Makes the row's place say that a field is missing that must be there. */
    final void putMissing(byte[] row) {
        if (field.type() instanceof FieldType.Numbered type) {
            RawBytes.put(row, field.offset(), type.storage(), Field.defaultNullRaw(type));
        }
    }

    /** Whether a place in the row is as in another row. */
    final boolean isBlank(byte[] row, int rowAt, byte[] blank) {
        int at = field.offset();
        int end = field.end();
        return Arrays.equals(row, rowAt + at, rowAt + end, blank, at, end);
    }
}
