package io.millrace.measure;

import io.millrace.aggregate.Groups;
import io.millrace.aggregate.Slot.Operation;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** The groups of a stretch of time. Not thread-safe. */
final class Pane {

    private final MeasurePlan plan;
    private final Groups groups;
    private final Sketches sketches;
    private long start;
    private long end;

    Pane(MeasurePlan plan) {
        this.plan = plan;
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

    /** Keeps its groups, for another stretch of time. */
    void moveTo(long newStart, long newEnd) {
        start = newStart;
        end = newEnd;
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

    /** How many rows it makes: one for each group, and one for the groups past the limit if there are any. */
    int rows() {
        return groups.size() + (groups.figures()[plan.layout().at(Operation.COUNT)] > 0 ? 1 : 0);
    }

    /**
     * Copies the first groups of panes, each with what all of these panes have of it, into this pane without groups.
     *
     * @param panes oldest first
     * @param most groups that are copied
     * @param others whether also what is counted together past the limit
     * @return how many groups were visited, of all panes together
     */
    long copyFirst(List<Pane> panes, int most, boolean others) {
        long visited = 0;
        for (Pane pane : panes) {
            visited += groups.addKeys(pane.groups, most);
        }
        for (Pane pane : panes) {
            int[] theirs = groups.mergeKnown(pane.groups, others);
            sketches.mergeKnown(pane.sketches, theirs, others);
            visited += theirs.length;
        }
        return visited;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(groups.size());
        writeAll(out, groups.table().keys(), groups.size() * groups.table().width());
        writeAll(out, groups.figures(), (groups.size() + 1) * groups.width());
        sketches.write(out, groups.size());
    }

    private static void writeAll(DataOutput out, long[] numbers, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            out.writeLong(numbers[i]);
        }
    }

    /** Reads what {@link #write} wrote into a pane without groups. */
    void read(DataInput in) throws IOException {
        int size = in.readInt();
        long[] keys = readAll(in, size * groups.table().width());
        // There may be room for fewer groups than when it was written.
        int[] here = groups.merge(keys, size, readAll(in, (size + 1) * groups.width()));
        Sketches written = new Sketches(plan.sketches());
        written.read(in, size);
        sketches.merge(written, here);
    }

    private static long[] readAll(DataInput in, int count) throws IOException {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = in.readLong();
        }
        return numbers;
    }
}
