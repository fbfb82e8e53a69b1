package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.TaggedField;
import java.nio.ByteOrder;

/** Reads an integer, or a type that is stored as one. */
final class NumberSlot extends Slot {

    private final IntStorage input;
    private final IntStorage target;
    private final NumberedCodec codec;
    /** Whether the integer is unsigned, big-endian and of up to four bytes, as nearly all are. */
    private final boolean plain;

    private final int width;
    private final int shift;
    private final long mask;
    /** Whether all bytes are valid. */
    private final boolean anyBytesValid;

    NumberSlot(Field field, TaggedField found, IntStorage input, FieldCodec codec) {
        super(field, found);
        this.input = input;
        this.target = ((FieldType.Numbered) field.type()).storage();
        this.codec = (NumberedCodec) codec;
        this.plain = !input.signed() && input.bytes() <= Integer.BYTES && input.order() == ByteOrder.BIG_ENDIAN;
        this.width = input.bytes();
        this.shift = input.shift();
        this.mask = input.max();
        this.anyBytesValid = field.type() instanceof FieldType.IntegerType && !input.unsignedLong();
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        long raw =
                plain ? TaggedFinder.unsigned(bytes, start, width) >>> shift & mask : RawBytes.get(bytes, start, input);
        if (!anyBytesValid && !(input.unsignedLong() ? raw >= 0 : target.holds(raw) && codec.isValue(raw))) {
            return false;
        }
        if (target.bytes() == Long.BYTES) {
            RawBytes.putLong(row, at, raw);
        } else {
            RawBytes.put(row, at, target, raw);
        }
        return true;
    }
}
