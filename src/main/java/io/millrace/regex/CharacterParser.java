package io.millrace.regex;

import java.util.BitSet;

/** Parses the syntax of one character: itself, an escape, or a class in brackets. */
final class CharacterParser {

    private final PatternReader in;
    private final Alphabet alphabet;
    private final Properties properties;

    CharacterParser(PatternReader in, Alphabet alphabet) {
        this.in = in;
        this.alphabet = alphabet;
        this.properties = new Properties(alphabet);
    }

    /**
     * Parses the next character or class.
     *
     * @param ignoreCase whether ASCII letters match both of their cases
     */
    BitSet read(boolean ignoreCase) {
        if (in.skip("[")) {
            return classBehindBracket(ignoreCase);
        }
        if (atSet()) {
            return set(ignoreCase);
        }
        int character = character();
        return range(character, character, ignoreCase);
    }

    /** Parses a class: one or more unions, joined by &&; the result is their intersection. */
    private BitSet classBehindBracket(boolean ignoreCase) {
        boolean complement = in.skip("^");
        if (in.at("&&")) {
            throw RegexRefusals.intersection(in.index());
        }
        BitSet common = union(ignoreCase);
        while (in.skip("&&")) {
            common.and(intersected(ignoreCase));
        }
        in.expect("]");
        return complement ? alphabet.without(common) : common;
    }

    /**
     * Parses what follows &&, as far as Java agrees. Java drops an empty side, reads an & that follows a nested class
     * as a member of the whole class, and binds a further && to the characters after a nested class only.
     */
    private BitSet intersected(boolean ignoreCase) {
        if (in.at("]")) {
            throw RegexRefusals.intersection(in.index());
        }
        BitSet side = new BitSet();
        boolean nested = false;
        while (in.skip("[")) {
            side.or(classBehindBracket(ignoreCase));
            nested = true;
        }
        if (nested && (in.at("]") || in.at("&&"))) {
            return side;
        }
        if (in.at("&")) {
            throw RegexRefusals.intersection(in.index());
        }
        side.or(union(ignoreCase));
        if (nested && in.at("&&")) {
            throw RegexRefusals.intersection(in.index());
        }
        return side;
    }

    private BitSet union(boolean ignoreCase) {
        BitSet union = new BitSet();
        do {
            if (in.skip("[")) {
                union.or(classBehindBracket(ignoreCase));
            } else if (in.at("\\v-")) {
                // Java reads \v as one character there and as all vertical space elsewhere.
                throw new PatternException(
                        in.index(), "\\v in front of - in a class", "write \\x0B, or \\v at the end");
            } else if (atSet()) {
                union.or(set(ignoreCase));
            } else {
                union.or(characterOrRange(ignoreCase));
            }
        } while (!in.at("]") && !in.at("&&"));
        return union;
    }

    private BitSet characterOrRange(boolean ignoreCase) {
        int first = character();
        if (!in.at("-") || in.at("-]") || in.at("-[")) {
            return range(first, first, ignoreCase);
        }
        in.expect("-");
        if (atSet()) {
            throw new PatternException(in.index(), "a range that ends with a set", "write - at the end of the class");
        }
        return range(first, character(), ignoreCase);
    }

    private BitSet range(int first, int last, boolean ignoreCase) {
        return ignoreCase ? alphabet.rangeOfEitherCase(first, last) : alphabet.range(first, last);
    }

    private boolean atSet() {
        return in.at("\\") && in.peek(1) >= 0 && "dDhHpPsSvVwW".indexOf(in.peek(1)) >= 0;
    }

    private BitSet set(boolean ignoreCase) {
        int index = in.index();
        in.expect("\\");
        int letter = in.take();
        if (letter != 'p' && letter != 'P') {
            return alphabet.named(letter);
        }
        StringBuilder escape = new StringBuilder().append('\\').append((char) letter);
        boolean braces = in.at("{");
        do {
            escape.appendCodePoint(in.take());
        } while (braces && escape.charAt(escape.length() - 1) != '}');
        return properties.characters(escape.toString(), ignoreCase, index);
    }

    private int character() {
        if (!in.at("\\")) {
            return in.take();
        }
        int index = in.index();
        in.expect("\\");
        int escaped = in.take();
        return switch (escaped) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 'f' -> '\f';
            case 'a' -> '\u0007';
            case 'e' -> '\u001B';
            case '0' -> octal();
            case 'x' -> PatternReader.wholeCharacter(in.skip("{") ? hexToBrace() : hex(2), index);
            case 'u' -> utf16(index);
            default -> {
                if (escaped < 0x80 && Character.isLetterOrDigit(escaped)) {
                    throw RegexRefusals.escape(index, escaped);
                }
                yield escaped;
            }
        };
    }

    /** Parses up to three digits, no more than 0377. */
    private int octal() {
        int value = digit(8);
        for (int i = 1; i < 3 && Character.digit(in.peek(), 8) >= 0 && value < 040; i++) {
            value = value * 8 + digit(8);
        }
        return value;
    }

    private int hex(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            value = value * 16 + digit(16);
        }
        return value;
    }

    private int hexToBrace() {
        int value = 0;
        while (!in.skip("}")) {
            value = value * 16 + digit(16);
        }
        return value;
    }

    private int utf16(int index) {
        int unit = hex(4);
        if (Character.isHighSurrogate((char) unit) && in.skip("\\u")) {
            int low = hex(4);
            return PatternReader.wholeCharacter(
                    Character.isLowSurrogate((char) low) ? Character.toCodePoint((char) unit, (char) low) : low, index);
        }
        return PatternReader.wholeCharacter(unit, index);
    }

    private int digit(int radix) {
        int digit = Character.digit(in.peek(), radix);
        if (digit < 0) {
            throw new PatternException(
                    in.index(), "a digit is missing", "write the escape's digits without \\Q and \\E");
        }
        in.take();
        return digit;
    }
}
