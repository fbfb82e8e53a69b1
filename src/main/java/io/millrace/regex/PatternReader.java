package io.millrace.regex;

import java.util.BitSet;

/** Reads a regular expression character by character and resolves {@code \Q...\E}. */
final class PatternReader {

    /** The result of {@link #peek} at the end. */
    static final int END = -1;

    /** The result of {@link #peek} for a quoted character, which only represents itself. */
    static final int QUOTED = -2;

    private final int[] codePoints;
    private final int[] indexes;
    private final BitSet quoted = new BitSet();
    private int length;
    private int position;

    /** @throws PatternException if it contains half of a surrogate pair */
    PatternReader(String regex) {
        codePoints = new int[regex.length()];
        indexes = new int[regex.length() + 1];
        boolean quoting = false;
        int index = 0;
        while (index < regex.length()) {
            if (regex.startsWith(quoting ? "\\E" : "\\Q", index)) {
                quoting = !quoting;
                index += 2;
                continue;
            }
            boolean escape = !quoting && regex.charAt(index) == '\\' && index + 1 < regex.length();
            for (int i = escape ? 2 : 1; i > 0; i--) {
                quoted.set(length, quoting);
                indexes[length] = index;
                codePoints[length++] = wholeCharacter(regex.codePointAt(index), index);
                index += Character.charCount(regex.codePointAt(index));
            }
        }
        indexes[length] = index;
    }

    /** Returns the next character, {@link #QUOTED} or {@link #END}. */
    int peek() {
        return peek(0);
    }

    /** Returns the character at a distance from the next one, as {@link #peek()} does. */
    int peek(int ahead) {
        int at = position + ahead;
        if (at >= length) {
            return END;
        }
        return quoted.get(at) ? QUOTED : codePoints[at];
    }

    /** Returns whether the next characters are these, none of them quoted. */
    boolean at(String expected) {
        for (int i = 0; i < expected.length(); i++) {
            if (peek(i) != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Reads these characters if they are next. */
    boolean skip(String expected) {
        if (!at(expected)) {
            return false;
        }
        position += expected.length();
        return true;
    }

    /** Reads these characters, which must be next. */
    void expect(String expected) {
        if (!skip(expected)) {
            throw new PatternException(index(), "expected " + expected, "write it without \\Q and \\E");
        }
    }

    /** Reads the next character, quoted or not. */
    int take() {
        if (position >= length) {
            throw new PatternException(
                    index(), "unexpected end", "complete the last part, as java.util.regex requires");
        }
        return codePoints[position++];
    }

    /** Returns the position of the next character in the regular expression, in chars. */
    int index() {
        return indexes[position];
    }

    /** Returns the code point, unless it is half of a surrogate pair. */
    static int wholeCharacter(int codePoint, int index) {
        if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            throw new PatternException(
                    index, "half a surrogate pair", "no text has one; write the character, or \\x{...}");
        }
        return codePoint;
    }
}
