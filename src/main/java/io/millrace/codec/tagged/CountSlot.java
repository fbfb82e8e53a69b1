package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.TaggedField;

/** Counts elements. */
final class CountSlot extends Slot {

    CountSlot(Field field, TaggedField found) {
        super(field, found);
    }

    @Override
    boolean wants(int candidate) {
        return true;
    }

    @Override
    boolean mayBeMissing() {
        return false;
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        RawBytes.putLong(row, at, RawBytes.getLong(row, at) + 1);
        return true;
    }
}
