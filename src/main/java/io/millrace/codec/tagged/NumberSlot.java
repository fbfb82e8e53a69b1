package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.NumberedCodec;
import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.TaggedField;

/** A whole number, or what one stands for. */
final class NumberSlot extends Slot {

    private final IntStorage from;
    private final IntStorage into;
    private final NumberedCodec codec;

    NumberSlot(Field field, TaggedField found, IntStorage from, FieldCodec codec) {
        super(field, found);
        this.from = from;
        this.into = ((FieldType.Numbered) field.type()).storage();
        this.codec = (NumberedCodec) codec;
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        long raw = RawBytes.get(bytes, start, from);
        boolean fits = from.unsignedLong() ? raw >= 0 : into.holds(raw);
        if (!fits || !codec.isValue(raw)) {
            return false;
        }
        RawBytes.put(row, at, into, raw);
        return true;
    }
}
