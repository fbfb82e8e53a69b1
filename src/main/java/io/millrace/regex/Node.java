package io.millrace.regex;

import java.util.BitSet;
import java.util.List;

/** A part of a regular expression. */
sealed interface Node {

    /**
     * Returns whether the part matches the empty text.
     *
     * @param atBoundary whether all its word boundaries hold there, or none
     */
    boolean matchesEmpty(boolean atBoundary);

    /** Any one of the characters. */
    record Characters(BitSet set) implements Node {
        @Override
        public boolean matchesEmpty(boolean atBoundary) {
            return false;
        }
    }

    /** Parts in sequence; no parts are the empty text. */
    record Sequence(List<Node> parts) implements Node {
        @Override
        public boolean matchesEmpty(boolean atBoundary) {
            return parts.stream().allMatch(part -> part.matchesEmpty(atBoundary));
        }
    }

    /** Any one of the options. */
    record Choice(List<Node> options) implements Node {
        @Override
        public boolean matchesEmpty(boolean atBoundary) {
            return options.stream().anyMatch(option -> option.matchesEmpty(atBoundary));
        }
    }

    /** A repeated part; {@code max} is {@link #UNBOUNDED} if there is no limit. */
    record Repeat(Node body, int min, int max) implements Node {

        static final int UNBOUNDED = -1;

        /** Returns the number of copies of the body's automaton in the automaton of the repetition. */
        long copies() {
            return max == UNBOUNDED ? min + 1L : max;
        }

        @Override
        public boolean matchesEmpty(boolean atBoundary) {
            return min == 0 || body.matchesEmpty(atBoundary);
        }
    }

    /**
     * The empty text at the beginning or end of the whole text.
     *
     * @param begins whether it is the beginning
     * @param index the position in the regular expression
     */
    record Anchor(boolean begins, int index) implements Node {
        @Override
        public boolean matchesEmpty(boolean atBoundary) {
            return true;
        }
    }

    /**
     * The empty text where a word begins or ends, or where none does.
     *
     * @param isBoundary whether it is a boundary
     */
    record WordBoundary(boolean isBoundary) implements Node {
        @Override
        public boolean matchesEmpty(boolean atBoundary) {
            return atBoundary;
        }
    }
}
