package io.millrace.measure.window;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.aggregate.Groups;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.WindowGroups;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** The groups of a pane, which is a slice of time. Not thread-safe. */
public final class Pane implements WindowGroups {

    private final MeasurePlan plan;
    private final Groups groups;
    private final Sketches sketches;
    private long start;
    private long end;

    /** Creates an empty pane, which has no time yet. */
    public Pane(MeasurePlan plan) {
        this.plan = plan;
        groups = new Groups(plan.keyWidth(), plan.layout(), plan.definition().groups());
        sketches = new Sketches(plan.sketches());
    }

    /** Discards all groups and sets the pane's time. Allocated memory is reused. */
    public void begin(long newStart, long newEnd) {
        start = newStart;
        end = newEnd;
        groups.clear();
        sketches.clear();
    }

    /** Sets the pane's time and retains its groups. */
    void moveTo(long newStart, long newEnd) {
        start = newStart;
        end = newEnd;
    }

    /** Returns the start of the pane, in milliseconds since 1970. */
    public long start() {
        return start;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public Groups groups() {
        return groups;
    }

    @Override
    public long distinct(int sketch, int group) {
        return sketches.distinct(sketch, group);
    }

    @Override
    public double quantile(int sketch, int group, double rank) {
        return sketches.quantile(sketch, group, rank);
    }

    void take(Inputs inputs, int from, int to) {
        int[] groupOfRecord = groups.find(inputs.keys(), from, to);
        groups.take(groupOfRecord, inputs.values(), from, to);
        sketches.take(groupOfRecord, inputs, from, to);
    }

    /** Adds the groups of another pane. */
    public void merge(Pane other) {
        sketches.merge(other.sketches, groups.merge(other.groups));
    }

    /** Returns the number of rows: one for each group, and one for the groups over the limit if there are any. */
    int rows() {
        return groups.size() + (groups.accumulators()[plan.layout().at(Operation.COUNT)] > 0 ? 1 : 0);
    }

    /**
     * Copies the first groups of panes into this empty pane, and merges all that the panes contain for these groups.
     *
     * @param panes panes, oldest first
     * @param maxGroups maximum number of groups to copy
     * @param others whether to copy the aggregates of the groups over the limit too
     * @return number of groups visited in all panes
     */
    long copyFirst(List<Pane> panes, int maxGroups, boolean others) {
        return addKeys(panes, maxGroups) + mergeKnown(panes, others);
    }

    /**
     * Adds the keys of panes, without their values.
     *
     * @param maxGroups maximum number of groups of this pane
     * @return number of groups visited
     */
    long addKeys(List<Pane> panes, int maxGroups) {
        long visited = 0;
        for (Pane pane : panes) {
            visited += groups.addKeys(pane.groups, maxGroups);
        }
        return visited;
    }

    /**
     * Merges what panes contain for the groups of this one.
     *
     * @param others whether to add the aggregates of the groups over the limit too
     * @return number of groups visited
     */
    long mergeKnown(List<Pane> panes, boolean others) {
        long visited = 0;
        for (Pane pane : panes) {
            int[] otherGroups = groups.mergeKnown(pane.groups, others);
            sketches.mergeKnown(pane.sketches, otherGroups, others);
            visited += otherGroups.length;
        }
        return visited;
    }

    /** Writes the groups, without the time. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(groups.size());
        writeAll(out, groups.table().keys(), groups.size() * groups.table().width());
        writeAll(out, groups.accumulators(), (groups.size() + 1) * groups.width());
        sketches.write(out, groups.size());
    }

    private static void writeAll(DataOutput out, long[] numbers, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            out.writeLong(numbers[i]);
        }
    }

    /** Reads what {@link #write} wrote into this empty pane. */
    public void read(DataInput in) throws IOException {
        int size = in.readInt();
        long[] keys = readAll(in, size * groups.table().width());
        // The limit may be lower than when the pane was written.
        int[] newGroups = groups.merge(keys, size, readAll(in, (size + 1) * groups.width()));
        Sketches written = new Sketches(plan.sketches());
        written.read(in, size);
        sketches.merge(written, newGroups);
    }

    private static long[] readAll(DataInput in, int count) throws IOException {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = in.readLong();
        }
        return numbers;
    }
}
