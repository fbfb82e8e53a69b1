package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Reading;
import io.millrace.schema.TaggedField;
import java.util.Arrays;

/** Reads the value of an element into a field of a row. Immutable. */
abstract class Slot {

    private static final int KINDS = 256;
    private static final int WHOLE = -1;
    private static final int NOT_PRESENT = -1;

    private final Field field;
    private final int occurrence;
    private final int width;
    private final int offset;
    /** Offset of the field in the value, by the value's first byte; empty if the offset is the same for all values. */
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
            Arrays.fill(byKind, NOT_PRESENT);
            found.part().byKind().forEach((kind, at) -> byKind[kind] = at);
        }
    }

    /** Returns the slot that reads a field. */
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

    /** Returns whether the field is in the element with this occurrence, counted from 0. */
    boolean wants(int candidate) {
        return candidate == occurrence;
    }

    /** Returns whether a record may lack the field. */
    boolean mayBeMissing() {
        return true;
    }

    /**
     * Writes the field to the row if the value contains it.
     *
     * @param valueStart offset of the first byte of the element's value
     * @param valueEnd offset past the value
     * @param rowAt offset of the row
     * @return false if the bytes are invalid for the field's type
     */
    final boolean read(byte[] bytes, int valueStart, int valueEnd, byte[] row, int rowAt) {
        int start = valueStart;
        if (byKind.length > 0) {
            if (valueStart == valueEnd) {
                return false;
            }
            int part = byKind[bytes[valueStart] & 0xFF];
            if (part == NOT_PRESENT) {
                return true;
            }
            start += part;
        } else if (offset == WHOLE) {
            if (width > 0 && valueEnd - valueStart != width) {
                return false;
            }
        } else {
            start += offset;
        }
        if (start + width > valueEnd) {
            return false;
        }
        return put(bytes, start, width > 0 ? width : valueEnd - start, row, rowAt + field.offset());
    }

    /** Writes a value to its field in the row. Returns false if the bytes are invalid. */
    abstract boolean put(byte[] bytes, int start, int length, byte[] row, int at);

    /** Marks a required field as missing in the row. */
    final void putMissing(byte[] row) {
        if (field.type() instanceof FieldType.Numbered type) {
            RawBytes.put(row, field.offset(), type.storage(), Field.defaultNullRaw(type));
        }
    }

    /** Returns whether the field has the same bytes as in a blank row. */
    final boolean isBlank(byte[] row, int rowAt, byte[] blank) {
        int at = field.offset();
        int end = field.end();
        return Arrays.equals(row, rowAt + at, rowAt + end, blank, at, end);
    }
}
