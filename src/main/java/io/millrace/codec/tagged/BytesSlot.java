package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.TaggedField;

/** Copies bytes, followed by zeros if there are fewer than the row's field holds. */
final class BytesSlot extends Slot {

    private final int capacity;

    BytesSlot(Field field, TaggedField found) {
        super(field, found);
        this.capacity = field.type().bytes();
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        if (length > capacity) {
            return false;
        }
        RawBytes.copy(bytes, start, row, at, length);
        return true;
    }
}
