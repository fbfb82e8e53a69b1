package io.millrace.codec.json;

import io.millrace.codec.RawBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A piece of JSON that is written often, such as the name of a member. Padded to whole words, so that
 * {@link JsonBuffer#put(JsonConstant)} copies words. Immutable.
 */
final class JsonConstant {

    static final JsonConstant TRUE = of("true");
    static final JsonConstant FALSE = of("false");

    private final byte[] words;
    private final int length;
    private final long first;
    private final long second;

    private JsonConstant(byte[] text) {
        length = text.length;
        words = Arrays.copyOf(text, Math.max(2, Math.ceilDiv(length, Long.BYTES)) * Long.BYTES);
        first = RawBytes.getLongLe(words, 0);
        second = RawBytes.getLongLe(words, Long.BYTES);
    }

    /** Returns a text as it is. */
    static JsonConstant of(String json) {
        return new JsonConstant(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the name of a member with a comma before and a colon after it. */
    static JsonConstant name(String name) {
        return of(",\"" + name + "\":");
    }

    /** Returns a text in quotes, with escapes where JSON needs them. */
    static JsonConstant quoted(String text) {
        JsonBuffer json = new JsonBuffer();
        json.string(text);
        return new JsonConstant(json.toBytes());
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
}
