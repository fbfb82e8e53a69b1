package io.millrace.expression.runtime;

import io.millrace.codec.RawBytes;
import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextMapping;

/** Converts the case of letters, for generated code. Stateless; allocates only where the method says so. */
public final class TextCase {

    private static final int CASE_BIT = 'a' - 'A';

    private TextCase() {}

    /** Returns the lower case of an ASCII letter, and any other byte as it is. */
    public static byte lower(byte value) {
        return value >= 'A' && value <= 'Z' ? (byte) (value + CASE_BIT) : value;
    }

    private static byte upper(byte value) {
        return value >= 'a' && value <= 'z' ? (byte) (value - CASE_BIT) : value;
    }

    /** Writes an ASCII text in lower case and returns its length, or -1 if it is not ASCII or too long. */
    public static int lower(byte[] bytes, int from, int to, byte[] into) {
        if (to - from > into.length || !RawBytes.isAscii(bytes, from, to - from)) {
            return -1;
        }
        for (int i = from; i < to; i++) {
            into[i - from] = lower(bytes[i]);
        }
        return to - from;
    }

    /** Writes an ASCII text in upper case and returns its length, or -1 if it is not ASCII or too long. */
    public static int upper(byte[] bytes, int from, int to, byte[] into) {
        if (to - from > into.length || !RawBytes.isAscii(bytes, from, to - from)) {
            return -1;
        }
        for (int i = from; i < to; i++) {
            into[i - from] = upper(bytes[i]);
        }
        return to - from;
    }

    /** Returns the UTF-8 bytes of any text in the other case. Allocates. */
    public static byte[] map(byte[] bytes, int from, int to, TextCharset charset, TextMapping mapping) {
        return TextCharset.UTF8.encode(mapping.of(decode(bytes, from, to, charset)));
    }

    /** Decodes a text; throws {@link RecordException} if the bytes are invalid. Allocates. */
    static String decode(byte[] bytes, int from, int to, TextCharset charset) {
        if (charset == TextCharset.ASCII && !RawBytes.isAscii(bytes, from, to - from)) {
            throw RecordException.noText("US-ASCII");
        }
        if (charset == TextCharset.UTF8) {
            // Reads all characters, so refuses malformed ones.
            Utf8.units(bytes, from, to);
        }
        return new String(bytes, from, to - from, charset.charset());
    }
}
