package io.millrace.measure;

import io.millrace.aggregate.Groups;

/** A group of a window that figures are read of: moved from group to group. Not thread-safe. */
final class GroupCursor {

    private final Groups groups;
    private final Sketches sketches;
    private final double seconds;
    private int group;

    /** @param seconds how long the window is, or has been so far */
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

    /** What is kept of all groups. */
    long[] figures() {
        return groups.figures();
    }

    /** Where what is kept of the group begins. */
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
