package io.millrace.measure;

import io.millrace.codec.Counter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open windows of a measure, and the event time up to which they have advanced. Passes on the rows of each window
 * when it closes. Not thread-safe, except for the number of groups, the alerts and the closed windows.
 */
final class OpenWindows {

    private static final double MILLIS_A_SECOND = 1000;

    private final MeasurePlan plan;
    private final Windows windows;
    private final long latenessMs;
    private final boolean anyOrder;
    private final RowMaker rowMaker;
    private final AlertWatches alerts;
    private final Consumer<Measure.Closed> closed;
    private final Panes.Closed closing = this::close;
    private final ClosedWindows history = new ClosedWindows();
    /** The number of groups of the newest pane. */
    private final Counter groups = new Counter();

    private Panes panes;
    /** The latest event time of a record, in milliseconds since 1970. */
    private long latestMillis = Long.MIN_VALUE;
    /** The event time up to which windows are closed: the latest one less the allowed lateness. */
    private long watermark = Long.MIN_VALUE;

    private long rows;

    /**
     * A copy of the open window.
     *
     * @param groups its groups
     * @param seconds its length so far
     * @param firstRow the number of its first row
     */
    record Copy(Panes.Copy groups, double seconds, long firstRow) {}

    /** @param closed receives each window when it closes */
    OpenWindows(MeasurePlan plan, Consumer<Measure.Closed> closed) {
        this.plan = plan;
        this.closed = closed;
        this.windows = plan.definition().windows();
        this.latenessMs = plan.definition().lateness().toMillis();
        this.anyOrder = plan.definition().lateness().equals(MeasureDefinition.ANY_LATENESS);
        this.rowMaker = new RowMaker(plan);
        this.alerts = new AlertWatches(plan);
        this.panes = new Panes(plan);
    }

    AlertWatches alerts() {
        return alerts;
    }

    /** Returns the most recently closed windows, newest first. */
    List<Window> closed() {
        return history.newestFirst();
    }

    /** Returns the number of groups of the newest pane. */
    int groups() {
        return (int) groups.get();
    }

    /** Returns the number of groups of all panes, with one for each pane. */
    long openGroups() {
        return panes.groups();
    }

    /** Updates the number of groups of the newest pane. */
    void countGroups() {
        Pane newest = panes.newest();
        groups.set(newest == null ? 0 : newest.groups().size());
    }

    /** Returns the pane of the latest event time. */
    Pane latest() {
        return panes.startingAt(windows.startOf(latestMillis));
    }

    /**
     * Returns the pane of an event time in milliseconds, and closes the windows that the time completes; or null if all
     * windows of that time are closed.
     */
    @Nullable
    Pane at(long millis) {
        long start = windows.startOf(millis);
        if (windows.endOf(start) <= watermark) {
            return null;
        }
        advance(millis);
        return panes.startingAt(start);
    }

    /** Returns the event time at which the next window closes, in milliseconds since 1970. */
    long closesAt() {
        return saturatedAdd(panes.nextEnd(), latenessMs);
    }

    /** Records an event time that closes no window. */
    void reach(long millis) {
        if (millis > latestMillis) {
            latestMillis = millis;
            watermark = anyOrder || millis < Long.MIN_VALUE + latenessMs ? Long.MIN_VALUE : millis - latenessMs;
        }
    }

    private static long saturatedAdd(long millis, long duration) {
        return millis > Long.MAX_VALUE - duration ? Long.MAX_VALUE : millis + duration;
    }

    /** Closes the windows that an event time completes. */
    void advance(long millis) {
        reach(millis);
        panes.close(watermark, closing);
        countGroups();
    }

    /** Closes all windows that have records. Further records of their time are late. */
    void end() {
        if (panes.newest() != null) {
            long end = panes.lastEnd();
            reach(saturatedAdd(end, latenessMs));
            panes.close(end, closing);
            countGroups();
        }
    }

    private void close(long start, Pane window) {
        long end = window.end();
        Window made = rowMaker.make(window, start, seconds(start, end), rows, batch -> alerts.rows(batch, start, end));
        rows += made.count();
        history.add(made);
        closed.accept(new Measure.Closed(made, alerts.endWindow(end)));
    }

    private static double seconds(long start, long end) {
        return (end - start) / MILLIS_A_SECOND;
    }

    /**
     * Copies groups of the open window: of those that contain the latest record's pane, the one that closes first.
     * Returns null if there is none.
     *
     * @param limit maximum number of groups
     * @param visits maximum number of groups to visit
     */
    @Nullable
    Copy copy(int limit, int visits) {
        if (panes.newest() == null) {
            return null;
        }
        Panes.Copy copy = panes.copyFirst(panes.currentEnd(), limit, visits);
        Pane window = copy.pane();
        double fullSeconds = seconds(window.start(), window.end());
        double seconds = Math.clamp(seconds(window.start(), latestMillis), Math.min(1, fullSeconds), fullSeconds);
        return new Copy(copy, seconds, rows);
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(latestMillis);
        out.writeLong(rows);
        alerts.write(out);
        panes.write(out);
    }

    /** Restores what {@link #write} wrote. */
    void read(DataInput in) throws IOException {
        reach(in.readLong());
        rows = in.readLong();
        alerts.read(in);
        panes.read(in);
        countGroups();
    }

    void clear() {
        panes = new Panes(plan);
        countGroups();
        alerts.clear();
        history.clear();
        latestMillis = Long.MIN_VALUE;
        watermark = Long.MIN_VALUE;
        rows = 0;
    }
}
