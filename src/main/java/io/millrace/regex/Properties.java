package io.millrace.regex;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sets that {@code \p{...}} names. Java's own regular expressions compute them, once for each name in a pattern:
 * they scan all characters of the alphabet, which takes about 30 ms for UTF-8.
 */
final class Properties {

    private static final int MAX_DIFFERENT = 8;

    private final Alphabet alphabet;
    private final Map<String, BitSet> known = new HashMap<>();

    Properties(Alphabet alphabet) {
        this.alphabet = alphabet;
    }

    /**
     * Returns the characters of a property.
     *
     * @param escape the escape as Java reads it, such as {@code \p{Lu}}
     * @param index the position in the regular expression
     * @throws PatternException if the pattern has too many different properties
     */
    BitSet characters(String escape, boolean ignoreCase, int index) {
        String name = ignoreCase ? "(?i)" + escape : escape;
        if (known.size() == MAX_DIFFERENT && !known.containsKey(name)) {
            throw new PatternException(
                    index, "more than " + MAX_DIFFERENT + " different properties", "write fewer of \\p{...}");
        }
        return known.computeIfAbsent(name, this::scan);
    }

    private BitSet scan(String escape) {
        BitSet set = new BitSet();
        Matcher run = Pattern.compile(escape + "+").matcher(new AllCharacters(alphabet.end()));
        while (run.find()) {
            alphabet.add(set, AllCharacters.codePoint(run.start()), AllCharacters.codePoint(run.end() - 1));
        }
        return set;
    }

    /** A text of all code points up to an end, in order, without surrogate code points. */
    private record AllCharacters(int end) implements CharSequence {

        private static final int SURROGATES = Character.MAX_SURROGATE + 1 - Character.MIN_SURROGATE;
        private static final int PAIRS = Character.MIN_SUPPLEMENTARY_CODE_POINT - SURROGATES;

        /** Returns the code point that contains the char at an index. */
        static int codePoint(int index) {
            if (index < Character.MIN_SURROGATE) {
                return index;
            }
            return index < PAIRS ? index + SURROGATES : Character.MIN_SUPPLEMENTARY_CODE_POINT + (index - PAIRS) / 2;
        }

        @Override
        public int length() {
            return end <= Character.MIN_SURROGATE ? end : PAIRS + 2 * (end - Character.MIN_SUPPLEMENTARY_CODE_POINT);
        }

        @Override
        public char charAt(int index) {
            int codePoint = codePoint(index);
            if (index < PAIRS) {
                return (char) codePoint;
            }
            return (index - PAIRS) % 2 == 0 ? Character.highSurrogate(codePoint) : Character.lowSurrogate(codePoint);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            throw new UnsupportedOperationException("A part of the characters is never read.");
        }
    }
}
