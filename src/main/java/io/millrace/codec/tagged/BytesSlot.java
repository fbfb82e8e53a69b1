package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;

/** Copies bytes, followed by zeros if there are fewer than the row's field holds. */
record BytesSlot(ElementPlace place, int capacity) implements Slot {

    static BytesSlot of(ElementPlace place) {
        return new BytesSlot(place, place.field().type().bytes());
    }

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        if (length > capacity) {
            return false;
        }
        RawBytes.copy(bytes, start, row, at, length);
        return true;
    }
}
