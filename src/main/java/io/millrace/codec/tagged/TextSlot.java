package io.millrace.codec.tagged;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.TaggedField;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** A text, which fits the row's room and its character set. */
final class TextSlot extends Slot {

    private static final long NOT_ASCII = 0x8080808080808080L;

    private final int room;
    private final Charset charset;

    TextSlot(Field field, TaggedField found, FieldType.StringType type) {
        super(field, found);
        this.room = type.bytes();
        this.charset = type.charset();
    }

    @Override
    boolean put(byte[] bytes, int from, int length, byte[] row, int at) {
        if (length > room || !isText(bytes, from, length)) {
            return false;
        }
        RawBytes.copy(bytes, from, row, at, length);
        return true;
    }

    private boolean isText(byte[] bytes, int from, int length) {
        if (charset.equals(StandardCharsets.ISO_8859_1)) {
            return true;
        }
        // Nearly every text is of ASCII alone, which eight bytes at a time tell.
        long all = 0;
        int at = from;
        for (; at <= from + length - Long.BYTES; at += Long.BYTES) {
            all |= RawBytes.getLongLe(bytes, at);
        }
        for (; at < from + length; at++) {
            all |= bytes[at];
        }
        return (all & NOT_ASCII) == 0 || (charset.equals(StandardCharsets.UTF_8) && isUtf8(bytes, from, length));
    }

    private static boolean isUtf8(byte[] bytes, int from, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, length))
                    .hasRemaining();
        } catch (CharacterCodingException _) {
            return false;
        }
    }
}
