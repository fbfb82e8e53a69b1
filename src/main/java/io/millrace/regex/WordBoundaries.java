package io.millrace.regex;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.Transition;

/**
 * Removes word boundaries from an automaton. In the automaton of a pattern, {@code \b} and {@code \B} are symbols of
 * their own, which are no bytes. It is intersected with the automaton of all texts in which such symbols stand where
 * Java finds a boundary or none, and then the symbols become empty.
 *
 * <p>A boundary is where one of two neighbors is part of a word: an ASCII letter, an ASCII digit, an underscore, or a
 * combining mark (a non-spacing mark) after a letter or digit. As in {@link java.util.regex.Pattern}, which looks for
 * that letter or digit backwards by UTF-16 units, one of a surrogate pair is none.
 */
final class WordBoundaries {

    /** The symbol of {@code \b}. */
    static final int BOUNDARY = 0x100;

    /** The symbol of {@code \B}. */
    static final int NO_BOUNDARY = 0x101;

    /** Effort limit for making an automaton deterministic, in Lucene's unit. */
    private static final int MAX_WORK = 3_000;

    private final Alphabet alphabet;
    private final Function<BitSet, Automaton> ofCharacters;
    private final Automaton.Builder texts = new Automaton.Builder();

    private WordBoundaries(Alphabet alphabet, Function<BitSet, Automaton> ofCharacters) {
        this.alphabet = alphabet;
        this.ofCharacters = ofCharacters;
    }

    /**
     * Returns the automaton without the symbols.
     *
     * @param ofCharacters returns the automaton of one character of a set
     * @throws org.apache.lucene.util.automaton.TooComplexToDeterminizeException if it would be too large
     */
    static Automaton remove(Automaton marked, Alphabet alphabet, Function<BitSet, Automaton> ofCharacters) {
        Automaton texts = new WordBoundaries(alphabet, ofCharacters).texts();
        return erased(Operations.intersection(marked, texts));
    }

    /** What a character is to the boundaries next to it. */
    private enum Kind {
        /** An ASCII letter or digit. */
        WORD,
        /** An underscore: part of a word, but no base of a mark. */
        UNDERSCORE,
        /** Another letter or digit, that a mark can follow. */
        BASE,
        /** A combining mark. */
        MARK,
        /** A combining mark of a surrogate pair. */
        LONG_MARK,
        /** Any other character. */
        OTHER;

        static Kind of(int character) {
            boolean pair = Character.isSupplementaryCodePoint(character);
            if (character == '_') {
                return UNDERSCORE;
            }
            if (Character.getType(character) == Character.NON_SPACING_MARK) {
                return pair ? LONG_MARK : MARK;
            }
            return pair || !Character.isLetterOrDigit(character) ? OTHER : character < 0x80 ? WORD : BASE;
        }

        /** Returns whether the character is part of a word, seen from its left. */
        boolean isWordAfter(boolean base) {
            return this == WORD || this == UNDERSCORE || ((this == MARK || this == LONG_MARK) && base);
        }

        /** Returns whether the character is part of a word, seen from its right. */
        boolean isWordBefore(boolean base) {
            return this == WORD || this == UNDERSCORE || (this == MARK && base);
        }

        /** Returns whether a mark after the character has a base. */
        boolean isBase(boolean base) {
            return this == WORD || this == BASE || (this == MARK && base);
        }
    }

    /** Returns the automaton of all texts, with any number of the right symbols between their characters. */
    private Automaton texts() {
        for (int state = 0; state < 4 * 3; state++) {
            texts.createState();
        }
        for (int previous = 0; previous < 4; previous++) {
            boolean word = (previous & 1) != 0;
            boolean base = (previous & 2) != 0;
            int plain = state(word, base, 0);
            accept(word, base);
            List.of(plain, state(word, base, 1)).forEach(from -> symbol(from, state(word, base, 1), BOUNDARY));
            List.of(plain, state(word, base, 2)).forEach(from -> symbol(from, state(word, base, 2), NO_BOUNDARY));
        }
        for (Kind kind : Kind.values()) {
            BitSet characters = characters(kind);
            for (int previous = 0; previous < 4; previous++) {
                boolean word = (previous & 1) != 0;
                boolean base = (previous & 2) != 0;
                int next = state(kind.isWordBefore(base), kind.isBase(base), 0);
                int symbol = word == kind.isWordAfter(base) ? 2 : 1;
                read(state(word, base, 0), characters, next);
                read(state(word, base, symbol), characters, next);
            }
        }
        return Operations.determinize(Operations.removeDeadStates(texts.finish()), MAX_WORK);
    }

    /** Returns the characters of a kind. */
    private BitSet characters(Kind kind) {
        BitSet characters = new BitSet();
        alphabet.all().stream().filter(character -> Kind.of(character) == kind).forEach(characters::set);
        return characters;
    }

    /**
     * Returns a state between two characters.
     *
     * @param word whether the last character is part of a word
     * @param base whether a mark would have a base
     * @param symbol 1 after {@code \b}, 2 after {@code \B}, else 0
     */
    private static int state(boolean word, boolean base, int symbol) {
        return (word ? 1 : 0) + (base ? 2 : 0) + 4 * symbol;
    }

    private void accept(boolean word, boolean base) {
        texts.setAccept(state(word, base, 0), true);
        // The end of the text is not part of a word.
        texts.setAccept(state(word, base, word ? 1 : 2), true);
    }

    private void symbol(int from, int to, int symbol) {
        texts.addTransition(from, to, symbol);
    }

    /** Adds the transitions that read one of the characters. */
    private void read(int from, BitSet characters, int to) {
        if (characters.isEmpty()) {
            return;
        }
        Automaton one = ofCharacters.apply(characters);
        int[] states = new int[one.getNumStates()];
        for (int i = 1; i < states.length; i++) {
            states[i] = texts.createState();
        }
        states[0] = from;
        copy(one, texts, states, to);
    }

    /** Copies the transitions of an automaton of one character, whose accepting states become another one. */
    private static void copy(Automaton one, Automaton.Builder into, int[] states, int accepting) {
        Transition transition = new Transition();
        for (int state = 0; state < states.length; state++) {
            int count = one.initTransition(state, transition);
            for (int i = 0; i < count; i++) {
                one.getNextTransition(transition);
                int to = one.isAccept(transition.dest) ? accepting : states[transition.dest];
                into.addTransition(states[state], to, transition.min, transition.max);
            }
        }
    }

    /** Returns the automaton in which the symbols are empty. */
    private static Automaton erased(Automaton marked) {
        Automaton.Builder bytes = new Automaton.Builder();
        for (int state = 0; state < marked.getNumStates(); state++) {
            bytes.createState();
        }
        Transition transition = new Transition();
        for (int state = 0; state < marked.getNumStates(); state++) {
            BitSet reached = reachedBySymbols(marked, state);
            for (int from = reached.nextSetBit(0); from >= 0; from = reached.nextSetBit(from + 1)) {
                if (marked.isAccept(from)) {
                    bytes.setAccept(state, true);
                }
                int count = marked.initTransition(from, transition);
                for (int i = 0; i < count; i++) {
                    marked.getNextTransition(transition);
                    if (transition.min < BOUNDARY) {
                        bytes.addTransition(
                                state, transition.dest, transition.min, Math.min(transition.max, BOUNDARY - 1));
                    }
                }
            }
        }
        return bytes.finish();
    }

    private static BitSet reachedBySymbols(Automaton marked, int start) {
        BitSet reached = new BitSet();
        Deque<Integer> next = new ArrayDeque<>(List.of(start));
        Transition transition = new Transition();
        while (!next.isEmpty()) {
            int state = next.pop();
            if (reached.get(state)) {
                continue;
            }
            reached.set(state);
            int count = marked.initTransition(state, transition);
            for (int i = 0; i < count; i++) {
                marked.getNextTransition(transition);
                if (transition.max >= BOUNDARY) {
                    next.push(transition.dest);
                }
            }
        }
        return reached;
    }
}
