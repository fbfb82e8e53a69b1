package io.millrace.measure.window;

import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Windows;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The panes of the windows that are not closed yet, in the order of time. Panes are reused: once there are enough panes
 * of sufficient size, a window allocates nothing except its rows. Not thread-safe.
 */
public final class Panes {

    /** The number of groups that a read of the open window may visit, which takes some milliseconds. */
    static final int VISITS_MAX = 100_000;

    /** The cost of copying a sketch, in groups without sketches. */
    private static final int VISITS_OF_SKETCH = 4;

    /** Receives complete windows. */
    public interface Closed {
        /** Called with a pane that is valid until this method returns. */
        void window(long start, Pane window);
    }

    private final MeasurePlan plan;
    private final Windows windows;
    private final List<Pane> panes = new ArrayList<>();
    private final List<Pane> spare = new ArrayList<>();
    private final @Nullable Slide slide;
    /** The end of the next window in milliseconds since 1970; undefined if there is no pane. */
    private long nextEnd;

    /** Returns the number of groups of a measure that a read of the open window may visit. */
    static int visits(MeasurePlan plan) {
        return VISITS_MAX / visitsOfGroup(plan);
    }

    private static int visitsOfGroup(MeasurePlan plan) {
        return 1 + VISITS_OF_SKETCH * plan.sketches().size();
    }

    /** @param windows those of the plan, or their panes */
    public Panes(MeasurePlan plan, Windows windows) {
        this.plan = plan;
        this.windows = windows;
        this.slide = windows.panes() > 1 && Slide.suits(plan) ? Slide.of(plan) : null;
    }

    /** Returns the end of the next window that will be complete, or {@link Long#MAX_VALUE} if there is no pane. */
    long nextEnd() {
        return panes.isEmpty() ? Long.MAX_VALUE : nextEnd;
    }

    /** Returns the end of the first open window that contains the newest pane. There must be a pane. */
    long currentEnd() {
        return Math.max(nextEnd, panes.getLast().end());
    }

    /** Returns the end of the last open window. There must be a pane. */
    public long lastEnd() {
        return windows.lastEndOf(panes.getLast().start());
    }

    /** Returns the newest pane, or null if there is none. */
    public @Nullable Pane newest() {
        return panes.isEmpty() ? null : panes.getLast();
    }

    /** Returns the number of groups of all panes, with one for each pane. */
    long groups() {
        return panes.stream().mapToLong(pane -> 1 + pane.groups().size()).sum();
    }

    /**
     * Returns the pane that starts at a time, and creates it if necessary. None of its windows may be closed already.
     */
    public Pane startingAt(long start) {
        int index = panes.size();
        while (index > 0 && panes.get(index - 1).start() >= start) {
            index--;
        }
        if (index < panes.size() && panes.get(index).start() == start) {
            return panes.get(index);
        }
        Pane pane = unused();
        pane.begin(start, windows.endOf(start));
        nextEnd = Math.min(nextEnd(), pane.end());
        panes.add(index, pane);
        return pane;
    }

    private Pane unused() {
        return spare.isEmpty() ? new Pane(plan) : spare.removeLast();
    }

    /** Passes on all windows that end at or before a time, oldest first, and drops panes that no later window needs. */
    public void close(long upTo, Closed closed) {
        while (!panes.isEmpty() && nextEnd <= upTo) {
            long end = nextEnd;
            long start = windows.startOfWindow(end);
            if (slide == null) {
                Pane window = window(end);
                closed.window(start, window);
                release(window);
            } else {
                panes.stream().filter(pane -> pane.end() == end).forEach(slide::add);
                closed.window(start, slide.window(start, end, within(start, end)));
            }
            if (end == lastEnd()) {
                dropBefore(Long.MAX_VALUE, end);
            } else {
                long next = windows.endOf(end);
                dropBefore(windows.startOfWindow(next), end);
                nextEnd = Math.max(next, panes.getFirst().end());
            }
        }
    }

    /** Passes on all panes, oldest first, and drops them. A window must be one pane. */
    void drain(Closed closed) {
        while (!panes.isEmpty()) {
            Pane pane = panes.removeFirst();
            closed.window(pane.start(), pane);
            spare.add(pane);
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

    /**
     * Returns the window that ends at a time: one of the panes, or several panes merged into one. The caller must
     * return it with {@link #release}.
     */
    Pane window(long end) {
        long start = windows.startOfWindow(end);
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
     * @param pane the copied groups
     * @param rows number of rows of the whole window, or null if counting them would take too many visits
     * @param visited number of groups visited
     */
    record Copy(Pane pane, @Nullable Integer rows, long visited) {}

    /**
     * Copies the first groups of the window that ends at a time. If the panes of the window have more groups than may
     * be visited, the method looks up the copied groups in each pane instead of merging the window.
     *
     * @param limit maximum number of groups to copy
     * @param visits approximate number of groups that may be visited; the actual number is at most three times as large
     */
    Copy copyFirst(long end, int limit, int visits) {
        long start = windows.startOfWindow(end);
        List<Pane> within = within(start, end);
        int visitsMax = visits / visitsOfGroup(plan);
        int maxGroups = Math.min(Math.min(limit, plan.definition().groups()), Math.max(1, visitsMax / within.size()));
        Pane copy = new Pane(plan);
        copy.begin(start, end);
        long groups = within.stream().mapToLong(pane -> pane.groups().size()).sum();
        if (within.size() > 1 && groups > visitsMax) {
            return new Copy(copy, null, copy.copyFirst(within, maxGroups, false));
        }
        Pane window = window(end);
        boolean whole = maxGroups >= window.groups().size();
        long visited = copy.copyFirst(List.of(window), maxGroups, whole) + (within.size() > 1 ? groups : 0);
        release(window);
        return new Copy(copy, window.rows(), visited);
    }

    /** Returns the panes between two times, oldest first. */
    List<Pane> within(long start, long end) {
        return panes.stream()
                .filter(pane -> pane.start() >= start && pane.end() <= end)
                .toList();
    }

    /** Returns a pane that {@link #window} provided to the pool. */
    void release(Pane window) {
        if (!panes.contains(window)) {
            spare.add(window);
        }
    }

    /** Writes all panes, and when the next window ends. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(nextEnd);
        out.writeInt(panes.size());
        for (Pane pane : panes) {
            out.writeLong(pane.start());
            pane.write(out);
        }
    }

    /** Reads what {@link #write} wrote. There must be no panes yet. */
    public void read(DataInput in) throws IOException {
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
