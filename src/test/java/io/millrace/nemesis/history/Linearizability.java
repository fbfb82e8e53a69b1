package io.millrace.nemesis.history;

import io.millrace.nemesis.history.Operation.Kind;
import io.millrace.nemesis.history.Operation.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a history of a register is linearizable: whether each operation can have taken effect at one moment
 * between its call and its return, so that each read returns what was written last. The search is that of Wing and Gong
 * (Testing and verifying concurrent objects, 1993) with the memory of Lowe (Testing for linearizability, 2017): it
 * takes the calls in turns, goes back where a return has no call before it, and visits no set of operations with the
 * same value twice.
 */
public final class Linearizability {

    /** A call or a return in the order of time, linked so that operations that took effect can be left out. */
    private static final class Event {
        final int operation;
        final long time;
        final boolean call;

        @Nullable
        Event previous;

        @Nullable
        Event next;

        @Nullable
        Event match;

        Event(int operation, long time, boolean call) {
            this.operation = operation;
            this.time = time;
            this.call = call;
        }
    }

    /** What took effect, and the value of the register then. */
    private record Visited(BitSet effective, long value) {}

    /** An operation that took effect, and the value before it. */
    private record Step(Event call, long before) {}

    private final List<Operation> operations;
    private final Event head = new Event(-1, Long.MIN_VALUE, true);

    private Linearizability(List<Operation> operations) {
        // What failed has no effect, and a read without a result shows nothing.
        this.operations = operations.stream()
                .filter(operation -> operation.outcome() == Outcome.OK
                        || (operation.kind() == Kind.WRITE && operation.outcome() == Outcome.UNKNOWN))
                .toList();
        link();
    }

    /**
     * Requires that the history of each register is linearizable.
     *
     * @param byKey operations by register, each of which is absent at first
     * @return the number of operations
     */
    public static int require(Map<Long, List<Operation>> byKey) {
        int count = 0;
        for (Map.Entry<Long, List<Operation>> register : byKey.entrySet()) {
            if (!isLinearizable(register.getValue())) {
                throw new AssertionError("The history of register " + register.getKey() + " is not linearizable:\n"
                        + text(register.getValue()));
            }
            count += register.getValue().size();
        }
        return count;
    }

    private static String text(List<Operation> operations) {
        StringBuilder text = new StringBuilder();
        long start = operations.stream().mapToLong(Operation::invoked).min().orElse(0);
        operations.stream()
                .sorted(Comparator.comparingLong(Operation::invoked))
                .forEach(operation -> text.append((operation.invoked() - start) / 1000)
                        .append(" to ")
                        .append(
                                operation.returned() == Long.MAX_VALUE
                                        ? "?"
                                        : String.valueOf((operation.returned() - start) / 1000))
                        .append(" us: client ")
                        .append(operation.client())
                        .append(' ')
                        .append(operation.kind())
                        .append(' ')
                        .append(operation.value() == Operation.ABSENT ? "absent" : String.valueOf(operation.value()))
                        .append(' ')
                        .append(operation.outcome())
                        .append('\n'));
        return text.toString();
    }

    /** Returns whether the history of one register, which is absent at first, is linearizable. */
    public static boolean isLinearizable(List<Operation> operations) {
        return new Linearizability(operations).search();
    }

    private void link() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            Event call = new Event(i, operation.invoked(), true);
            Event end = new Event(i, operation.returned(), false);
            call.match = end;
            end.match = call;
            events.add(call);
            events.add(end);
        }
        // At the same time, calls come first: then the operations overlap, which accepts more histories.
        events.sort(Comparator.<Event>comparingLong(event -> event.time).thenComparing(event -> !event.call));
        Event last = head;
        for (Event event : events) {
            event.previous = last;
            last.next = event;
            last = event;
        }
    }

    private boolean search() {
        Set<Visited> visited = new HashSet<>();
        Deque<Step> steps = new ArrayDeque<>();
        BitSet effective = new BitSet();
        long value = Operation.ABSENT;
        Event event = head.next;
        while (event != null) {
            Operation operation = operations.get(event.operation);
            if (!event.call) {
                if (operation.outcome() == Outcome.UNKNOWN) {
                    return true; // All that is left may never take effect.
                }
                if (steps.isEmpty()) {
                    return false;
                }
                Step step = steps.pop();
                value = step.before();
                effective.clear(step.call().operation);
                putBack(step.call());
                event = step.call().next;
                continue;
            }
            boolean possible = operation.kind() == Kind.WRITE || operation.value() == value;
            if (possible) {
                effective.set(event.operation);
                if (visited.add(new Visited((BitSet) effective.clone(), operation.value()))) {
                    steps.push(new Step(event, value));
                    value = operation.value();
                    takeOut(event);
                    event = head.next;
                    continue;
                }
                effective.clear(event.operation);
            }
            event = event.next;
        }
        return true;
    }

    private static void takeOut(Event call) {
        unlink(call);
        unlink(matchOf(call));
    }

    private static void putBack(Event call) {
        relink(matchOf(call));
        relink(call);
    }

    private static Event matchOf(Event event) {
        Event match = event.match;
        if (match == null) {
            throw new IllegalStateException();
        }
        return match;
    }

    private static void unlink(Event event) {
        if (event.previous != null) {
            event.previous.next = event.next;
        }
        if (event.next != null) {
            event.next.previous = event.previous;
        }
    }

    private static void relink(Event event) {
        if (event.previous != null) {
            event.previous.next = event;
        }
        if (event.next != null) {
            event.next.previous = event;
        }
    }
}
