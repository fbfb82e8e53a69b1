package io.millrace.codec.tagged;

import io.millrace.codec.record.FieldBytes;
import java.util.Map;

/**
 * Reads a value by another slot and records its location.
 *
 * @param locations locations of values by field name, to which this slot adds its own
 */
record PlacedSlot(Slot slot, Map<String, FieldBytes> locations) implements Slot {

    @Override
    public ElementPlace place() {
        return slot.place();
    }

    @Override
    public boolean counts() {
        return slot.counts();
    }

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        boolean put = slot.put(bytes, start, length, row, at);
        if (put) {
            locations.put(name(), new FieldBytes(name(), start, length));
        }
        return put;
    }
}
