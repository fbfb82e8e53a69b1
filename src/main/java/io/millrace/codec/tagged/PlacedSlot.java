package io.millrace.codec.tagged;

import io.millrace.codec.FieldBytes;
import io.millrace.schema.Field;
import io.millrace.schema.TaggedField;
import java.util.Map;

/** Reads a value by another slot and records its location. */
final class PlacedSlot extends Slot {

    private final Slot slot;
    private final Map<String, FieldBytes> places;

    /** @param places locations of values by field name, to which this slot adds its own */
    PlacedSlot(Field field, TaggedField found, Slot slot, Map<String, FieldBytes> places) {
        super(field, found);
        this.slot = slot;
        this.places = places;
    }

    @Override
    boolean wants(int candidate) {
        return slot.wants(candidate);
    }

    @Override
    boolean mayBeMissing() {
        return slot.mayBeMissing();
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        boolean put = slot.put(bytes, start, length, row, at);
        if (put) {
            places.put(name(), new FieldBytes(name(), start, length));
        }
        return put;
    }
}
