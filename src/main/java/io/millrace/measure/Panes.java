package io.millrace.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The panes that windows to come are made of, in the order of time. Panes are used again, so that once as many have
 * been there as are needed at a time, and as large, nothing is allocated for a window but its rows. Not thread-safe.
 */
final class Panes {

    /** Groups that reading the open window visits at a time, which takes some milliseconds. */
    static final int VISITS_MAX = 100_000;

    /** A sketch takes as long to copy as so many groups without. */
    private static final int VISITS_OF_SKETCH = 4;

    /** Receives a window that is complete. */
    interface Closed {
        /** Called with a pane that is good until this returns. */
        void window(long start, Pane window);
    }

    private final MeasurePlan plan;
    private final Windows windows;
    private final List<Pane> panes = new ArrayList<>();
    private final List<Pane> spare = new ArrayList<>();
    private final @Nullable Slide slide;
    /** Where the next window ends; of no meaning where there is no pane. */
    private long nextEnd;

    Panes(MeasurePlan plan) {
        this.plan = plan;
        this.windows = plan.definition().windows();
        this.slide = Slide.suits(plan) ? Slide.of(plan) : null;
    }

    /** Where the next window to be complete ends; the largest number where nothing is to be. */
    long nextEnd() {
        return panes.isEmpty() ? Long.MAX_VALUE : nextEnd;
    }

    /** The newest pane, null where there is none. */
    @Nullable
    Pane newest() {
        return panes.isEmpty() ? null : panes.getLast();
    }

    /** The pane that begins at a time, made if there is none; no window that it belongs to may have been closed. */
    Pane startingAt(long start) {
        int index = panes.size();
        while (index > 0 && panes.get(index - 1).start() >= start) {
            index--;
        }
        if (index < panes.size() && panes.get(index).start() == start) {
            return panes.get(index);
        }
        Pane made = unused();
        made.begin(start, windows.endOf(start));
        nextEnd = Math.min(nextEnd(), made.end());
        panes.add(index, made);
        return made;
    }

    private Pane unused() {
        return spare.isEmpty() ? new Pane(plan) : spare.removeLast();
    }

    /**
     * Hands on, oldest first, all windows that end at a time or before; their panes go once no later one needs them.
     */
    void close(long upTo, Closed closed) {
        while (!panes.isEmpty() && nextEnd <= upTo) {
            long end = nextEnd;
            long start = startOfWindow(end);
            if (slide == null) {
                Pane window = window(end);
                closed.window(start, window);
                giveBack(window);
            } else {
                panes.stream().filter(pane -> pane.end() == end).forEach(slide::add);
                closed.window(start, slide.window(start, end, within(start, end)));
            }
            long next = endAfter(end);
            dropBefore(startOfWindow(next), end);
            if (!panes.isEmpty()) {
                nextEnd = Math.max(next, panes.getFirst().end());
            }
        }
    }

    private void dropBefore(long start, long closedEnd) {
        while (!panes.isEmpty() && panes.getFirst().start() < start) {
            Pane dropped = panes.removeFirst();
            if (slide != null) {
                slide.takeAway(dropped);
            }
            spare.add(dropped);
        }
        if (slide != null) {
            slide.tidy(within(start, closedEnd));
        }
    }

    /** Where the window after one ends. */
    private long endAfter(long end) {
        return windows.endOf(end);
    }

    /** Where the window begins that ends at a time. */
    long startOfWindow(long end) {
        return switch (windows) {
            case Windows.Sliding(var every, int count) -> end - every.toMillis() * count;
            case Windows.Daily daily -> daily.startOf(end - 1);
        };
    }

    /** The window that ends at a time: a pane of its own, or several in one; to be given back. */
    Pane window(long end) {
        long start = startOfWindow(end);
        List<Pane> within = within(start, end);
        if (within.size() == 1 && windows.panes() == 1) {
            return within.getFirst();
        }
        Pane window = unused();
        window.begin(start, end);
        within.forEach(window::merge);
        return window;
    }

    /**
     * A copy of the first groups of a window.
     *
     * @param pane that holds it
     * @param rows of the whole window; null where counting them would take too many visits
     * @param visited how many groups were visited
     */
    record Copy(Pane pane, @Nullable Integer rows, long visited) {}

    /**
     * Copies the first groups of the window that ends at a time. Where the panes of the window have more groups than
     * may be visited, it finds the groups that it copies in each pane, instead of putting the window together.
     *
     * @param limit groups that are copied at most
     * @param visits groups that may be visited, in the order of magnitude: three times as many at most
     */
    Copy copyFirst(long end, int limit, int visits) {
        long start = startOfWindow(end);
        List<Pane> within = within(start, end);
        int visitsMax = visits / (1 + VISITS_OF_SKETCH * plan.sketches().size());
        int most = Math.min(Math.min(limit, plan.definition().groups()), Math.max(1, visitsMax / within.size()));
        Pane copy = new Pane(plan);
        copy.begin(start, end);
        long groups = within.stream().mapToLong(pane -> pane.groups().size()).sum();
        if (within.size() > 1 && groups > visitsMax) {
            return new Copy(copy, null, copy.copyFirst(within, most, false));
        }
        Pane window = window(end);
        boolean whole = most >= window.groups().size();
        long visited = copy.copyFirst(List.of(window), most, whole) + (within.size() > 1 ? groups : 0);
        giveBack(window);
        return new Copy(copy, window.rows(), visited);
    }

    private List<Pane> within(long start, long end) {
        return panes.stream()
                .filter(pane -> pane.start() >= start && pane.end() <= end)
                .toList();
    }

    /** Takes back what {@link #window} gave. */
    void giveBack(Pane window) {
        if (!panes.contains(window)) {
            spare.add(window);
        }
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(nextEnd);
        out.writeInt(panes.size());
        for (Pane pane : panes) {
            out.writeLong(pane.start());
            pane.write(out);
        }
    }

    /** Reads what {@link #write} wrote into no panes. */
    void read(DataInput in) throws IOException {
        long end = in.readLong();
        int size = in.readInt();
        for (int i = 0; i < size; i++) {
            startingAt(in.readLong()).read(in);
        }
        nextEnd = end;
        if (slide != null) {
            panes.stream().filter(pane -> pane.end() < end).forEach(slide::add);
        }
    }
}
