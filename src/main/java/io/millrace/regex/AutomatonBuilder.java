package io.millrace.regex;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.apache.lucene.util.automaton.UTF32ToUTF8;

/**
 * Builds a deterministic automaton over bytes from the parts of a pattern. The automata of single characters already
 * read bytes, so that the automaton that a count multiplies is small, and its size is known before it is built.
 */
final class AutomatonBuilder {

    private static final int MAX_STATES = 10_000;

    /** Limit before the automaton is made deterministic. */
    private static final int MAX_TRANSITIONS = 50_000;

    /** Effort limit for making an automaton deterministic, in Lucene's unit: ten states added to sets. */
    private static final int MAX_WORK = 3_000;

    /** An automaton of characters up to this number of states is minimized, which takes less time than it saves. */
    private static final int SMALL = 100;

    private final Alphabet alphabet;
    private final Map<BitSet, Automaton> ofCharacters = new HashMap<>();

    AutomatonBuilder(Alphabet alphabet) {
        this.alphabet = alphabet;
    }

    /**
     * Builds the automaton, without states from which no match can be reached.
     *
     * @throws PatternException if it would be too large
     */
    Automaton build(Node node) {
        states(node);
        try {
            Automaton marked = automaton(node);
            Automaton bytes =
                    hasWordBoundary(node) ? WordBoundaries.remove(marked, alphabet, this::ofCharacters) : marked;
            Automaton deterministic = Operations.determinize(bytes, MAX_WORK);
            if (deterministic.getNumStates() > MAX_STATES) {
                throw tooLarge();
            }
            Automaton live = Operations.removeDeadStates(deterministic);
            // Lucene's table cannot be made of an automaton that was built without states.
            return matchesNothing(live) ? Automata.makeEmpty() : live;
        } catch (TooComplexToDeterminizeException e) {
            throw tooLarge();
        }
    }

    private static boolean hasWordBoundary(Node node) {
        return switch (node) {
            case Node.WordBoundary ignored -> true;
            case Node.Characters ignored -> false;
            case Node.Anchor ignored -> false;
            case Node.Sequence(var parts) -> parts.stream().anyMatch(AutomatonBuilder::hasWordBoundary);
            case Node.Choice(var options) -> options.stream().anyMatch(AutomatonBuilder::hasWordBoundary);
            case Node.Repeat repeat -> hasWordBoundary(repeat.body());
        };
    }

    /** Estimates the number of states of a part before it is made deterministic. */
    private long states(Node node) {
        long states = switch (node) {
            case Node.Characters(var set) -> ofCharacters(set).getNumStates();
            case Node.Anchor ignored -> 1;
            case Node.WordBoundary ignored -> 2;
            case Node.Sequence(var parts) -> sum(parts);
            case Node.Choice(var options) -> sum(options);
            case Node.Repeat repeat -> states(repeat.body()) * repeat.copies();
        };
        if (states > MAX_STATES) {
            throw tooLarge();
        }
        return states + 1;
    }

    private long sum(List<Node> nodes) {
        return nodes.stream().mapToLong(this::states).sum();
    }

    private Automaton automaton(Node node) {
        return switch (node) {
            case Node.Characters(var set) -> ofCharacters(set);
            case Node.Anchor ignored -> Automata.makeEmptyString();
            case Node.WordBoundary(boolean isBoundary) ->
                Automata.makeChar(isBoundary ? WordBoundaries.BOUNDARY : WordBoundaries.NO_BOUNDARY);
            case Node.Sequence(var parts) -> sequence(automata(parts));
            case Node.Choice(var options) -> Operations.union(automata(options));
            case Node.Repeat repeat -> repeat(automaton(repeat.body()), repeat);
        };
    }

    private List<Automaton> automata(List<Node> nodes) {
        return nodes.stream().map(this::automaton).toList();
    }

    private static Automaton sequence(List<Automaton> parts) {
        if (parts.stream().anyMatch(AutomatonBuilder::matchesNothing)) {
            return Automata.makeEmpty();
        }
        long transitions = 0;
        int following = 0;
        for (Automaton part : parts.reversed()) {
            transitions += part.getNumTransitions() + ends(part) * following;
            following = part.getNumTransitions(0) + (part.isAccept(0) ? following : 0);
        }
        checkTransitions(transitions);
        return parts.isEmpty() ? Automata.makeEmptyString() : Operations.concatenate(parts);
    }

    private static Automaton repeat(Automaton body, Node.Repeat repeat) {
        if (matchesNothing(body)) {
            return repeat.min() == 0 ? Automata.makeEmptyString() : body;
        }
        checkTransitions((body.getNumTransitions() + ends(body) * body.getNumTransitions(0)) * repeat.copies());
        int min = body.isAccept(0) ? 0 : repeat.min();
        return repeat.max() == Node.Repeat.UNBOUNDED
                ? Operations.repeat(body, min)
                : Operations.repeat(body, min, repeat.max());
    }

    /** Returns the number of accepting states; each gets the initial transitions of the next automaton. */
    private static long ends(Automaton automaton) {
        return IntStream.range(0, automaton.getNumStates())
                .filter(automaton::isAccept)
                .count();
    }

    /**
     * Returns whether an automaton matches nothing, so has no states. Lucene's repetition of such an automaton matches
     * nothing even if zero repetitions are allowed.
     */
    private static boolean matchesNothing(Automaton automaton) {
        return automaton.getNumStates() == 0;
    }

    private static void checkTransitions(long transitions) {
        if (transitions > MAX_TRANSITIONS) {
            throw tooLarge();
        }
    }

    private Automaton ofCharacters(BitSet set) {
        return ofCharacters.computeIfAbsent(set, this::make);
    }

    private Automaton make(BitSet set) {
        if (set.isEmpty()) {
            return Automata.makeEmpty();
        }
        Automaton characters = new Automaton();
        int start = characters.createState();
        int accepting = characters.createState();
        characters.setAccept(accepting, true);
        for (int first = set.nextSetBit(0); first >= 0; ) {
            int rangeEnd = set.nextClearBit(first);
            characters.addTransition(start, accepting, first, rangeEnd - 1);
            first = set.nextSetBit(rangeEnd);
        }
        characters.finishState();
        if (!alphabet.charset().equals(UTF_8)) {
            return characters;
        }
        Automaton bytes = new UTF32ToUTF8().convert(characters);
        return Operations.determinize(bytes.getNumStates() > SMALL ? bytes : reverse(reverse(bytes)), MAX_WORK);
    }

    /**
     * Returns the reverse. An automaton that is reversed twice and then made deterministic is minimal, if each reversal
     * starts from a deterministic automaton (Brzozowski).
     */
    private static Automaton reverse(Automaton automaton) {
        return Operations.reverse(Operations.determinize(automaton, MAX_WORK));
    }

    private static PatternException tooLarge() {
        return new PatternException(
                0,
                "its automaton would be too large",
                "use smaller counts, or fewer parts that can match in several ways");
    }
}
