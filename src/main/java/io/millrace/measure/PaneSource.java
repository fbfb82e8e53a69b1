package io.millrace.measure;

import org.jspecify.annotations.Nullable;

/** A part of a measure that has open panes, as another thread reads them. Thread-safe. */
interface PaneSource {

    /**
     * The newest pane.
     *
     * @param pane its start, in milliseconds since 1970
     * @param millis the latest event time
     */
    record Newest(long pane, long millis) {}

    /** Returns the record counters. */
    MeasureCounts counts();

    /** Returns the newest pane, or null if there is none. */
    @Nullable
    Newest newest();

    /** Adds the keys of the panes in the time of a copy to it, without their values. */
    void copyKeys(Pane copy, int maxGroups);

    /**
     * Adds the values of the panes in the time of a copy to those of its groups.
     *
     * @param others whether to add those of the groups over the limit too
     */
    void copyValues(Pane copy, boolean others);
}
