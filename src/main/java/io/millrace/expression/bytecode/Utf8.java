package io.millrace.expression.bytecode;

/**
 * Characters of UTF-8 where they lie, counted in UTF-16 units as {@link String} does, for generated code. Stateless;
 * allocates nothing. Bytes beyond ASCII that are looked at must be well-formed (RFC 3629, section 3), else a
 * {@link RecordException} says so.
 */
final class Utf8 {

    /** The smallest code point that needs 2, 3 and 4 bytes: one in more bytes than it needs is malformed. */
    private static final int[] SMALLEST = {0x80, 0x800, 0x10000};

    private Utf8() {}

    /** Whether there is nothing but ASCII. */
    static boolean isAscii(byte[] bytes, int from, int to) {
        int all = 0;
        for (int i = from; i < to; i++) {
            all |= bytes[i];
        }
        return all >= 0;
    }

    /** How many UTF-16 units there are. */
    static int units(byte[] bytes, int from, int to) {
        if (isAscii(bytes, from, to)) {
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

    /**
     * Where so many UTF-16 units end; a {@link RecordException} where there are fewer, or where the last is half of a
     * surrogate pair.
     */
    static int position(byte[] bytes, int from, int to, long units) {
        TextSlices.requireWithin(units, to - from);
        int ascii = from + (int) units;
        if (isAscii(bytes, from, ascii)) {
            return ascii;
        }
        int at = from;
        long rest = units;
        while (rest > 0) {
            if (at == to) {
                TextSlices.requireWithin(units, 0);
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

    /** Writes Latin-1 in UTF-8, and returns how many bytes that takes: at most twice as many. */
    static int fromLatin1(byte[] bytes, int from, int to, byte[] into) {
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
     * Writes Latin-1 and returns how many bytes that takes; other characters, or more bytes than there is room for, are
     * a {@link RecordException}.
     */
    static int toLatin1(byte[] bytes, int from, int to, byte[] into, String field) {
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

    /** Writes a code point, and returns where its bytes end. */
    static int put(int codePoint, byte[] into, int at) {
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
        // As many ones as there are bytes, and a zero, stand before the first bits.
        into[at] = (byte) (0xF00 >> width | rest);
        return at + width;
    }

    /** How many bytes a code point takes. */
    static int width(int codePoint) {
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
        // The bits of a lead byte of 0xF8 or more make a code point past the last one.
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
