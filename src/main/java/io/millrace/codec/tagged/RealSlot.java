package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;

/** Reads a floating-point number. All NaNs become the same one. */
record RealSlot(ElementPlace place, IntStorage bits) implements Slot {

    static RealSlot of(ElementPlace place, int bytes, ByteOrder order) {
        return new RealSlot(place, IntStorage.of(bytes, true, order));
    }

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        long raw = RawBytes.get(bytes, start, bits);
        if (bits.bytes() == Float.BYTES) {
            RawBytes.putInt(row, at, Float.floatToIntBits(Float.intBitsToFloat((int) raw)));
        } else {
            RawBytes.putLong(row, at, Double.doubleToLongBits(Double.longBitsToDouble(raw)));
        }
        return true;
    }
}
