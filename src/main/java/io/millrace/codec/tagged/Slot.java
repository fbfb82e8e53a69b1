package io.millrace.codec.tagged;

/**
 * Reads the value of an element into a field of a row. Immutable. Slots are records, whose components the JIT compiler
 * treats as constants in generated code that has the slot as a constant.
 */
interface Slot {

    /** Returns where the field is. */
    ElementPlace place();

    default String name() {
        return place().field().name();
    }

    /** Returns whether the field counts elements, instead of being in the one with its occurrence. */
    default boolean counts() {
        return false;
    }

    /** What became of a field. */
    enum Outcome {
        /** The field is in the row. */
        WRITTEN,
        /** The value does not contain the field. */
        NOT_PRESENT,
        /** The bytes are invalid for the field's type. */
        INVALID
    }

    /**
     * Writes the field to the row if the value contains it.
     *
     * @param valueStart offset of the first byte of the element's value
     * @param valueEnd offset past the value
     * @param rowAt offset of the row
     */
    default Outcome read(byte[] bytes, int valueStart, int valueEnd, byte[] row, int rowAt) {
        ElementPlace place = place();
        int width = place.width();
        int start = valueStart;
        if (place.byKind().length > 0) {
            if (valueStart == valueEnd) {
                return Outcome.INVALID;
            }
            int part = Elements.part(place.byKind(), bytes, valueStart);
            if (part == ElementPlace.NOT_PRESENT) {
                return Outcome.NOT_PRESENT;
            }
            start += part;
        } else if (place.offset() != ElementPlace.WHOLE) {
            start += place.offset();
        } else if (width > 0 && valueEnd - valueStart != width) {
            return Outcome.INVALID;
        }
        if (start + width > valueEnd) {
            return Outcome.INVALID;
        }
        if (!put(bytes, start, width > 0 ? width : valueEnd - start, row, rowAt + place.rowAt())) {
            return Outcome.INVALID;
        }
        if (place.field().nullFlag()) {
            row[rowAt + place.field().nullFlagAt()] = 0;
        }
        return Outcome.WRITTEN;
    }

    /** Writes a value to its field in the row. Returns false if the bytes are invalid. */
    boolean put(byte[] bytes, int start, int length, byte[] row, int at);
}
