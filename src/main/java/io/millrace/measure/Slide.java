package io.millrace.measure;

import io.millrace.aggregate.Slot.Operation;
import java.util.List;

/**
 * The groups of all panes of a window that slides: what a pane brings is added once and taken away once, so that a
 * window of many panes costs no more than one of few. Where figures can't be taken away again, as smallest and largest
 * ones can't, windows are put together anew each time instead. Not thread-safe.
 */
final class Slide {

    /** So many groups without records cost less than putting the window together anew. */
    private static final int EMPTY_MAX = 64;

    private final Pane window;
    private final int countAt;
    private final int limit;

    private Slide(MeasurePlan plan) {
        window = new Pane(plan);
        countAt = plan.layout().at(Operation.COUNT);
        limit = plan.definition().groups();
    }

    /** Whether windows of a measure can be kept so. */
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

    /** Adds a pane, which does not change any more. */
    void add(Pane pane) {
        window.merge(pane);
    }

    /** Takes a pane away that was added. */
    void takeAway(Pane pane) {
        window.groups().takeAway(pane.groups());
    }

    /**
     * The window from one time to another.
     *
     * @param within the panes it is made of, all of them added: where there are as many groups as may be, it depends on
     *     them alone, oldest first, which groups are told together
     */
    Pane window(long start, long end, List<Pane> within) {
        if (window.groups().size() == limit) {
            putTogether(within);
        }
        window.moveTo(start, end);
        return window;
    }

    /** Forgets groups that none of the panes that are left has any more, if that is worth while. */
    void tidy(List<Pane> left) {
        int size = window.groups().size();
        int empty = 0;
        for (int group = 1; group <= size; group++) {
            empty += window.groups().figures()[group * window.groups().width() + countAt] == 0 ? 1 : 0;
        }
        if (empty > EMPTY_MAX && 2 * empty > size) {
            putTogether(left);
        }
    }

    private void putTogether(List<Pane> panes) {
        window.begin(window.start(), window.end());
        panes.forEach(window::merge);
    }
}
