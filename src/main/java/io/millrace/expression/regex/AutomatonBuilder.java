package io.millrace.expression.regex;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.apache.lucene.util.automaton.UTF32ToUTF8;

/**
 * Makes a deterministic automaton over bytes of a pattern's parts. The automata of characters go over bytes already, so
 * that what a count multiplies is small, and known before it is made.
 */
final class AutomatonBuilder {

    /** Before it is made deterministic, which bounds the time that takes. */
    private static final int MAX_STATES = 10_000;

    /** Lucene's unit: ten states put into sets. */
    private static final int MAX_WORK = 10_000;

    /** An automaton of characters that is no larger is made minimal, which takes less time than it spares. */
    private static final int SMALL = 100;

    private final Alphabet alphabet;
    private final Map<BitSet, Automaton> ofCharacters = new HashMap<>();

    AutomatonBuilder(Alphabet alphabet) {
        this.alphabet = alphabet;
    }

    /**
     * The automaton, without states that lead nowhere.
     *
     * @throws PatternException if it would be too large
     */
    Automaton build(Node node) {
        states(node);
        try {
            Automaton deterministic = Operations.determinize(automaton(node), MAX_WORK);
            if (deterministic.getNumStates() > MAX_STATES) {
                throw tooLarge();
            }
            return Operations.removeDeadStates(deterministic);
        } catch (TooComplexToDeterminizeException e) {
            throw tooLarge();
        }
    }

    /** About how many states a part needs, before it is made deterministic. */
    private long states(Node node) {
        long states = switch (node) {
            case Node.Characters(var set) -> ofCharacters(set).getNumStates();
            case Node.Anchor ignored -> 1;
            case Node.Sequence(var parts) -> sum(parts);
            case Node.Choice(var options) -> sum(options);
            case Node.Repeat(var body, int min, int max) ->
                states(body) * (max == Node.Repeat.UNBOUNDED ? min + 1L : max);
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
            case Node.Sequence(var parts) ->
                parts.isEmpty()
                        ? Automata.makeEmptyString()
                        : Operations.concatenate(
                                parts.stream().map(this::automaton).toList());
            case Node.Choice(var options) ->
                Operations.union(options.stream().map(this::automaton).toList());
            case Node.Repeat(var body, int min, int max) -> repeat(automaton(body), min, max);
        };
    }

    private static Automaton repeat(Automaton body, int min, int max) {
        int least = body.isAccept(0) ? 0 : min;
        return max == Node.Repeat.UNBOUNDED ? Operations.repeat(body, least) : Operations.repeat(body, least, max);
    }

    private Automaton ofCharacters(BitSet set) {
        return ofCharacters.computeIfAbsent(set, this::make);
    }

    private Automaton make(BitSet set) {
        if (set.isEmpty()) {
            Automaton nothing = new Automaton();
            nothing.createState();
            nothing.finishState();
            return nothing;
        }
        int[] firsts = set.stream().filter(c -> c == 0 || !set.get(c - 1)).toArray();
        int[] lasts = set.stream().filter(c -> !set.get(c + 1)).toArray();
        Automaton characters = Automata.makeCharClass(firsts, lasts);
        if (!alphabet.charset().equals(UTF_8)) {
            return characters;
        }
        Automaton bytes = new UTF32ToUTF8().convert(characters);
        return Operations.determinize(bytes.getNumStates() > SMALL ? bytes : reverse(reverse(bytes)), MAX_WORK);
    }

    /** Reversed twice on a way through deterministic automata, an automaton is minimal once it is deterministic. */
    private static Automaton reverse(Automaton automaton) {
        return Operations.reverse(Operations.determinize(automaton, MAX_WORK));
    }

    private static PatternException tooLarge() {
        return new PatternException(
                0,
                "the automaton would have more than " + MAX_STATES + " states",
                "use smaller counts, or fewer parts that can match in several ways");
    }
}
