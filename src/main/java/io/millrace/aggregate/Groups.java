package io.millrace.aggregate;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.expression.range.FieldCondition;
import java.util.Arrays;

/**
 * Groups of records with their aggregates: the longs of the slots of a {@link AggregateLayout}. Group 0 collects
 * records of groups beyond the limit. Not thread-safe; allocates only to grow.
 */
public final class Groups {

    private static final int INITIAL_GROUPS = 64;

    /** Number of keys of another object that are found at once. */
    private static final int KEYS_AT_ONCE = 256;

    private final GroupTable table;
    private final GroupSlot[] slots;
    private final int limit;
    private final int width;
    /** The initial longs of a group. */
    private final long[] blank;
    /** Keys to be found: for each long of a key those of all keys. */
    private final long[][] keyColumns;

    private long[] accumulators;
    /** Number of groups, including group 0, that have been initialized. */
    private int prepared;

    private int[] found = new int[0];

    /**
     * Creates an empty set of groups.
     *
     * @param keyWidth longs of a key
     * @param limit maximum number of groups; their aggregates fit into an array
     */
    public Groups(int keyWidth, AggregateLayout layout, int limit) {
        table = new GroupTable(keyWidth, limit);
        this.limit = limit;
        slots = layout.slots().toArray(new GroupSlot[0]);
        width = layout.width();
        blank = new long[width];
        keyColumns = new long[keyWidth][KEYS_AT_ONCE];
        for (GroupSlot slot : slots) {
            blank[slot.at()] = slot.operation().start();
        }
        accumulators = new long[Math.min(INITIAL_GROUPS, limit + 1) * width];
        prepare();
    }

    /** Returns the table of their keys. */
    public GroupTable table() {
        return table;
    }

    /** Returns the number of groups, without group 0. */
    public int size() {
        return table.size();
    }

    /** Returns the number of longs of a group's aggregates. */
    public int width() {
        return width;
    }

    /**
     * Returns the aggregates of all groups, from group 0 on, {@link #width()} longs each; valid until more records are
     * added.
     */
    public long[] accumulators() {
        return accumulators;
    }

    /** Adds the group of all records if a key has no longs and there is none yet: it exists without records, too. */
    public void addSingleGroup() {
        if (table.width() == 0 && table.size() == 0) {
            find(new long[0][], 0, 1);
        }
    }

    /**
     * Finds the groups of records.
     *
     * @param keys for each long of a key those of all records
     * @param from index of the first record
     * @param to index behind the last record
     * @return the group of each of these records at the same index; valid until the next call
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
        if (needed > accumulators.length) {
            accumulators = Arrays.copyOf(accumulators, (int)
                    Math.max(needed, Math.min(2L * accumulators.length, (limit + 1L) * width)));
        }
        for (; prepared <= table.size(); prepared++) {
            System.arraycopy(blank, 0, accumulators, prepared * width, width);
        }
    }

    /**
     * Adds records to their groups.
     *
     * @param groups of the records, as {@link #find} returns them
     * @param values the columns of the layout
     */
    public void take(int[] groups, ColumnValues[] values, int from, int to) {
        for (GroupSlot slot : slots) {
            int at = slot.at();
            switch (slot.operation()) {
                case COUNT -> count(at, groups, from, to);
                case COUNT_IF -> countIf(at, values[slot.column()], groups, from, to);
                case PRESENT -> countPresent(at, values[slot.column()], groups, from, to);
                case MIN -> min(at, values[slot.column()], groups, from, to);
                case MAX -> max(at, values[slot.column()].numbers(), groups, from, to);
                case SUM -> sum(at, values[slot.column()], groups, from, to);
                case SUM_REAL -> sumReal(at, values[slot.column()], groups, from, to);
            }
        }
    }

    private void count(int offset, int[] groups, int from, int to) {
        long[] into = accumulators;
        for (int i = from; i < to; i++) {
            into[groups[i] * width + offset]++;
        }
    }

    private void add(int offset, long[] numbers, int[] groups, int from, int to) {
        long[] into = accumulators;
        for (int i = from; i < to; i++) {
            into[groups[i] * width + offset] += numbers[i];
        }
    }

    private void countIf(int offset, ColumnValues values, int[] groups, int from, int to) {
        if (values.complete()) {
            add(offset, values.numbers(), groups, from, to);
            return;
        }
        long[] into = accumulators;
        long[] numbers = values.numbers();
        long[] presence = values.presence();
        for (int i = from; i < to; i++) {
            into[groups[i] * width + offset] += numbers[i] & -presence[i];
        }
    }

    private void countPresent(int offset, ColumnValues values, int[] groups, int from, int to) {
        if (values.complete()) {
            count(offset, groups, from, to);
        } else {
            add(offset, values.presence(), groups, from, to);
        }
    }

    private void min(int offset, ColumnValues values, int[] groups, int from, int to) {
        long[] into = accumulators;
        long[] numbers = values.numbers();
        if (values.complete()) {
            for (int i = from; i < to; i++) {
                int at = groups[i] * width + offset;
                into[at] = Math.min(into[at], numbers[i]);
            }
            return;
        }
        long[] presence = values.presence();
        for (int i = from; i < to; i++) {
            int at = groups[i] * width + offset;
            into[at] = Math.min(into[at], presence[i] == 0 ? Long.MAX_VALUE : numbers[i]);
        }
    }

    /** The number of an absent value changes no maximum. */
    private void max(int offset, long[] numbers, int[] groups, int from, int to) {
        long[] into = accumulators;
        for (int i = from; i < to; i++) {
            int at = groups[i] * width + offset;
            into[at] = Math.max(into[at], numbers[i]);
        }
    }

    private void sum(int offset, ColumnValues values, int[] groups, int from, int to) {
        long[] into = accumulators;
        long[] numbers = values.numbers();
        if (values.complete()) {
            for (int i = from; i < to; i++) {
                addExactly(into, groups[i] * width + offset, numbers[i], numbers[i] >> 63);
            }
            return;
        }
        long[] presence = values.presence();
        for (int i = from; i < to; i++) {
            long value = numbers[i] & -presence[i];
            addExactly(into, groups[i] * width + offset, value, value >> 63);
        }
    }

    private void sumReal(int offset, ColumnValues values, int[] groups, int from, int to) {
        long[] into = accumulators;
        long[] numbers = values.numbers();
        boolean complete = values.complete();
        long[] presence = values.presence();
        for (int i = from; i < to; i++) {
            if (complete || presence[i] != 0) {
                addDouble(
                        into, groups[i] * width + offset, Double.longBitsToDouble(FieldCondition.orderOf(numbers[i])));
            }
        }
    }

    /**
     * Merges all groups of another object with the same layout into these; returns the group here of each of its
     * groups.
     */
    public int[] merge(Groups other) {
        return merge(other.table.keys(), other.table.size(), other.accumulators);
    }

    /**
     * Merges groups into these.
     *
     * @param keys of all of them, one after the other, from group 1 on
     * @param count number of groups, without group 0
     * @param others their aggregates, from group 0 on
     * @return the group here of each of them
     */
    public int[] merge(long[] keys, int count, long[] others) {
        int[] groupsHere = groupsOf(keys, count);
        for (int group = 0; group <= count; group++) {
            mergeGroup(groupsHere[group], others, group * width);
        }
        return groupsHere;
    }

    /**
     * Returns the groups here of another object's groups, from group 0 on. Many keys are found at once, so that cache
     * misses of several of them overlap.
     *
     * @param keys of its groups, one after the other, from group 1 on
     * @param count number of its groups, without group 0
     */
    private int[] groupsOf(long[] keys, int count) {
        int keyWidth = table.width();
        int[] groupsHere = new int[count + 1];
        for (int first = 0; first < count; first += KEYS_AT_ONCE) {
            int size = Math.min(KEYS_AT_ONCE, count - first);
            for (int part = 0; part < keyWidth; part++) {
                for (int i = 0; i < size; i++) {
                    keyColumns[part][i] = keys[(first + i) * keyWidth + part];
                }
            }
            System.arraycopy(find(keyColumns, 0, size), 0, groupsHere, 1 + first, size);
        }
        return groupsHere;
    }

    /**
     * Adds empty groups for the keys of another object, in its order.
     *
     * @param maxGroups maximum number of groups after the call
     * @return number of groups of the other object that were visited
     */
    public int addKeys(Groups other, int maxGroups) {
        int keyWidth = table.width();
        long[][] key = new long[keyWidth][1];
        int visited = 0;
        while (visited < other.size() && size() < maxGroups) {
            int keyAt = other.table.keyAt(++visited);
            for (int part = 0; part < keyWidth; part++) {
                key[part][0] = other.table.keys()[keyAt + part];
            }
            find(key, 0, 1);
        }
        return visited;
    }

    /**
     * Merges from another object the groups that exist here.
     *
     * @param others whether to merge group 0 too
     * @return for each group here that of the other object, {@link GroupTable#OTHERS} if it has none
     */
    public int[] mergeKnown(Groups other, boolean others) {
        int[] otherGroups = new int[size() + 1];
        if (others) {
            mergeGroup(GroupTable.OTHERS, other.accumulators, 0);
        }
        for (int group = 1; group <= size(); group++) {
            otherGroups[group] = other.table.groupOf(table.keys(), table.keyAt(group));
            if (otherGroups[group] != GroupTable.OTHERS) {
                mergeGroup(group, other.accumulators, otherGroups[group] * width);
            }
        }
        return otherGroups;
    }

    private void mergeGroup(int group, long[] others, int from) {
        for (GroupSlot slot : slots) {
            int at = group * width + slot.at();
            int other = from + slot.at();
            switch (slot.operation()) {
                case COUNT, COUNT_IF, PRESENT -> accumulators[at] += others[other];
                case MIN -> accumulators[at] = Math.min(accumulators[at], others[other]);
                case MAX -> accumulators[at] = Math.max(accumulators[at], others[other]);
                case SUM -> addExactly(accumulators, at, others[other], others[other + 1]);
                case SUM_REAL -> addDouble(accumulators, at, Double.longBitsToDouble(others[other]));
            }
        }
    }

    /**
     * Subtracts a previous {@link #merge} of another object that has not changed since. The layout must be
     * {@linkplain AggregateLayout#reversible reversible}. Groups that become empty stay.
     */
    public void takeAway(Groups other) {
        int[] groupsHere = groupsOf(other.table.keys(), other.size());
        for (int group = 0; group <= other.size(); group++) {
            subtractGroup(groupsHere[group], other.accumulators, group * width);
        }
    }

    private void subtractGroup(int group, long[] others, int from) {
        for (GroupSlot slot : slots) {
            int at = group * width + slot.at();
            int other = from + slot.at();
            if (slot.operation() == Operation.SUM) {
                long low = -others[other];
                addExactly(accumulators, at, low, ~others[other + 1] + (low == 0 ? 1 : 0));
            } else {
                accumulators[at] -= others[other];
            }
        }
    }

    private static void addDouble(long[] into, int at, double value) {
        into[at] = Double.doubleToRawLongBits(Double.longBitsToDouble(into[at]) + value);
    }

    /** No sum of longs exceeds 128 bits: that would take more longs than can be counted. */
    private static void addExactly(long[] into, int at, long low, long high) {
        long sum = into[at] + low;
        int carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        into[at] = sum;
        into[at + 1] += high + carry;
    }

    /** Discards all groups, and retains the capacity. */
    public void clear() {
        table.clear();
        prepared = 0;
        prepare();
    }
}
