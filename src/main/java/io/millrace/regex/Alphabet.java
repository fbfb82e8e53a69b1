package io.millrace.regex;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.util.BitSet;

/**
 * The characters of a character set, and the sets of them that Java's regular expressions define. A set is a
 * {@link BitSet} of code points that is not modified after it is returned. No set contains surrogates, since no decoded
 * text has an unpaired one.
 *
 * @param charset ASCII, ISO-8859-1 or UTF-8
 * @param end the code point after the last
 */
record Alphabet(Charset charset, int end) {

    /**
     * Returns the characters of a character set.
     *
     * @throws IllegalArgumentException for a character set other than ASCII, ISO-8859-1 and UTF-8
     */
    static Alphabet of(Charset charset) {
        if (charset.equals(US_ASCII)) {
            return new Alphabet(charset, 0x80);
        }
        if (charset.equals(ISO_8859_1)) {
            return new Alphabet(charset, 0x100);
        }
        if (charset.equals(UTF_8)) {
            return new Alphabet(charset, Character.MAX_CODE_POINT + 1);
        }
        throw new IllegalArgumentException(
                "Invalid charset '" + charset + "'. Use one of: US-ASCII, ISO-8859-1, UTF-8.");
    }

    /** Returns all characters. */
    BitSet all() {
        return range(0, end - 1);
    }

    /** Returns the characters that are not in a set. */
    BitSet without(BitSet set) {
        BitSet rest = all();
        rest.andNot(set);
        return rest;
    }

    /** Returns the characters from {@code first} to {@code last}, both included. */
    BitSet range(int first, int last) {
        BitSet set = new BitSet();
        add(set, first, last);
        return set;
    }

    /**
     * Returns the characters from {@code first} to {@code last}, both included, and the other cases of their ASCII
     * letters.
     */
    BitSet rangeOfEitherCase(int first, int last) {
        BitSet set = range(first, last);
        for (int upper = 'A'; upper <= 'Z'; upper++) {
            int lower = Character.toLowerCase(upper);
            if (set.get(upper) || set.get(lower)) {
                set.set(upper);
                set.set(lower);
            }
        }
        return set;
    }

    /** Returns the characters that a dot matches: all except line terminators. */
    BitSet dot() {
        return without(set('\n', '\n', '\r', '\r', 0x85, 0x85, 0x2028, 0x2029));
    }

    /** Returns the set of a letter after a backslash: d, h, s, v or w, or a capital letter for the complement. */
    BitSet named(int letter) {
        return switch (letter) {
            case 'd' -> set('0', '9');
            case 'h' ->
                set(
                        '\t', '\t', ' ', ' ', 0xA0, 0xA0, 0x1680, 0x1680, 0x180E, 0x180E, 0x2000, 0x200A, 0x202F,
                        0x202F, 0x205F, 0x205F, 0x3000, 0x3000);
            case 's' -> set('\t', '\r', ' ', ' ');
            case 'v' -> set('\n', '\r', 0x85, 0x85, 0x2028, 0x2029);
            case 'w' -> set('0', '9', 'A', 'Z', '_', '_', 'a', 'z');
            default -> without(named(Character.toLowerCase(letter)));
        };
    }

    private BitSet set(int... firstsAndLasts) {
        BitSet set = new BitSet();
        for (int i = 0; i < firstsAndLasts.length; i += 2) {
            add(set, firstsAndLasts[i], firstsAndLasts[i + 1]);
        }
        return set;
    }

    /** Adds the characters from {@code first} to {@code last} that are in the character set. */
    void add(BitSet set, int first, int last) {
        int limit = Math.min(last + 1, end);
        if (first < limit) {
            set.set(first, limit);
            set.clear(Character.MIN_SURROGATE, Character.MAX_SURROGATE + 1);
        }
    }
}
