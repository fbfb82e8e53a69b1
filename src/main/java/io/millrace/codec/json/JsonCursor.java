package io.millrace.codec.json;

import io.millrace.codec.RawBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A position in a JSON text, and the strings of the text. Not thread-safe. Reused: allocates only to grow the buffer of
 * strings with escapes, and for {@link #text}.
 */
abstract sealed class JsonCursor permits JsonScanner {

    static final long ONES = 0x0101_0101_0101_0101L;
    static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;

    /** The text, the offset of the next byte to read, and the offset past the text. */
    byte[] bytes = {};

    int at;
    int end;

    private int start;

    private byte[] unescaped = new byte[64];
    private byte[] textBytes = bytes;
    private int textAt;
    private int textLength;
    private boolean ascii;

    /** Begins to read a text. */
    final void reset(byte[] text, int from, int length) {
        bytes = text;
        start = from;
        at = from;
        end = from + length;
    }

    final MalformedJsonException malformed(String message) {
        return new MalformedJsonException(at - start, message);
    }

    final MalformedJsonException unexpected(String expected) {
        if (at >= end) {
            return malformed("The text ends too early. Expected " + expected + ".");
        }
        int found = bytes[at] & 0xFF;
        String shown = found > ' ' && found < 0x7F ? "'" + (char) found + "'" : "byte " + found;
        return malformed("Unexpected " + shown + ". Expected " + expected + ".");
    }

    /** Returns the next byte that is not white space, without reading it, or -1 at the end of the text. */
    final int peek() {
        while (at < end) {
            byte next = bytes[at];
            if (next > ' ' || (next != ' ' && next != '\n' && next != '\t' && next != '\r')) {
                return next & 0xFF;
            }
            at++;
        }
        return -1;
    }

    /** Reads a string, whose quote {@link #peek} has shown. It becomes the current text. */
    final void string() {
        int from = ++at;
        ascii = true;
        while (true) {
            skipPlain();
            if (at >= end) {
                throw unexpected("'\"'");
            }
            byte next = bytes[at];
            if (next == '"') {
                break;
            }
            if (next == '\\') {
                unescape(from);
                return;
            }
            skipCharacter();
        }
        textFrom(from, ascii);
        at++;
    }

    /** Skips ASCII characters up to the next quote, backslash, control character or byte beyond ASCII. */
    private void skipPlain() {
        while (at + Long.BYTES <= end) {
            long word = RawBytes.getLongLe(bytes, at);
            long quotes = word ^ QUOTES;
            long backslashes = word ^ BACKSLASHES;
            long found = (((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | (word - SPACES) | word)
                    & HIGHS;
            if (found != 0) {
                at += Long.numberOfTrailingZeros(found) >>> 3;
                return;
            }
            at += Long.BYTES;
        }
        while (at < end && bytes[at] >= ' ' && bytes[at] != '"' && bytes[at] != '\\') {
            at++;
        }
    }

    /** Skips a character that is neither a quote nor a backslash. */
    private void skipCharacter() {
        if (bytes[at] >= 0) {
            if (bytes[at] < ' ') {
                throw unexpected("an escape instead of a control character");
            }
            at++;
            return;
        }
        ascii = false;
        int length = Utf8Characters.length(bytes, at, end);
        if (length == 0) {
            throw malformed("Invalid UTF-8.");
        }
        at += length;
    }

    /** Reads the rest of a string with escapes into the buffer. */
    private void unescape(int from) {
        int length = 0;
        int copied = from;
        while (true) {
            int more = at - copied;
            if (length + more + 4 > unescaped.length) {
                unescaped = Arrays.copyOf(unescaped, 2 * (length + more + 4));
            }
            System.arraycopy(bytes, copied, unescaped, length, more);
            length += more;
            if (bytes[at] == '"') {
                break;
            }
            length = escape(length);
            copied = at;
            skipPlain();
            while (at < end && bytes[at] != '"' && bytes[at] != '\\') {
                skipCharacter();
                skipPlain();
            }
            if (at >= end) {
                throw unexpected("'\"'");
            }
        }
        at++;
        textBytes = unescaped;
        textAt = 0;
        textLength = length;
    }

    /** Reads an escape, and returns the length of the buffer with the character. */
    private int escape(int length) {
        int kind = at + 1 < end ? bytes[at + 1] : -1;
        int plainCharacter = switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> -1;
            default -> throw malformed("Invalid escape.");
        };
        if (plainCharacter >= 0) {
            unescaped[length] = (byte) plainCharacter;
            at += 2;
            return length + 1;
        }
        int character = hex(at + 2);
        at += 6;
        if (Character.isSurrogate((char) character)) {
            boolean pair = at + 1 < end && bytes[at] == '\\' && bytes[at + 1] == 'u';
            int low = pair && Character.isHighSurrogate((char) character) ? hex(at + 2) : 0;
            if (!Character.isLowSurrogate((char) low)) {
                throw malformed("Invalid escape: half of a surrogate pair.");
            }
            at += 6;
            character = Character.toCodePoint((char) character, (char) low);
        }
        ascii &= character < 0x80;
        return Utf8Characters.put(unescaped, length, character);
    }

    private int hex(int from) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = i < end ? Character.digit(bytes[i], 16) : -1;
            if (digit < 0) {
                throw malformed("Invalid escape.");
            }
            value = (value << 4) | digit;
        }
        return value;
    }

    /** Makes the bytes up to the position the current text. */
    final void textFrom(int from, boolean onlyAscii) {
        textBytes = bytes;
        textAt = from;
        textLength = at - from;
        ascii = onlyAscii;
    }

    /** Returns the array that contains the bytes of the current text. */
    final byte[] textBytes() {
        return textBytes;
    }

    /** Returns the offset of the current text. */
    final int textAt() {
        return textAt;
    }

    /** Returns the length of the current text in bytes. */
    final int textLength() {
        return textLength;
    }

    /** Returns whether the current text is ASCII. */
    final boolean isAscii() {
        return ascii;
    }

    /** Returns the current text. */
    final String text() {
        return new String(textBytes, textAt, textLength, StandardCharsets.UTF_8);
    }
}
