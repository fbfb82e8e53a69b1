package io.millrace.aggregate;

import io.millrace.aggregate.Slot.Operation;
import io.millrace.expression.FieldCondition;
import java.util.Arrays;
import java.util.List;

/**
 * Groups of records, and what is kept of each: the longs of the slots of a {@link AggregateLayout}. Group 0 takes what
 * belongs to groups past the limit. Not thread-safe; allocates where it grows only.
 */
public final class Groups {

    private static final int FIRST = 64;

    private final GroupTable table;
    private final List<Column> columns;
    private final Slot[] slots;
    private final int limit;
    private final int width;
    /** What is kept of a group before any record came. */
    private final long[] blank;

    private long[] figures;
    /** How many groups, group 0 among them, have been made blank. */
    private int prepared;

    private int[] found = new int[0];

    /**
     * No groups yet.
     *
     * @param keyWidth longs of a key
     * @param limit the most groups; what is kept of them fits into an array
     */
    public Groups(int keyWidth, AggregateLayout layout, int limit) {
        table = new GroupTable(keyWidth, limit);
        this.limit = limit;
        columns = List.copyOf(layout.columns());
        slots = layout.slots().toArray(new Slot[0]);
        width = layout.width();
        blank = new long[width];
        for (Slot slot : slots) {
            blank[slot.at()] = slot.operation().start();
        }
        figures = new long[Math.min(FIRST, limit + 1) * width];
        prepare();
    }

    /** Their keys. */
    public GroupTable table() {
        return table;
    }

    /** How many groups there are; group 0 is not among them. */
    public int size() {
        return table.size();
    }

    /** How many longs are kept of a group. */
    public int width() {
        return width;
    }

    /** What is kept of all groups, from group 0 on, {@link #width()} longs each; good until more records come. */
    public long[] figures() {
        return figures;
    }

    /**
     * Finds the groups of records.
     *
     * @param keys for each long of a key those of all records
     * @param from first record looked at
     * @param to behind the last
     * @return for each record looked at (same index) its group; good until the next call
     */
    public int[] find(long[][] keys, int from, int to) {
        if (found.length < to) {
            found = new int[Math.max(to, 2 * found.length)];
        }
        table.find(keys, from, to, found);
        prepare();
        return found;
    }

    private void prepare() {
        int needed = (table.size() + 1) * width;
        if (needed > figures.length) {
            figures =
                    Arrays.copyOf(figures, (int) Math.max(needed, Math.min(2L * figures.length, (limit + 1L) * width)));
        }
        for (; prepared <= table.size(); prepared++) {
            System.arraycopy(blank, 0, figures, prepared * width, width);
        }
    }

    /**
     * Takes records into their groups.
     *
     * @param groups of the records, as {@link #find} gives them
     * @param values the columns of the layout
     */
    public void take(int[] groups, long[][] values, int from, int to) {
        for (Slot slot : slots) {
            switch (slot.operation()) {
                case COUNT -> count(slot.at(), groups, from, to);
                case COUNT_IF -> add(slot.at(), values[slot.column()], groups, from, to);
                case PRESENT -> countPresent(slot.at(), values[slot.column()], groups, from, to);
                case MIN -> min(slot, values[slot.column()], groups, from, to);
                case MAX -> max(slot.at(), values[slot.column()], groups, from, to);
                case SUM -> sum(slot, values[slot.column()], groups, from, to);
                case SUM_REAL -> sumReal(slot.at(), values[slot.column()], groups, from, to);
            }
        }
    }

    private void count(int offset, int[] groups, int from, int to) {
        long[] into = figures;
        for (int i = from; i < to; i++) {
            into[groups[i] * width + offset]++;
        }
    }

    private void add(int offset, long[] values, int[] groups, int from, int to) {
        long[] into = figures;
        for (int i = from; i < to; i++) {
            into[groups[i] * width + offset] += values[i];
        }
    }

    private void countPresent(int offset, long[] values, int[] groups, int from, int to) {
        long[] into = figures;
        for (int i = from; i < to; i++) {
            into[groups[i] * width + offset] += values[i] == Column.ABSENT ? 0 : 1;
        }
    }

    private void min(Slot slot, long[] values, int[] groups, int from, int to) {
        boolean optional = columns.get(slot.column()).optional();
        long[] into = figures;
        for (int i = from; i < to; i++) {
            int at = groups[i] * width + slot.at();
            long value = optional && values[i] == Column.ABSENT ? Long.MAX_VALUE : values[i];
            into[at] = Math.min(into[at], value);
        }
    }

    private void max(int offset, long[] values, int[] groups, int from, int to) {
        long[] into = figures;
        for (int i = from; i < to; i++) {
            int at = groups[i] * width + offset;
            into[at] = Math.max(into[at], values[i]);
        }
    }

    private void sum(Slot slot, long[] values, int[] groups, int from, int to) {
        boolean optional = columns.get(slot.column()).optional();
        long[] into = figures;
        for (int i = from; i < to; i++) {
            long value = optional && values[i] == Column.ABSENT ? 0 : values[i];
            addExactly(into, groups[i] * width + slot.at(), value, value >> 63);
        }
    }

    private void sumReal(int offset, long[] values, int[] groups, int from, int to) {
        long[] into = figures;
        for (int i = from; i < to; i++) {
            if (values[i] != Column.ABSENT) {
                addDouble(into, groups[i] * width + offset, Double.longBitsToDouble(FieldCondition.orderOf(values[i])));
            }
        }
    }

    /** Takes all groups of another, of the same layout, into these; gives the group here of each of its groups. */
    public int[] merge(Groups other) {
        return merge(other.table.keys(), other.table.size(), other.figures);
    }

    /**
     * Takes groups into these.
     *
     * @param keys of all of them, one after the other, from group 1 on
     * @param count how many, group 0 not among them
     * @param others what is kept of them, from group 0 on
     * @return the group here of each of them
     */
    public int[] merge(long[] keys, int count, long[] others) {
        int keyWidth = table.width();
        long[][] key = new long[keyWidth][1];
        int[] here = new int[count + 1];
        mergeOne(GroupTable.OTHERS, others, 0);
        for (int group = 1; group <= count; group++) {
            for (int part = 0; part < keyWidth; part++) {
                key[part][0] = keys[(group - 1) * keyWidth + part];
            }
            here[group] = find(key, 0, 1)[0];
            mergeOne(here[group], others, group * width);
        }
        return here;
    }

    /**
     * Adds groups of another by their keys, with nothing in them, in the order in which it has them.
     *
     * @param most groups that there may be then
     * @return how many groups of the other were visited
     */
    public int addKeys(Groups other, int most) {
        int keyWidth = table.width();
        long[][] key = new long[keyWidth][1];
        int visited = 0;
        while (visited < other.size() && size() < most) {
            int keyAt = other.table.keyAt(++visited);
            for (int part = 0; part < keyWidth; part++) {
                key[part][0] = other.table.keys()[keyAt + part];
            }
            find(key, 0, 1);
        }
        return visited;
    }

    /**
     * Takes of another what it has of the groups here.
     *
     * @param others whether also group 0
     * @return for each group here that of the other, {@link GroupTable#OTHERS} where it has none
     */
    public int[] mergeKnown(Groups other, boolean others) {
        int[] theirs = new int[size() + 1];
        if (others) {
            mergeOne(GroupTable.OTHERS, other.figures, 0);
        }
        for (int group = 1; group <= size(); group++) {
            theirs[group] = other.table.groupOf(table.keys(), table.keyAt(group));
            if (theirs[group] != GroupTable.OTHERS) {
                mergeOne(group, other.figures, theirs[group] * width);
            }
        }
        return theirs;
    }

    private void mergeOne(int group, long[] others, int from) {
        for (Slot slot : slots) {
            int at = group * width + slot.at();
            int other = from + slot.at();
            switch (slot.operation()) {
                case COUNT, COUNT_IF, PRESENT -> figures[at] += others[other];
                case MIN -> figures[at] = Math.min(figures[at], others[other]);
                case MAX -> figures[at] = Math.max(figures[at], others[other]);
                case SUM -> addExactly(figures, at, others[other], others[other + 1]);
                case SUM_REAL -> addDouble(figures, at, Double.longBitsToDouble(others[other]));
            }
        }
    }

    /**
     * Takes away again what {@link #merge} took of another that has not changed since. The layout must be
     * {@linkplain AggregateLayout#reversible reversible}. Groups that have nothing left stay.
     */
    public void takeAway(Groups other) {
        int keyWidth = table.width();
        long[][] key = new long[keyWidth][1];
        takeAwayOne(GroupTable.OTHERS, other.figures, 0);
        for (int group = 1; group <= other.size(); group++) {
            int keyAt = other.table.keyAt(group);
            for (int part = 0; part < keyWidth; part++) {
                key[part][0] = other.table.keys()[keyAt + part];
            }
            takeAwayOne(find(key, 0, 1)[0], other.figures, group * width);
        }
    }

    private void takeAwayOne(int group, long[] others, int from) {
        for (Slot slot : slots) {
            int at = group * width + slot.at();
            int other = from + slot.at();
            if (slot.operation() == Operation.SUM) {
                long low = -others[other];
                addExactly(figures, at, low, ~others[other + 1] + (low == 0 ? 1 : 0));
            } else {
                figures[at] -= others[other];
            }
        }
    }

    private static void addDouble(long[] into, int at, double value) {
        into[at] = Double.doubleToRawLongBits(Double.longBitsToDouble(into[at]) + value);
    }

    /** No sum of longs gets out of 128 bits: that takes more of them than can be counted. */
    private static void addExactly(long[] into, int at, long low, long high) {
        long sum = into[at] + low;
        int carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        into[at] = sum;
        into[at + 1] += high + carry;
    }

    /** Forgets all groups, and keeps the room. */
    public void clear() {
        table.clear();
        prepared = 0;
        prepare();
    }
}
