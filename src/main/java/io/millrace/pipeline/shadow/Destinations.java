package io.millrace.pipeline.shadow;

import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.Target;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sets of targets that records reach, each with a number; a set of one target has the index of the target.
 * Thread-safe.
 */
final class Destinations {

    private final List<Target> targets;
    private final List<BitSet> sets = new ArrayList<>();
    private final Map<BitSet, Integer> numbers = new HashMap<>();

    private Destinations(List<Target> targets) {
        this.targets = targets;
        for (int i = 0; i < targets.size(); i++) {
            BitSet one = new BitSet();
            one.set(i);
            var _ = number(one);
        }
    }

    /** Returns the targets of two plans. */
    static Destinations of(PipelinePlan live, PipelinePlan candidate) {
        return new Destinations(Stream.of(live, candidate)
                .flatMap(plan -> plan.steps().getLast().targets().stream())
                .distinct()
                .toList());
    }

    /** Returns the targets, in the order of their indexes. */
    List<Target> targets() {
        return targets;
    }

    /**
     * Returns the number of a set with one more target.
     *
     * @param set number of a set; less than 0 for the empty set
     * @param target index of a target
     */
    int with(int set, int target) {
        return set < 0 || set == target ? target : extended(set, target);
    }

    private synchronized int extended(int set, int target) {
        BitSet more = (BitSet) sets.get(set).clone();
        more.set(target);
        return number(more);
    }

    private synchronized int number(BitSet set) {
        Integer known = numbers.putIfAbsent(set, sets.size());
        if (known == null) {
            sets.add(set);
            return sets.size() - 1;
        }
        return known;
    }

    /** Returns the targets of a set, as configured. */
    synchronized String text(int set) {
        return sets.get(set).stream().mapToObj(targets::get).map(Target::text).collect(Collectors.joining(", "));
    }

    /**
     * Returns what most is kept of a record.
     *
     * @param kept what each target receives
     * @param set the targets that the record reaches
     */
    Kept most(List<Kept> kept, int set) {
        return set < targets.size() ? kept.get(set) : mostOfSeveral(kept, set);
    }

    private synchronized Kept mostOfSeveral(List<Kept> kept, int set) {
        return sets.get(set).stream()
                .mapToObj(kept::get)
                .max(Comparator.comparingInt(one -> one.schema().fields().size()))
                .orElseThrow();
    }
}
