package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;

/**
 * Reads an integer, or a type that is stored as one.
 *
 * @param input storage of the integer in the element
 * @param target storage of the integer in the row
 * @param codec codec of the field
 * @param plain whether the integer is unsigned, big-endian and of up to four bytes, as nearly all are
 * @param anyBytesValid whether all bytes are valid
 */
record NumberSlot(
        ElementPlace place,
        IntStorage input,
        IntStorage target,
        NumberedCodec codec,
        boolean plain,
        boolean anyBytesValid)
        implements Slot {

    static NumberSlot of(ElementPlace place, IntStorage input, FieldCodec codec) {
        FieldType type = place.field().type();
        IntStorage target = ((FieldType.Numbered) type).storage();
        return new NumberSlot(
                place,
                input,
                target,
                (NumberedCodec) codec,
                !input.signed() && input.bytes() <= Integer.BYTES && input.order() == ByteOrder.BIG_ENDIAN,
                type instanceof FieldType.IntegerType && input.unsignedLong() == target.unsignedLong());
    }

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        long raw = plain
                ? Elements.unsigned(bytes, start, input.bytes()) >>> input.shift() & input.max()
                : RawBytes.get(bytes, start, input);
        if (!anyBytesValid && !isValue(raw)) {
            return false;
        }
        if (target.bytes() == Long.BYTES) {
            RawBytes.putLong(row, at, raw);
        } else {
            RawBytes.put(row, at, target, raw);
        }
        return true;
    }

    /** Returns whether an integer is a valid value of the field. */
    boolean isValue(long raw) {
        boolean fits = input.unsignedLong() ? target.unsignedLong() || raw >= 0 : target.holds(raw);
        return fits && codec.isValue(raw);
    }
}
