package io.millrace.nemesis.history;

import io.millrace.nemesis.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Requires that a set loses and doubles nothing: from its acknowledgement on, each element is in each read that may
 * contain it; what a read contained, later ones contain too; no read contains an element twice, or one that nobody
 * added. Named after Jepsen's checker.
 *
 * @param added calls
 * @param acknowledged elements whose addition returned
 * @param unacknowledged elements that were found although their addition did not return
 * @param reads reads of parts of the set
 * @param neverRead acknowledged elements that no read could contain, since none began later
 */
public record SetFull(int added, int acknowledged, int unacknowledged, int reads, int neverRead) {

    /** From when on an element has to be in each read. */
    private static final class Element {
        final long invoked;
        long due;
        boolean acknowledged;
        boolean seen;
        int reads;
        int missing;
        final Map<String, Integer> missingAt = new LinkedHashMap<>();
        boolean inLastRead;

        Element(Operation addition) {
            invoked = addition.invoked();
            acknowledged = addition.outcome() == Outcome.OK;
            due = acknowledged ? addition.returned() : Long.MAX_VALUE;
        }
    }

    /**
     * Checks a history whose writes are additions, each of another element.
     *
     * @throws AssertionError if it is not valid
     */
    public static SetFull require(History history) {
        return require(history.operations(), history.setReads());
    }

    static SetFull require(List<Operation> additions, List<SetRead> reads) {
        TreeMap<Long, Element> elements = new TreeMap<>();
        for (Operation addition : additions) {
            if (elements.put(addition.key(), new Element(addition)) != null) {
                throw new IllegalArgumentException("added twice: " + addition.key());
            }
        }
        List<String> errors = new ArrayList<>();
        List<SetRead> ordered = new ArrayList<>(reads);
        ordered.sort(Comparator.comparingLong(SetRead::returned));
        for (SetRead read : ordered) {
            requireKnown(read, elements, errors);
        }
        for (SetRead read : ordered) {
            requireDue(read, elements);
        }
        elements.forEach((key, element) -> {
            if (element.missing > 0) {
                errors.add(String.format(
                        "lost: %d (due at %s, missing in %d of %d later reads, %s the last one: %s)",
                        key,
                        Moment.of(element.due),
                        element.missing,
                        element.reads,
                        element.inLastRead ? "not in" : "also in",
                        element.missingAt));
            }
        });
        if (!errors.isEmpty()) {
            Collections.sort(errors);
            throw new AssertionError(errors.size() + " errors: "
                    + String.join("\n", errors.subList(0, Math.min(errors.size(), 20))));
        }
        return new SetFull(
                additions.size(),
                count(elements, element -> element.acknowledged),
                count(elements, element -> element.seen && !element.acknowledged),
                reads.size(),
                count(elements, element -> element.acknowledged && element.reads == 0));
    }

    private static int count(Map<Long, Element> elements, Predicate<Element> condition) {
        return (int) elements.values().stream().filter(condition).count();
    }

    private static void requireKnown(SetRead read, TreeMap<Long, Element> elements, List<String> errors) {
        long[] sorted = read.elements().clone();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++) {
            Element element = elements.get(sorted[i]);
            if (i > 0 && sorted[i] == sorted[i - 1]) {
                errors.add("doubled: " + sorted[i]);
            } else if (element == null || read.returned() < element.invoked) {
                errors.add("not added: " + sorted[i]);
            } else if (sorted[i] < read.from() || sorted[i] >= read.to()) {
                errors.add("outside the part that was read: " + sorted[i]);
            } else {
                element.seen = true;
                element.due = Math.min(element.due, read.returned());
            }
        }
    }

    private static void requireDue(SetRead read, TreeMap<Long, Element> elements) {
        long[] sorted = read.elements().clone();
        Arrays.sort(sorted);
        elements.subMap(read.from(), read.to()).forEach((key, element) -> {
            if (read.invoked() > element.due) {
                element.reads++;
                element.inLastRead = Arrays.binarySearch(sorted, key) >= 0;
                if (!element.inLastRead) {
                    element.missing++;
                    element.missingAt.merge(read.reader() + " at " + Moment.of(read.returned()), 1, Integer::sum);
                }
            }
        });
    }
}
