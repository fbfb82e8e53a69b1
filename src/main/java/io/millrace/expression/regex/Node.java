package io.millrace.expression.regex;

import java.util.BitSet;
import java.util.List;

/** A part of a regular expression. */
sealed interface Node {

    /** Any one of the characters. */
    record Characters(BitSet set) implements Node {}

    /** One part behind the other; none at all is the empty text. */
    record Sequence(List<Node> parts) implements Node {}

    /** Any one of the options. */
    record Choice(List<Node> options) implements Node {}

    /** A part several times; {@code max} is {@link #UNBOUNDED} where nothing ends it. */
    record Repeat(Node body, int min, int max) implements Node {

        static final int UNBOUNDED = -1;

        /** How many times its automaton holds the body's. */
        long copies() {
            return max == UNBOUNDED ? min + 1L : max;
        }
    }

    /**
     * The empty text, where the whole text begins or ends.
     *
     * @param begins whether it is the beginning
     * @param index where it stands in the regular expression
     */
    record Anchor(boolean begins, int index) implements Node {}
}
