package io.millrace.codec.compact;

import io.millrace.codec.RawBytes;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Checks texts of records. Stateless. */
public final class TextCheck {

    private TextCheck() {}

    /**
     * Returns whether bytes are text in a charset that a row can hold: it does not end with NUL, which pads rows.
     * Allocates only for UTF-8 beyond ASCII.
     */
    public static boolean valid(byte[] bytes, int at, int length, Charset charset) {
        if (length == 0) {
            return true;
        }
        if (bytes[at + length - 1] == 0) {
            return false;
        }
        if (charset.equals(StandardCharsets.ISO_8859_1)) {
            return true;
        }
        return RawBytes.isAscii(bytes, at, length)
                || (charset.equals(StandardCharsets.UTF_8) && wellFormed(bytes, at, length));
    }

    private static boolean wellFormed(byte[] bytes, int at, int length) {
        byte[] again = new String(bytes, at, length, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(again, 0, again.length, bytes, at, at + length);
    }
}
