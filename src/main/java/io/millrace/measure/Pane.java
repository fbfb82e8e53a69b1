package io.millrace.measure;

import io.millrace.aggregate.Groups;

/** The groups of a stretch of time. Not thread-safe. */
final class Pane {

    private final Groups groups;
    private final Sketches sketches;
    private long start;
    private long end;

    Pane(MeasurePlan plan) {
        groups = new Groups(plan.keyWidth(), plan.layout(), plan.definition().groups());
        sketches = new Sketches(plan.sketches());
    }

    /** Begins anew, without groups, and keeps the room. */
    void begin(long newStart, long newEnd) {
        start = newStart;
        end = newEnd;
        groups.clear();
        sketches.clear();
    }

    long start() {
        return start;
    }

    long end() {
        return end;
    }

    Groups groups() {
        return groups;
    }

    Sketches sketches() {
        return sketches;
    }

    void take(Inputs inputs, int from, int to) {
        int[] found = groups.find(inputs.keys(), from, to);
        groups.take(found, inputs.values(), from, to);
        sketches.take(found, inputs, from, to);
    }

    void merge(Pane other) {
        sketches.merge(other.sketches, groups.merge(other.groups));
    }
}
