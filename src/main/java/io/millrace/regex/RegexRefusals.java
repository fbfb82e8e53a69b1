package io.millrace.regex;

/** The errors for syntax that an automaton cannot match, each with an alternative. */
final class RegexRefusals {

    private RegexRefusals() {}

    /** Returns the error for an unsupported escape. */
    static PatternException escape(int index, int letter) {
        String written = "\\" + (char) letter;
        return switch (letter) {
            case '1', '2', '3', '4', '5', '6', '7', '8', '9', 'k' ->
                new PatternException(
                        index,
                        "back reference " + written + ", which can't be matched in linear time",
                        "write out what may be repeated, as alternatives");
            case 'A', 'G', 'Z', 'z' -> anchor(index);
            case 'R' -> new PatternException(index, "line break \\R", "write (\\r\\n|\\v)");
            case 'X' -> new PatternException(index, "grapheme cluster \\X", "write . for one character");
            default -> new PatternException(index, "escape " + written, "write the character itself, or \\x{...}");
        };
    }

    /** Returns the error for a boundary between grapheme clusters. */
    static PatternException graphemeBoundary(int index) {
        return new PatternException(index, "grapheme boundary \\b{g}", "write \\b for the boundary of a word");
    }

    /**
     * Returns the error for a part that is empty only at a word boundary, repeated at least twice. Java ends a
     * repetition with the first empty round, so {@code (?:\B|.){3}} does not match "ab", although its three copies do.
     */
    static PatternException repeatedBoundary(int index) {
        return new PatternException(
                index,
                "a part that may be empty at a word boundary, repeated at least twice",
                "write the copies of the part one after the other");
    }

    /** Returns the error for an & in a class which Java does not read as an intersection of what is on its sides. */
    static PatternException intersection(int index) {
        return new PatternException(
                index, "unclear & in a class", "put each side of && in brackets, and write \\& for the character &");
    }

    /** Returns the error for an anchor that is not at the beginning or end of the pattern. */
    static PatternException anchor(int index) {
        return new PatternException(
                index,
                "an anchor in the middle of the pattern",
                "leave it out: the whole text must match; ^ may stand at the beginning, $ at the end");
    }

    /** Returns the error for an unsupported group that begins with a question mark. */
    static PatternException group(int index, int kind) {
        return switch (kind) {
            case '=', '!' ->
                new PatternException(
                        index, "lookahead (?" + (char) kind + "...)", "join two matches by and, or by and not");
            case '<' ->
                new PatternException(index, "lookbehind (?<...)", "write what comes before in front of what follows");
            case '>' -> new PatternException(index, "atomic group (?>...)", "write (?:...), which is as fast here");
            default -> new PatternException(index, "flag " + (char) kind, "use only the flags i and s");
        };
    }

    /** Returns the error for a possessive quantifier, which does not backtrack. */
    static PatternException possessive(int index) {
        return new PatternException(index, "possessive quantifier", "leave out the +, it is as fast here");
    }

    /** Returns the error for a quantifier after nothing, after an anchor or after another quantifier. */
    static PatternException nothingToRepeat(int index) {
        return new PatternException(
                index, "nothing to repeat", "put a group around what is meant, or a backslash before the character");
    }
}
