package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.FieldType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads text that fits the length and charset of the row's field.
 *
 * @param capacity maximum length in bytes
 * @param latin whether the charset is ISO-8859-1, in which all bytes are text
 * @param utf8 whether the charset is UTF-8; any other one is US-ASCII
 */
record TextSlot(ElementPlace place, int capacity, boolean latin, boolean utf8) implements Slot {

    static TextSlot of(ElementPlace place, FieldType.StringType type) {
        return new TextSlot(
                place,
                type.bytes(),
                type.charset().equals(StandardCharsets.ISO_8859_1),
                type.charset().equals(StandardCharsets.UTF_8));
    }

    @Override
    public boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        if (length > capacity
                || !(latin || RawBytes.isAscii(bytes, start, length) || (utf8 && isUtf8(bytes, start, length)))) {
            return false;
        }
        RawBytes.copy(bytes, start, row, at, length);
        return true;
    }

    private static boolean isUtf8(byte[] bytes, int start, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, start, length))
                    .hasRemaining();
        } catch (CharacterCodingException _) {
            return false;
        }
    }
}
