package io.millrace.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which events have followed each other, in any schedule: what never happens next to each other is not tested. */
final class Coverage {

    private static final int EVENTS = Event.values().length;

    /** Number of pairs that can be seen. */
    static final int POSSIBLE = EVENTS * EVENTS;

    private final BitSet pairs = new BitSet(POSSIBLE);
    private @Nullable Event last;

    /** Something that happens in a schedule: a fault, or what processes do. */
    enum Event {
        KILL,
        PAUSE,
        STOP,
        UNAVAILABLE,
        SWEEP,
        MOVE,
        /** The clock of a host or of the servers is set, or drifts. */
        CLOCK,
        SERVER_END,
        SERVER_START,
        START,
        RESTART,
        /** Other rules are asked for while processes run. */
        CHANGE,
        /** The file of a table changes on a node. */
        TABLE,
        /** A node gets another configuration. */
        CONFIGURE,
        /** A process selects the rules of a new term. */
        TERM,
        /** A version of the rules has begun. */
        BEGUN,
        /** The newest copy of what is stored is given up. */
        REVOKE,
        /** A user's endpoint fails. */
        ENDPOINT
    }

    void add(Event event) {
        if (last != null) {
            pairs.set(index(last, event));
        }
        last = event;
    }

    @SuppressWarnings("EnumOrdinal") // not stored
    private static int index(Event first, Event second) {
        return first.ordinal() * EVENTS + second.ordinal();
    }

    /** Returns the pairs of both. */
    Coverage plus(Coverage other) {
        Coverage sum = new Coverage();
        sum.pairs.or(pairs);
        sum.pairs.or(other.pairs);
        return sum;
    }

    /** Returns the number of pairs that were seen. */
    int seen() {
        return pairs.cardinality();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Coverage coverage && pairs.equals(coverage.pairs);
    }

    @Override
    public int hashCode() {
        return pairs.hashCode();
    }

    /** A table: an x where the event of the column has followed that of the row. */
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder();
        List<Event> events = List.of(Event.values());
        for (Event first : events) {
            table.append("%n%-12s".formatted(first));
            List<String> missing = new ArrayList<>();
            for (Event second : events) {
                boolean seen = pairs.get(index(first, second));
                table.append(seen ? 'x' : '.');
                if (!seen) {
                    missing.add(second.name());
                }
            }
            table.append(missing.isEmpty() ? "" : " not followed by " + missing);
        }
        return table.toString();
    }
}
