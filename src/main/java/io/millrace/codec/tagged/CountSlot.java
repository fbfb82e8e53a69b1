package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;

/** Counts elements. */
record CountSlot(ElementPlace place) implements Slot {

    @Override
    public boolean counts() {
        return true;
    }

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        RawBytes.putLong(row, at, RawBytes.getLong(row, at) + 1);
        return true;
    }
}
