package io.millrace.codec.tagged;

import io.millrace.schema.Field;
import io.millrace.schema.TaggedField;
import java.util.Arrays;

/**
 * Where a field is in a record and in a row. Immutable.
 *
 * @param field the field in the row
 * @param rowAt offset of the field in the row
 * @param occurrence index of its element among those with the same tag, from 0
 * @param width bytes of the value, or 0 if it varies
 * @param offset offset of the value in the element's value, or {@link #WHOLE}
 * @param byKind offset of the field in the value, by the value's first byte, or {@link #NOT_PRESENT}; empty if the
 *     offset is the same for all values
 */
record ElementPlace(Field field, int rowAt, int occurrence, int width, int offset, int[] byKind) {

    static final int WHOLE = -1;
    static final int NOT_PRESENT = -1;

    private static final int KINDS = 256;

    static ElementPlace of(Field field, TaggedField found) {
        int[] byKind = new int[found.part().byKind().isEmpty() ? 0 : KINDS];
        Arrays.fill(byKind, NOT_PRESENT);
        found.part().byKind().forEach((kind, at) -> byKind[kind] = at);
        return new ElementPlace(
                field,
                field.offset(),
                found.occurrence(),
                found.reading().bytes(),
                found.part().offset(),
                byKind);
    }
}
