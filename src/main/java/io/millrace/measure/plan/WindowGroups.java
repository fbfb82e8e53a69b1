package io.millrace.measure.plan;

import io.millrace.aggregate.Groups;

/** The groups of a window, of which rows are computed. */
public interface WindowGroups {

    /** Returns the end of the window, in milliseconds since 1970. */
    long end();

    /** Returns the groups with the slots of their aggregates. */
    Groups groups();

    /**
     * Returns the estimated number of distinct values of a group.
     *
     * @param sketch index of a sketch in the plan of the measure
     */
    long distinct(int sketch, int group);

    /**
     * Returns the estimated quantile of a group's values, or NaN if it has none.
     *
     * @param sketch index of a sketch in the plan of the measure
     */
    double quantile(int sketch, int group, double rank);
}
