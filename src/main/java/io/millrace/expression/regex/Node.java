package io.millrace.expression.regex;

import java.util.BitSet;
import java.util.List;

/** A part of a regular expression. */
sealed interface Node {

    /** Any one of the characters. */
    record Characters(BitSet set) implements Node {}

    /** Parts in sequence; no parts are the empty text. */
    record Sequence(List<Node> parts) implements Node {}

    /** Any one of the options. */
    record Choice(List<Node> options) implements Node {}

    /** A repeated part; {@code max} is {@link #UNBOUNDED} if there is no limit. */
    record Repeat(Node body, int min, int max) implements Node {

        static final int UNBOUNDED = -1;

        /** Returns the number of copies of the body's automaton in the automaton of the repetition. */
        long copies() {
            return max == UNBOUNDED ? min + 1L : max;
        }
    }

    /**
     * The empty text at the beginning or end of the whole text.
     *
     * @param begins whether it is the beginning
     * @param index the position in the regular expression
     */
    record Anchor(boolean begins, int index) implements Node {}

    /**
     * The empty text where a word begins or ends, or where none does.
     *
     * @param isBoundary whether it is a boundary
     */
    record WordBoundary(boolean isBoundary) implements Node {}
}
