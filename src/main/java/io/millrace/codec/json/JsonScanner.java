package io.millrace.codec.json;

import io.millrace.codec.RawBytes;

/**
 * Reads a JSON text (RFC 8259) from UTF-8 bytes, value by value, without objects. The caller asks for what the text may
 * contain at the place, so there are no tokens: {@link #peek} shows how the next value begins, and the method of that
 * kind of value reads it. Accepts exactly what the RFC allows, and refuses bytes that are not well-formed UTF-8.
 *
 * <p>Not thread-safe. Reused: allocates only to skip values and for errors.
 */
final class JsonScanner extends JsonCursor {

    /** Maximum depth of nested objects and arrays that are skipped. */
    static final int MAX_DEPTH = 500;

    /** Maximum length of a number in bytes. */
    static final int MAX_NUMBER_BYTES = 1000;

    /** A number of this many digits fits a long. */
    private static final int MAX_LONG_DIGITS = 18;

    private static final long ZEROS = '0' * ONES;

    /** Sets the highest bit of a byte that is larger than 9. */
    private static final long ABOVE_NINE = (0x80 - 10) * ONES;

    private static final int[] POWERS = {1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private long digits;
    private int decimals;
    private boolean negative;
    private boolean plain;

    /** Reads the beginning of an object or array, which {@link #peek} has shown. */
    void begin() {
        at++;
    }

    /**
     * Reads what precedes the name of the next member of an object, or the end of the object.
     *
     * @param first whether no member of the object has been read
     * @return whether there is a member, whose {@link #name} is next
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
        return true;
    }

    /** Reads the name of a member and the colon. It becomes the current text. */
    void name() {
        string();
        colon();
    }

    /**
     * Reads the name of a member and the colon if it is an expected one. The current text remains the same.
     *
     * @param expected the name in quotes
     * @return whether it was read. Even the expected name may not be, for example if it has escapes
     */
    boolean name(JsonConstant expected) {
        if (!expected.isAt(bytes, at, end)) {
            return false;
        }
        at += expected.length();
        colon();
        return true;
    }

    private void colon() {
        if (peek() != ':') {
            throw unexpected("':'");
        }
        at++;
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
    void literal(JsonConstant literal) {
        if (literal.isAt(bytes, at, end)) {
            at += literal.length();
            return;
        }
        String text = literal.toString();
        for (int i = 0; i < text.length(); i++, at++) {
            if (at >= end || bytes[at] != text.charAt(i)) {
                throw unexpected("a value");
            }
        }
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
        textFrom(from, true);
    }

    /** Reads at least one digit. */
    private void digits(String expected) {
        int from = at;
        long value = digits;
        while (at + Long.BYTES <= end) {
            long word = RawBytes.getLongLe(bytes, at) ^ ZEROS;
            long others = (word + ABOVE_NINE | word) & HIGHS;
            int count = Long.numberOfTrailingZeros(others) >>> 3;
            if (count == 0) {
                break;
            }
            // Zeros take the places of the digits that are missing before the others.
            value = value * POWERS[count] + eightDigits(word << (Long.SIZE - Byte.SIZE * count));
            at += count;
            if (count < Long.BYTES) {
                break;
            }
        }
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

    /** Returns the number of eight digits, the first of which is in the lowest byte. */
    private static long eightDigits(long word) {
        long pairs = (word * 2561) >>> 8 & 0x00FF_00FF_00FF_00FFL;
        long fours = (pairs * 6_553_601) >>> 16 & 0x0000_FFFF_0000_FFFFL;
        return (fours * 42_949_672_960_001L) >>> 32;
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
                case 't' -> literal(JsonConstant.TRUE);
                case 'f' -> literal(JsonConstant.FALSE);
                case 'n' -> literal(JsonConstant.NULL);
                default -> number();
            }
            while (depth > 0 && !(inObject[depth - 1] ? namedMember(first) : element(first))) {
                depth--;
                first = false;
            }
        } while (depth > 0);
    }

    private boolean namedMember(boolean first) {
        boolean found = member(first);
        if (found) {
            name();
        }
        return found;
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
