package io.millrace.measure.window;

import io.millrace.codec.Counter;
import io.millrace.measure.plan.MeasureDefinition;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.Windows;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The open windows of a measure, and the event time up to which they have advanced. Passes on each window when it
 * closes. Not thread-safe, except for the number of groups.
 */
public final class OpenWindows {

    private static final double MILLIS_A_SECOND = 1000;

    private final MeasurePlan plan;
    private final Windows windows;
    private final long latenessMs;
    private final boolean anyOrder;
    private final Closing closing;
    /** The number of groups of the newest pane. */
    private final Counter groups = new Counter();

    private Panes panes;
    /** The latest event time of a record, in milliseconds since 1970. */
    private long latestMillis = Long.MIN_VALUE;
    /** The event time up to which windows are closed: the latest one less the allowed lateness. */
    private long watermark = Long.MIN_VALUE;

    /** What becomes of a window when it closes. */
    public interface Closing extends Panes.Closed {

        /** Writes the state from which it continues. */
        void write(DataOutput out) throws IOException;

        /** Restores what {@link #write} wrote. */
        void read(DataInput in) throws IOException;

        /** Discards everything. */
        void clear();
    }

    /**
     * A copy of the open window.
     *
     * @param groups its groups
     * @param seconds its length so far
     * @param firstRow the number of its first row
     */
    record Copy(Panes.Copy groups, double seconds, long firstRow) {}

    /**
     * @param windows those of the plan, or their panes
     * @param closing receives each window when it closes
     */
    OpenWindows(MeasurePlan plan, Windows windows, Closing closing) {
        this.plan = plan;
        this.closing = closing;
        this.windows = windows;
        this.latenessMs = plan.definition().lateness().toMillis();
        this.anyOrder = plan.definition().lateness().equals(MeasureDefinition.ANY_LATENESS);
        this.panes = new Panes(plan, windows);
    }

    /**
     * Returns the end of the last pane at or before the event time up to which windows are closed, in milliseconds
     * since 1970; the smallest long if there is none.
     */
    long closedPanes() {
        return watermark < windows.first() ? Long.MIN_VALUE : windows.startOf(Math.min(watermark, windows.last()));
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

    /** Passes on all panes, also those that are not complete, and drops them. The watermark stays. */
    void drain() {
        panes.drain(closing);
        countGroups();
    }

    /**
     * Returns the length of an open window so far in seconds, at least one.
     *
     * @param latest the latest event time
     */
    static double seconds(Pane window, long latest) {
        double fullSeconds = (window.end() - window.start()) / MILLIS_A_SECOND;
        double seconds = (latest - window.start()) / MILLIS_A_SECOND;
        return Math.clamp(seconds, Math.min(1, fullSeconds), fullSeconds);
    }

    /** Returns all panes. */
    Panes panes() {
        return panes;
    }

    /** Returns the latest event time of a record, in milliseconds since 1970. */
    long latestMillis() {
        return latestMillis;
    }

    /**
     * Copies groups of the open window: of those that contain the latest record's pane, the one that closes first.
     * Returns null if there is none.
     *
     * @param limit maximum number of groups
     * @param visits maximum number of groups to visit
     * @param firstRow the number of its first row
     */
    @Nullable
    Copy copy(int limit, int visits, long firstRow) {
        if (panes.newest() == null) {
            return null;
        }
        Panes.Copy copy = panes.copyFirst(panes.currentEnd(), limit, visits);
        return new Copy(copy, seconds(copy.pane(), latestMillis), firstRow);
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(latestMillis);
        closing.write(out);
        panes.write(out);
    }

    /** Restores what {@link #write} wrote. */
    void read(DataInput in) throws IOException {
        reach(in.readLong());
        closing.read(in);
        panes.read(in);
        countGroups();
    }

    void clear() {
        panes = new Panes(plan, windows);
        countGroups();
        closing.clear();
        latestMillis = Long.MIN_VALUE;
        watermark = Long.MIN_VALUE;
    }
}
