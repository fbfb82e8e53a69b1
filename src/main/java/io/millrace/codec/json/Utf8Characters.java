package io.millrace.codec.json;

/** Characters in UTF-8 (RFC 3629). Stateless; no method allocates. */
final class Utf8Characters {

    private Utf8Characters() {}

    /**
     * Returns the length of the character beyond ASCII that begins at an offset, or 0 if it is not well-formed.
     *
     * @param end offset past the text
     */
    static int length(byte[] bytes, int at, int end) {
        int first = bytes[at] & 0xFF;
        int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (length == 0 || at + length > end) {
            return 0;
        }
        int second = bytes[at + 1] & 0xFF;
        // Excludes characters that fit fewer bytes, surrogates, and what is above U+10FFFF.
        int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /** Writes a character and returns the offset past it. */
    static int put(byte[] bytes, int at, int character) {
        if (character < 0x80) {
            bytes[at] = (byte) character;
            return at + 1;
        }
        if (character < 0x800) {
            bytes[at] = (byte) (0xC0 | (character >> 6));
            bytes[at + 1] = (byte) (0x80 | (character & 0x3F));
            return at + 2;
        }
        if (character < 0x10000) {
            bytes[at] = (byte) (0xE0 | (character >> 12));
            bytes[at + 1] = (byte) (0x80 | ((character >> 6) & 0x3F));
            bytes[at + 2] = (byte) (0x80 | (character & 0x3F));
            return at + 3;
        }
        bytes[at] = (byte) (0xF0 | (character >> 18));
        bytes[at + 1] = (byte) (0x80 | ((character >> 12) & 0x3F));
        bytes[at + 2] = (byte) (0x80 | ((character >> 6) & 0x3F));
        bytes[at + 3] = (byte) (0x80 | (character & 0x3F));
        return at + 4;
    }
}
