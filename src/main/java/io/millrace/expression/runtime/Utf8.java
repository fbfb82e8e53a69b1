package io.millrace.expression.runtime;

import io.millrace.codec.RawBytes;

/**
 * Operations on UTF-8 in byte arrays, with counts in UTF-16 units as in {@link String}, for generated code. Stateless;
 * allocates nothing. Throws {@link RecordException} if bytes beyond ASCII that are read are not well-formed (RFC 3629,
 * section 3).
 */
public final class Utf8 {

    /** The smallest code points that need 2, 3 and 4 bytes: a longer encoding than needed is malformed. */
    private static final int[] SMALLEST = {0x80, 0x800, 0x10000};

    private Utf8() {}

    /** Returns the number of UTF-16 units. */
    public static int units(byte[] bytes, int from, int to) {
        if (RawBytes.isAscii(bytes, from, to - from)) {
            return to - from;
        }
        int units = 0;
        for (int at = from; at < to; ) {
            int codePoint = codePoint(bytes, at, to);
            units += Character.charCount(codePoint);
            at += width(codePoint);
        }
        return units;
    }

    /** Throws {@link RecordException} if a number of characters is not from 0 to a limit. */
    static void requireWithin(long characters, int limit) {
        if (characters < 0 || characters > limit) {
            throw RecordException.noResult("a text has no part from or to there");
        }
    }

    /**
     * Returns the index after a number of UTF-16 units; throws {@link RecordException} if there are fewer, or if the
     * last one is half of a surrogate pair.
     */
    public static int position(byte[] bytes, int from, int to, long units) {
        requireWithin(units, to - from);
        int ascii = from + (int) units;
        if (RawBytes.isAscii(bytes, from, (int) units)) {
            return ascii;
        }
        int at = from;
        long rest = units;
        while (rest > 0) {
            if (at == to) {
                requireWithin(units, 0);
            }
            int codePoint = codePoint(bytes, at, to);
            rest -= Character.charCount(codePoint);
            at += width(codePoint);
        }
        if (rest < 0) {
            throw RecordException.noResult("a text would end in half of a surrogate pair");
        }
        return at;
    }

    /** Converts Latin-1 to UTF-8 and returns the number of bytes: at most twice as many. */
    public static int fromLatin1(byte[] bytes, int from, int to, byte[] into) {
        int length = 0;
        for (int i = from; i < to; i++) {
            int character = bytes[i] & 0xFF;
            if (character < 0x80) {
                into[length++] = (byte) character;
            } else {
                into[length++] = (byte) (0xC0 | (character >> 6));
                into[length++] = (byte) (0x80 | (character & 0x3F));
            }
        }
        return length;
    }

    /**
     * Converts UTF-8 to Latin-1 and returns the number of bytes; throws {@link RecordException} for other characters,
     * or if the result does not fit the array.
     */
    public static int toLatin1(byte[] bytes, int from, int to, byte[] into, String field) {
        int length = 0;
        for (int at = from; at < to; ) {
            int codePoint = codePoint(bytes, at, to);
            if (codePoint > 0xFF) {
                throw RecordException.outOfRange("with characters past ISO-8859-1", field);
            }
            if (length == into.length) {
                throw RecordException.outOfRange("of more than " + length + " bytes", field);
            }
            into[length++] = (byte) codePoint;
            at += width(codePoint);
        }
        return length;
    }

    /** Writes a code point and returns the index after its bytes. */
    public static int put(int codePoint, byte[] into, int at) {
        int width = width(codePoint);
        if (width == 1) {
            into[at] = (byte) codePoint;
            return at + 1;
        }
        int rest = codePoint;
        for (int i = at + width - 1; i > at; i--) {
            into[i] = (byte) (0x80 | (rest & 0x3F));
            rest >>= 6;
        }
        // The lead byte begins with as many one bits as there are bytes, then a zero bit.
        into[at] = (byte) (0xF00 >> width | rest);
        return at + width;
    }

    /** Returns the number of bytes of a code point. */
    public static int width(int codePoint) {
        return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }

    private static int codePoint(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xFF;
        if (lead < 0x80) {
            return lead;
        }
        int width = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (lead < 0xC0 || at + width > to) {
            throw RecordException.noText("UTF-8");
        }
        // A lead byte of 0xF8 or more gives a code point past the last one.
        int codePoint = lead & (width == 4 ? 0x0F : 0x7F >> width);
        for (int i = at + 1; i < at + width; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                throw RecordException.noText("UTF-8");
            }
            codePoint = (codePoint << 6) | (bytes[i] & 0x3F);
        }
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        if (codePoint < SMALLEST[width - 2] || codePoint > Character.MAX_CODE_POINT || surrogate) {
            throw RecordException.noText("UTF-8");
        }
        return codePoint;
    }
}
