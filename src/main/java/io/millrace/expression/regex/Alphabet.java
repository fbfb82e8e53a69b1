package io.millrace.expression.regex;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.util.BitSet;

/**
 * The characters of a character set, and the sets of them that Java's regular expressions name. A set is a
 * {@link BitSet} of code points that stays as it was handed out. None holds a surrogate: no decoded text has one alone.
 *
 * @param charset ASCII, ISO-8859-1 or UTF-8
 * @param end the code point behind the last
 */
record Alphabet(Charset charset, int end) {

    /**
     * The characters of a character set.
     *
     * @throws IllegalArgumentException for another one than ASCII, ISO-8859-1 and UTF-8
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
        throw new IllegalArgumentException("charset=" + charset + " is none of US-ASCII, ISO-8859-1 and UTF-8");
    }

    /** All characters. */
    BitSet all() {
        return range(0, end - 1);
    }

    /** The characters that are not in a set. */
    BitSet without(BitSet set) {
        BitSet rest = all();
        rest.andNot(set);
        return rest;
    }

    /** The characters from one to another, both included. */
    BitSet range(int first, int last) {
        BitSet set = new BitSet();
        add(set, first, last);
        return set;
    }

    /** The characters from one to another, both included, and the ASCII letters that differ in case only. */
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

    /** What a dot stands for: all but the ends of lines. */
    BitSet dot() {
        return without(set('\n', '\n', '\r', '\r', 0x85, 0x85, 0x2028, 0x2029));
    }

    /**
     * The set that a letter behind a backslash stands for: one of d, h, s, v and w, or their complements in capitals.
     */
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

    /** Adds the characters from one to another, as far as the character set has them. */
    void add(BitSet set, int first, int last) {
        int behind = Math.min(last + 1, end);
        if (first < behind) {
            set.set(first, behind);
            set.clear(Character.MIN_SURROGATE, Character.MAX_SURROGATE + 1);
        }
    }
}
