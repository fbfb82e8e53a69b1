package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.TaggedField;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Reads text that fits the length and charset of the row's field. */
final class TextSlot extends Slot {

    private static final long NOT_ASCII = 0x8080808080808080L;

    private final int capacity;
    private final Charset charset;

    TextSlot(Field field, TaggedField found, FieldType.StringType type) {
        super(field, found);
        this.capacity = type.bytes();
        this.charset = type.charset();
    }

    @Override
    boolean put(byte[] bytes, int start, int length, byte[] row, int at) {
        if (length > capacity || !isText(bytes, start, length)) {
            return false;
        }
        RawBytes.copy(bytes, start, row, at, length);
        return true;
    }

    private boolean isText(byte[] bytes, int start, int length) {
        if (charset.equals(StandardCharsets.ISO_8859_1)) {
            return true;
        }
        // Most text is ASCII, which is checked eight bytes at a time.
        long all = 0;
        int at = start;
        for (; at <= start + length - Long.BYTES; at += Long.BYTES) {
            all |= RawBytes.getLongLe(bytes, at);
        }
        for (; at < start + length; at++) {
            all |= bytes[at];
        }
        return (all & NOT_ASCII) == 0 || (charset.equals(StandardCharsets.UTF_8) && isUtf8(bytes, start, length));
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
