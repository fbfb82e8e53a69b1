package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.IntStorage;
import io.millrace.schema.TaggedField;
import java.nio.ByteOrder;

/** Reads a floating-point number as a double. NaN becomes absent. */
final class RealSlot extends Slot {

    private final IntStorage bits;

    RealSlot(Field field, TaggedField found, int bytes, ByteOrder order) {
        super(field, found);
        this.bits = IntStorage.of(bytes, true, order);
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        long raw = RawBytes.get(bytes, start, bits);
        double value = bits.bytes() == Float.BYTES ? Float.intBitsToFloat((int) raw) : Double.longBitsToDouble(raw);
        RawBytes.putLong(row, at, Double.doubleToLongBits(value));
        return true;
    }
}
