package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;

/** Reads a time zone in quarter hours as minutes east of Greenwich: {@code 0a} is -300. */
record QuarterHoursSlot(ElementPlace place) implements Slot {

    private static final int MINUTES = 15;

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        int tens = bytes[start] & 0x7;
        int ones = bytes[start] >> 4 & 0xF;
        if (ones > 9) {
            return false;
        }
        int minutes = MINUTES * (10 * tens + ones);
        RawBytes.putLong(row, at, (bytes[start] & 0x8) == 0 ? minutes : -minutes);
        return true;
    }
}
