package io.millrace.codec.json;

import io.millrace.codec.RawBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A piece of JSON that is written or expected often, such as the name of a member. Padded to whole words, so that
 * {@link #copyTo} copies words and {@link #isAt} compares words. Immutable.
 */
final class JsonConstant {

    static final JsonConstant TRUE = of("true");
    static final JsonConstant FALSE = of("false");
    static final JsonConstant NULL = of("null");
    static final JsonConstant EMPTY_ARRAY = of("[]");

    private final byte[] words;
    private final int length;
    private final long first;
    private final long second;

    /** Bits of the bytes of a text that is shorter than a word. */
    private final long mask;

    /** The last eight bytes, which overlap others, of a text that is not. */
    private final long last;

    /** @param text in UTF-8 */
    JsonConstant(byte[] text) {
        length = text.length;
        words = Arrays.copyOf(text, Math.max(2, Math.ceilDiv(length, Long.BYTES)) * Long.BYTES);
        first = RawBytes.getLongLe(words, 0);
        second = RawBytes.getLongLe(words, Long.BYTES);
        mask = length < Long.BYTES ? (1L << (Byte.SIZE * length)) - 1 : -1;
        last = length < Long.BYTES ? 0 : RawBytes.getLongLe(words, length - Long.BYTES);
    }

    /** Returns a text as it is. */
    static JsonConstant of(String json) {
        return new JsonConstant(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the name of a member with a comma before and a colon after it. */
    static JsonConstant name(String name) {
        return of(",\"" + name + "\":");
    }

    /** Returns this text and another one after it. */
    JsonConstant followedBy(JsonConstant other) {
        byte[] both = Arrays.copyOf(words, length + other.length);
        System.arraycopy(other.words, 0, both, length, other.length);
        return new JsonConstant(both);
    }

    /** Returns the length in bytes. */
    int length() {
        return length;
    }

    /** Writes the text at an offset, and up to seven other bytes after it. */
    void copyTo(byte[] out, int at) {
        RawBytes.putLongLe(out, at, first);
        if (length > Long.BYTES) {
            // Most constants have one word or two, which need no loop.
            RawBytes.putLongLe(out, at + Long.BYTES, second);
            for (int i = 2 * Long.BYTES; i < length; i += Long.BYTES) {
                RawBytes.putLongLe(out, at + i, RawBytes.getLongLe(words, i));
            }
        }
    }

    /**
     * Returns whether the text is at an offset.
     *
     * @param end offset past the bytes to compare. Within the last seven bytes of the array, a text of fewer than eight
     *     bytes is not found
     */
    boolean isAt(byte[] bytes, int at, int end) {
        if (length > end - at || at + Long.BYTES > bytes.length) {
            return false;
        }
        if (((RawBytes.getLongLe(bytes, at) ^ first) & mask) != 0) {
            return false;
        }
        if (length <= Long.BYTES) {
            return true;
        }
        for (int i = Long.BYTES; i < length - Long.BYTES; i += Long.BYTES) {
            if (RawBytes.getLongLe(bytes, at + i) != RawBytes.getLongLe(words, i)) {
                return false;
            }
        }
        return RawBytes.getLongLe(bytes, at + length - Long.BYTES) == last;
    }

    @Override
    public String toString() {
        return new String(words, 0, length, StandardCharsets.UTF_8);
    }
}
