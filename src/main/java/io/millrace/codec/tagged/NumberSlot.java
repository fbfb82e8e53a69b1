package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.TaggedField;
import java.nio.ByteOrder;

/** A whole number, or what one stands for. */
final class NumberSlot extends Slot {

    private final IntStorage from;
    private final IntStorage into;
    private final NumberedCodec codec;
    /** Whether it is unsigned, big-endian and of up to four bytes, as nearly all are. */
    private final boolean plain;

    private final int width;
    private final int shift;
    private final long mask;
    /** Whether no bytes can be something else than a value. */
    private final boolean always;

    NumberSlot(Field field, TaggedField found, IntStorage from, FieldCodec codec) {
        super(field, found);
        this.from = from;
        this.into = ((FieldType.Numbered) field.type()).storage();
        this.codec = (NumberedCodec) codec;
        this.plain = !from.signed() && from.bytes() <= Integer.BYTES && from.order() == ByteOrder.BIG_ENDIAN;
        this.width = from.bytes();
        this.shift = from.shift();
        this.mask = from.max();
        this.always = field.type() instanceof FieldType.IntegerType && !from.unsignedLong();
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        long raw =
                plain ? TaggedFinder.unsigned(bytes, start, width) >>> shift & mask : RawBytes.get(bytes, start, from);
        if (!always && !(from.unsignedLong() ? raw >= 0 : into.holds(raw) && codec.isValue(raw))) {
            return false;
        }
        if (into.bytes() == Long.BYTES) {
            RawBytes.putLong(row, at, raw);
        } else {
            RawBytes.put(row, at, into, raw);
        }
        return true;
    }
}
