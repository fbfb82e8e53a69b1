package io.millrace.measure;

import io.millrace.aggregate.Groups;

/** A cursor over the groups of a window, from which aggregates are read. Not thread-safe. */
final class GroupCursor {

    private final Groups groups;
    private final Sketches sketches;
    private final double seconds;
    private int group;

    /** @param seconds length of the window in seconds; of an open window, its length so far */
    GroupCursor(Pane window, double seconds) {
        this.groups = window.groups();
        this.sketches = window.sketches();
        this.seconds = seconds;
    }

    void moveTo(int newGroup) {
        group = newGroup;
    }

    int group() {
        return group;
    }

    /** Returns the slots of all groups. */
    long[] figures() {
        return groups.figures();
    }

    /** Returns the number of slots of a group. */
    int width() {
        return groups.width();
    }

    /** Returns the index of the group's first slot in {@link #figures}. */
    int from() {
        return group * groups.width();
    }

    Sketches sketches() {
        return sketches;
    }

    double seconds() {
        return seconds;
    }
}
