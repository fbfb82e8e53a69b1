package io.millrace.codec.tagged;

import io.millrace.codec.FieldBytes;
import io.millrace.schema.Field;
import io.millrace.schema.TaggedField;
import java.util.Map;

/** Reads a value as another slot does, and notes where it lies. */
final class PlacedSlot extends Slot {

    private final Slot slot;
    private final Map<String, FieldBytes> places;

    /** @param places of values by field, to which this one is added */
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
    boolean put(byte[] bytes, int from, int length, byte[] row, int at) {
        boolean put = slot.put(bytes, from, length, row, at);
        if (put) {
            places.put(name(), new FieldBytes(name(), from, length));
        }
        return put;
    }
}
