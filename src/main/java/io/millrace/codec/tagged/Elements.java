package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.ElementForm;

/** Reads tags and lengths of elements. Stateless; no method allocates. */
final class Elements {

    /** Returned instead of an offset if an element does not end inside of what contains it. */
    static final int UNEXPECTED = -1;

    private Elements() {}

    /** Returns the offset past the element at an offset, or {@link #UNEXPECTED}. */
    static int end(ElementForm form, byte[] bytes, int at, int limit) {
        int value = at + form.headerLength();
        if (value > limit) {
            return UNEXPECTED;
        }
        long length = unsigned(bytes, at + form.tagBytes(), form.lengthBytes());
        long end = (form.lengthOfAll() ? at : value) + length;
        return end < value || end > limit ? UNEXPECTED : (int) end;
    }

    /** Returns the offset of a field in the value at an offset, or {@link ElementPlace#NOT_PRESENT}. */
    static int part(int[] byKind, byte[] bytes, int at) {
        return byKind[bytes[at] & 0xFF];
    }

    /** Returns an unsigned integer of one to four bytes. */
    static long unsigned(byte[] bytes, int at, int width) {
        return switch (width) {
            case 1 -> bytes[at] & 0xFF;
            case 2 -> RawBytes.getShort(bytes, at) & 0xFFFF;
            case 3 -> (bytes[at] & 0xFF) << 16 | (RawBytes.getShort(bytes, at + 1) & 0xFFFF);
            default -> RawBytes.getInt(bytes, at) & 0xFFFF_FFFFL;
        };
    }
}
