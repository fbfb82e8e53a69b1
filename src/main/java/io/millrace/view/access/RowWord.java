package io.millrace.view.access;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A whole big-endian word at a literal offset of a row, and whether it is there. A record, so that the JIT compiler
 * treats the offset as a literal.
 *
 * @param offset offset in the row
 * @param form width in bytes, plus {@link #UNSIGNED} if the word is not sign-extended
 * @param flagAt offset of the null flag, or -1
 * @param reserved whether one number represents absent
 * @param absent that number
 */
record RowWord(int offset, int form, int flagAt, boolean reserved, long absent) {

    private static final int UNSIGNED = 16;

    /** Returns the word of a field, or null if the field is stored in another form. */
    static @Nullable RowWord of(Field field) {
        int form = switch (field.type()) {
            case FieldType.Numbered numbered -> form(numbered.storage());
            case FieldType.FloatType(int bytes, ByteOrder order) -> order == ByteOrder.BIG_ENDIAN ? bytes : 0;
            default -> 0;
        };
        if (form == 0) {
            return null;
        }
        boolean reserved = field.optional() && !field.nullFlag();
        return new RowWord(
                field.offset(),
                form,
                field.nullFlag() ? field.nullFlagAt() : -1,
                reserved,
                reserved ? field.nullRaw() : 0);
    }

    /** Unsigned words of eight bytes are left out: not every number of theirs is a long. */
    private static int form(IntStorage storage) {
        boolean plain = storage.wholeWord()
                && storage.order() == ByteOrder.BIG_ENDIAN
                && !storage.unsignedLong()
                && Integer.bitCount(storage.bytes()) == 1;
        return plain ? storage.bytes() + (storage.signed() ? 0 : UNSIGNED) : 0;
    }

    /** Returns the number. */
    long number(byte[] bytes, int at) {
        return switch (form) {
            case 1 -> bytes[at + offset];
            case 2 -> RawBytes.getShort(bytes, at + offset);
            case 4 -> RawBytes.getInt(bytes, at + offset);
            case 8 -> RawBytes.getLong(bytes, at + offset);
            case 1 + UNSIGNED -> bytes[at + offset] & 0xFF;
            case 2 + UNSIGNED -> RawBytes.getShort(bytes, at + offset) & 0xFFFF;
            case 4 + UNSIGNED -> RawBytes.getInt(bytes, at + offset) & 0xFFFF_FFFFL;
            default -> throw new AssertionError(form);
        };
    }

    /** Returns whether a number that was read represents absent. */
    boolean isAbsent(byte[] bytes, int at, long number) {
        return flagAt >= 0 ? bytes[at + flagAt] != 0 : reserved && number == absent;
    }

    /** Returns the number as a floating-point number. */
    double real(byte[] bytes, int at) {
        return form == Double.BYTES
                ? Double.longBitsToDouble(RawBytes.getLong(bytes, at + offset))
                : Float.intBitsToFloat(RawBytes.getInt(bytes, at + offset));
    }
}
