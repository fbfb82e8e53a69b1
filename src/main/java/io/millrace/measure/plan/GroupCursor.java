package io.millrace.measure.plan;

import io.millrace.aggregate.Groups;

/** A cursor over the groups of a window, from which aggregates are read. Not thread-safe. */
final class GroupCursor {

    private final WindowGroups window;
    private final Groups groups;
    private final double seconds;
    private int group;

    /** @param seconds length of the window in seconds; of an open window, its length so far */
    GroupCursor(WindowGroups window, double seconds) {
        this.window = window;
        this.groups = window.groups();
        this.seconds = seconds;
    }

    void moveTo(int newGroup) {
        group = newGroup;
    }

    /** Returns the slots of all groups. */
    long[] accumulators() {
        return groups.accumulators();
    }

    /** Returns the number of slots of a group. */
    int width() {
        return groups.width();
    }

    /** Returns the index of the group's first slot in {@link #accumulators}. */
    int from() {
        return group * groups.width();
    }

    /** Returns the estimated number of distinct values. */
    long distinct(int sketch) {
        return window.distinct(sketch, group);
    }

    /** Returns the estimated quantile of the values, or NaN if there are none. */
    double quantile(int sketch, double rank) {
        return window.quantile(sketch, group, rank);
    }

    double seconds() {
        return seconds;
    }
}
