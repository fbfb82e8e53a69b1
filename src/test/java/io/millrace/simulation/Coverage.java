package io.millrace.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which events and states have followed each other or met, in any schedule: what never happens together is not tested.
 */
final class Coverage {

    private final Pairs<Event> events = new Pairs<>(Event.class, "not followed by");
    private final Pairs<State> changes = new Pairs<>(State.class, "does not become");
    private final Pairs<State> meetings = new Pairs<>(State.class, "never next to");
    private @Nullable Event last;
    /** Of each partition in each process that runs. */
    private final Map<Place, State> states = new HashMap<>();

    /** A partition in a process. */
    private record Place(int process, int partition) {}

    /** What a process does with a partition. */
    enum State {
        /** It has not claimed the right to write yet, or waits for records or for the store. */
        WAITING,
        STANDBY,
        /** It has begun a term, and reads what former ones have stored. */
        OPENING,
        RUNNING,
        DONE,
        FAILED,
        /** Its process does not run for a while. */
        PAUSED
    }

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
        ENDPOINT,
        FEED_FAILURE,
        FEED_CHANGE
    }

    void add(Event event) {
        if (last != null) {
            events.add(last, event);
        }
        last = event;
    }

    /** Notes the state of a partition, which may be the same as before. */
    void add(int process, int partition, State state) {
        State before = states.put(new Place(process, partition), state);
        if (before == state) {
            return;
        }
        if (before != null) {
            changes.add(before, state);
        }
        states.forEach((place, other) -> {
            if (place.partition == partition && place.process != process) {
                meetings.add(state, other);
                meetings.add(other, state);
            }
        });
    }

    /** A process has ended. */
    void remove(int process) {
        states.keySet().removeIf(place -> place.process == process);
    }

    /** Returns the pairs of both. */
    Coverage plus(Coverage other) {
        Coverage sum = new Coverage();
        for (Coverage each : List.of(this, other)) {
            sum.events.addAll(each.events);
            sum.changes.addAll(each.changes);
            sum.meetings.addAll(each.meetings);
        }
        return sum;
    }

    /** Which events have followed each other. */
    Pairs<Event> events() {
        return events;
    }

    /** Which states of a partition in a process have followed each other. */
    Pairs<State> changes() {
        return changes;
    }

    /** Which states a partition has had in two processes at a time. */
    Pairs<State> meetings() {
        return meetings;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Coverage coverage
                && events.equals(coverage.events)
                && changes.equals(coverage.changes)
                && meetings.equals(coverage.meetings);
    }

    @Override
    public int hashCode() {
        return Objects.hash(events, changes, meetings);
    }
}
