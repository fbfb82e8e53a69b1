package io.millrace.codec.tagged;

/** Reads the country code and network code of a mobile network from nibbles as digits: {@code 32 f2 10} is 23201. */
record PlmnSlot(ElementPlace place) implements Slot {

    private static final int NO_DIGIT = 0xF;

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        int first = bytes[start] & 0xF;
        int second = bytes[start] >> 4 & 0xF;
        int third = bytes[start + 1] & 0xF;
        int last = bytes[start + 1] >> 4 & 0xF;
        int fourth = bytes[start + 2] & 0xF;
        int fifth = bytes[start + 2] >> 4 & 0xF;
        boolean digits = Math.max(Math.max(first, second), Math.max(third, Math.max(fourth, fifth))) <= 9;
        if (!digits || (last > 9 && last != NO_DIGIT)) {
            return false;
        }
        row[at] = (byte) ('0' + first);
        row[at + 1] = (byte) ('0' + second);
        row[at + 2] = (byte) ('0' + third);
        row[at + 3] = (byte) ('0' + fourth);
        row[at + 4] = (byte) ('0' + fifth);
        row[at + 5] = (byte) (last == NO_DIGIT ? 0 : '0' + last);
        return true;
    }
}
