package io.millrace.measure.window;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.measure.plan.MeasurePlan;
import java.util.List;

/**
 * The merged groups of all panes of a sliding window. Each pane is added once and subtracted once, so a window of many
 * panes costs as much as one of few. Aggregates that cannot be subtracted, such as minimum and maximum, need a full
 * merge for each window instead. Not thread-safe.
 */
final class Slide {

    /** The number of empty groups up to which merging all panes again costs more than the empty groups. */
    private static final int EMPTY_MAX = 64;

    private final Pane window;
    private final int countAt;
    private final int limit;

    private Slide(MeasurePlan plan) {
        window = new Pane(plan);
        countAt = plan.layout().at(Operation.COUNT);
        limit = plan.definition().groups();
    }

    /** Returns whether the windows of a measure can be computed incrementally. */
    static boolean suits(MeasurePlan plan) {
        return plan.definition().windows().panes() > 1
                && plan.sketches().isEmpty()
                && plan.layout().reversible();
    }

    static Slide of(MeasurePlan plan) {
        Slide slide = new Slide(plan);
        slide.window.begin(0, 0);
        return slide;
    }

    /** Adds a pane, which must not change any more. */
    void add(Pane pane) {
        window.merge(pane);
    }

    /** Subtracts a pane that was added. */
    void takeAway(Pane pane) {
        window.groups().takeAway(pane.groups());
    }

    /**
     * Returns the window between two times.
     *
     * @param within panes of the window, all added already, oldest first. If the number of groups has reached the
     *     limit, the window is merged again from these panes: they alone determine which groups are counted together
     */
    Pane window(long start, long end, List<Pane> within) {
        if (window.groups().size() == limit) {
            mergeAll(within);
        }
        window.moveTo(start, end);
        return window;
    }

    /** Removes the groups that none of the remaining panes has, if there are enough of them. */
    void tidy(List<Pane> remaining) {
        int size = window.groups().size();
        int empty = 0;
        for (int group = 1; group <= size; group++) {
            empty += window.groups().accumulators()[group * window.groups().width() + countAt] == 0 ? 1 : 0;
        }
        if (empty > EMPTY_MAX && 2 * empty > size) {
            mergeAll(remaining);
        }
    }

    private void mergeAll(List<Pane> panes) {
        window.begin(window.start(), window.end());
        panes.forEach(window::merge);
    }
}
