package io.millrace.codec.json;

import io.millrace.codec.RawBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a JSON text (RFC 8259) from UTF-8 bytes, value by value, without objects. The caller asks for what the text may
 * contain at the place, so there are no tokens: {@link #peek} shows how the next value begins, and the method of that
 * kind of value reads it. Accepts exactly what the RFC allows, and refuses bytes that are not well-formed UTF-8.
 *
 * <p>Not thread-safe. Reused: allocates only to grow the buffer of texts with escapes, and for {@link #text}.
 */
final class JsonScanner {

    /** Maximum depth of nested objects and arrays that are skipped. */
    static final int MAX_DEPTH = 500;

    /** Maximum length of a number in bytes. */
    static final int MAX_NUMBER_BYTES = 1000;

    /** A number of this many digits fits a long. */
    private static final int MAX_LONG_DIGITS = 18;

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x80 * ONES;
    private static final long QUOTES = '"' * ONES;
    private static final long BACKSLASHES = '\\' * ONES;
    private static final long SPACES = ' ' * ONES;

    private byte[] bytes = {};
    private int start;
    private int at;
    private int end;

    private byte[] unescaped = new byte[64];
    private byte[] textBytes = bytes;
    private int textAt;
    private int textLength;
    private boolean ascii;

    private long digits;
    private int decimals;
    private boolean negative;
    private boolean plain;

    /** Thrown for a text that is not JSON. */
    static final class MalformedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MalformedException(int offset, String message) {
            super("Invalid JSON at byte " + offset + ": " + message, null, false, false);
        }
    }

    /** Begins to read a text. */
    void reset(byte[] text, int from, int length) {
        bytes = text;
        start = from;
        at = from;
        end = from + length;
    }

    MalformedException malformed(String message) {
        return new MalformedException(at - start, message);
    }

    private MalformedException unexpected(String expected) {
        if (at >= end) {
            return malformed("The text ends too early. Expected " + expected + ".");
        }
        int found = bytes[at] & 0xFF;
        String shown = found > ' ' && found < 0x7F ? "'" + (char) found + "'" : "byte " + found;
        return malformed("Unexpected " + shown + ". Expected " + expected + ".");
    }

    /** Returns the next byte that is not white space, without reading it, or -1 at the end of the text. */
    int peek() {
        while (at < end) {
            byte next = bytes[at];
            if (next > ' ' || (next != ' ' && next != '\n' && next != '\t' && next != '\r')) {
                return next & 0xFF;
            }
            at++;
        }
        return -1;
    }

    /** Reads the beginning of an object or array, which {@link #peek} has shown. */
    void begin() {
        at++;
    }

    /**
     * Reads the name of the next member of an object and the colon, or the end of the object.
     *
     * @param first whether no member of the object has been read
     * @return whether there is a member; its name is the current text
     */
    boolean member(boolean first) {
        int next = peek();
        if (next == '}') {
            at++;
            return false;
        }
        if (!first) {
            if (next != ',') {
                throw unexpected("',' or '}'");
            }
            at++;
            next = peek();
        }
        if (next != '"') {
            throw unexpected(first ? "a name or '}'" : "a name");
        }
        string();
        if (peek() != ':') {
            throw unexpected("':'");
        }
        at++;
        return true;
    }

    /**
     * Reads the comma before the next element of an array, or the end of the array.
     *
     * @param first whether no element of the array has been read
     * @return whether there is an element
     */
    boolean element(boolean first) {
        int next = peek();
        if (next == ']') {
            at++;
            return false;
        }
        if (!first) {
            if (next != ',') {
                throw unexpected("',' or ']'");
            }
            at++;
        }
        return true;
    }

    /** Reads {@code true}, {@code false} or {@code null}, which begins with a byte that {@link #peek} has shown. */
    void literal(String literal) {
        for (int i = 0; i < literal.length(); i++, at++) {
            if (at >= end || bytes[at] != literal.charAt(i)) {
                throw unexpected("a value");
            }
        }
        textBytes = bytes;
        textAt = at - literal.length();
        textLength = literal.length();
    }

    /** Reads a string, whose quote {@link #peek} has shown. It becomes the current text. */
    void string() {
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
        textBytes = bytes;
        textAt = from;
        textLength = at - from;
        at++;
    }

    /** Skips ASCII characters up to the next quote, backslash, control character or byte beyond ASCII. */
    private void skipPlain() {
        while (at + Long.BYTES <= end) {
            long word = RawBytes.getLongLe(bytes, at);
            long quotes = word ^ QUOTES;
            long backslashes = word ^ BACKSLASHES;
            long found = ((quotes - ONES & ~quotes) | (backslashes - ONES & ~backslashes) | word - SPACES | word) & HIGHS;
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
        int length = Utf8.length(bytes, at, end);
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
        int plainCharacter =
                switch (kind) {
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
        return Utf8.put(unescaped, length, character);
    }

    private int hex(int from) {
        int value = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = i < end ? Character.digit(bytes[i], 16) : -1;
            if (digit < 0) {
                throw malformed("Invalid escape.");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** Reads a number. It becomes the current text. */
    void number() {
        int from = at;
        negative = at < end && bytes[at] == '-';
        if (negative) {
            at++;
        }
        digits = 0;
        int first = at;
        digits("a value");
        if (at - first > 1 && bytes[first] == '0') {
            at = first;
            throw malformed("Invalid number: it begins with 0.");
        }
        int count = at - first;
        decimals = 0;
        if (at < end && bytes[at] == '.') {
            int point = at++;
            digits("a digit");
            decimals = at - point - 1;
            count += decimals;
        }
        plain = count <= MAX_LONG_DIGITS;
        if (at < end && (bytes[at] | 0x20) == 'e') {
            plain = false;
            at++;
            if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
                at++;
            }
            digits("a digit");
        }
        if (at - from > MAX_NUMBER_BYTES) {
            throw malformed("A number is longer than " + MAX_NUMBER_BYTES + " bytes.");
        }
        textBytes = bytes;
        textAt = from;
        textLength = at - from;
        ascii = true;
    }

    /** Reads at least one digit. */
    private void digits(String expected) {
        int from = at;
        long value = digits;
        while (at < end) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            value = value * 10 + digit;
            at++;
        }
        if (at == from) {
            throw unexpected(expected);
        }
        digits = value;
    }

    /** Reads a value of any kind and ignores it. */
    void skip() {
        boolean[] inObject = new boolean[MAX_DEPTH];
        int depth = 0;
        boolean first;
        do {
            first = false;
            switch (peek()) {
                case '{', '[' -> {
                    if (depth == MAX_DEPTH) {
                        throw malformed("Objects and arrays are nested deeper than " + MAX_DEPTH + " levels.");
                    }
                    inObject[depth++] = bytes[at++] == '{';
                    first = true;
                }
                case '"' -> string();
                case 't' -> literal("true");
                case 'f' -> literal("false");
                case 'n' -> literal("null");
                default -> number();
            }
            while (depth > 0 && !(inObject[depth - 1] ? member(first) : element(first))) {
                depth--;
                first = false;
            }
        } while (depth > 0);
    }

    /** Returns the array that contains the bytes of the current text. */
    byte[] textBytes() {
        return textBytes;
    }

    /** Returns the offset of the current text. */
    int textAt() {
        return textAt;
    }

    /** Returns the length of the current text in bytes. */
    int textLength() {
        return textLength;
    }

    /** Returns whether the current text is ASCII. */
    boolean isAscii() {
        return ascii;
    }

    /** Returns the current text. */
    String text() {
        return new String(textBytes, textAt, textLength, StandardCharsets.UTF_8);
    }

    /** Returns whether the number is without exponent and has few digits, so that {@link #unscaled} is exact. */
    boolean isPlain() {
        return plain;
    }

    /** Returns the number of digits after the decimal point. */
    int decimals() {
        return decimals;
    }

    /** Returns whether the number has a minus sign. */
    boolean isNegative() {
        return negative;
    }

    /** Returns the digits of the number with its sign, without the decimal point. */
    long unscaled() {
        return negative ? -digits : digits;
    }
}
