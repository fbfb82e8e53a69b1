package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.TaggedField;

/** Bytes as they are, with zeros behind them where there are fewer than the row has room for. */
final class BytesSlot extends Slot {

    private final int room;

    BytesSlot(Field field, TaggedField found) {
        super(field, found);
        this.room = field.type().bytes();
    }

    @Override
    boolean put(byte[] bytes, int from, int length, byte[] row, int at) {
        if (length > room) {
            return false;
        }
        RawBytes.copy(bytes, from, row, at, length);
        return true;
    }
}
