package io.millrace.expression.bytecode;

import io.millrace.expression.ir.TextCharset;
import io.millrace.expression.ir.TextMapping;

/** Letters in the other case, for generated code. Stateless; allocates only where it says so. */
final class TextCase {

    private static final int CASE_BIT = 'a' - 'A';

    private TextCase() {}

    /** The lower case of an ASCII letter, and any other byte as it is. */
    static byte lower(byte value) {
        return value >= 'A' && value <= 'Z' ? (byte) (value + CASE_BIT) : value;
    }

    private static byte upper(byte value) {
        return value >= 'a' && value <= 'z' ? (byte) (value - CASE_BIT) : value;
    }

    /** Writes a text of ASCII in lower case and returns its length, or -1 where it is not ASCII or too long. */
    static int lower(byte[] bytes, int from, int to, byte[] into) {
        if (to - from > into.length || !Utf8.isAscii(bytes, from, to)) {
            return -1;
        }
        for (int i = from; i < to; i++) {
            into[i - from] = lower(bytes[i]);
        }
        return to - from;
    }

    /** Writes a text of ASCII in upper case and returns its length, or -1 where it is not ASCII or too long. */
    static int upper(byte[] bytes, int from, int to, byte[] into) {
        if (to - from > into.length || !Utf8.isAscii(bytes, from, to)) {
            return -1;
        }
        for (int i = from; i < to; i++) {
            into[i - from] = upper(bytes[i]);
        }
        return to - from;
    }

    /** Any text in the other case, in UTF-8. Allocates. */
    static byte[] map(byte[] bytes, int from, int to, TextCharset charset, TextMapping mapping) {
        return TextCharset.UTF8.encode(mapping.of(decode(bytes, from, to, charset)));
    }

    /** A text as a string; a {@link RecordException} where the bytes are none. Allocates. */
    static String decode(byte[] bytes, int from, int to, TextCharset charset) {
        if (charset == TextCharset.ASCII && !Utf8.isAscii(bytes, from, to)) {
            throw RecordException.noText("US-ASCII");
        }
        if (charset == TextCharset.UTF8) {
            // Looks at all characters, and so refuses those that are malformed.
            Utf8.units(bytes, from, to);
        }
        return new String(bytes, from, to - from, charset.charset());
    }
}
