package io.millrace.measure.window;

import io.millrace.aggregate.ColumnValues;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.plan.RowMaker;
import io.millrace.measure.plan.Window;
import io.millrace.measure.plan.Windows;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A running measure of one partition of a pipeline. It aggregates the records of batches into the groups of panes and
 * passes on the rows of each window when the window closes.
 *
 * <p>A pane closes as soon as a record arrives whose event time is later than the pane's end by the allowed lateness;
 * without an event time, when the clock has passed the pane's end. A record for a closed pane is late for all windows
 * that contain the pane. Whether a record is late, and which windows it belongs to, therefore depends only on the
 * records before it.
 *
 * <p>Processing a batch allocates nothing once the arrays have grown to the number of groups. Thread-safe: the
 * pipeline's thread passes records, other threads may read. Only {@link #current} makes the pipeline's thread wait,
 * while it copies the groups that it returns.
 */
public final class Measure {

    /**
     * How far the clocks of senders may be ahead of this process's clock, in milliseconds. A longer allowed lateness
     * extends it.
     */
    private static final long AHEAD_MS_MAX = 60_000;

    private volatile MeasurePlan plan;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final BatchReads reads = new BatchReads(lock);
    /** A view of the current batch's records with its own selection. */
    private RecordBatch records;

    private Inputs inputs;
    private final MeasureCounts counts = new MeasureCounts();
    private final OpenWindows windows;
    private final ClosedRows rows;
    private final EventTimes times;
    /** How far event times may be ahead of the clock, in milliseconds. */
    private final long aheadMs;
    /** The first and the last event time that has windows, in the unit of the records. */
    private final long firstTime;

    private final long lastTime;
    private final String noTimeDetail;
    /** The number of groups that {@link #current} has visited. */
    private final Counter visited = new Counter();

    private volatile @Nullable String firstFailure;

    /**
     * Creates a measure without records.
     *
     * @param clock provides the current time
     * @param closed receives each window when it closes, on the thread that passes records
     */
    public Measure(MeasurePlan plan, InstantSource clock, Consumer<ClosedRows.Closed> closed) {
        this(plan, clock, plan.definition().windows(), new ClosedRows(plan, closed), null);
    }

    /**
     * Creates a measure of one of several partitions, without records. It makes no rows.
     *
     * @param clock provides the current time
     * @param closing receives each pane when it closes, on the thread that passes records
     */
    public Measure(MeasurePlan plan, InstantSource clock, OpenWindows.Closing closing) {
        this(plan, clock, plan.definition().windows().ofOnePane(), new ClosedRows(plan, _ -> {}), closing);
    }

    private Measure(
            MeasurePlan plan,
            InstantSource clock,
            Windows closing,
            ClosedRows rows,
            OpenWindows.@Nullable Closing instead) {
        this.plan = plan;
        this.clock = clock;
        this.records = new RecordBatch(plan.records());
        this.inputs = new Inputs(plan);
        this.rows = rows;
        this.windows = new OpenWindows(plan, closing, instead == null ? rows : instead);
        this.times = new EventTimes(plan.timeUnit());
        this.aheadMs = Math.max(AHEAD_MS_MAX, plan.definition().lateness().toMillis());
        Windows spans = plan.definition().windows();
        this.firstTime = times.firstNotBefore(spans.first());
        this.lastTime = times.lastBefore(spans.last() + 1);
        this.noTimeDetail = plan.definition().time() + " has no result for an absent value";
    }

    /** Returns the plan of the measure. */
    public MeasurePlan plan() {
        return plan;
    }

    /** Measures the following batches by a plan that continues the current one. */
    public void use(MeasurePlan next) {
        lock.lock();
        try {
            records = new RecordBatch(next.records());
            inputs = inputs.with(next);
            rows.alerts().use(next.alerts());
            plan = next;
        } finally {
            lock.unlock();
        }
    }

    /** Returns why the first record since the start could not be measured, or null if all could. */
    public @Nullable String firstFailure() {
        return firstFailure;
    }

    /** Returns the record counters. */
    public MeasureCounts counts() {
        return counts;
    }

    /**
     * Aggregates selected records of a batch, without changing the batch.
     *
     * @param first index in the selection of the first record to aggregate
     */
    public void take(RecordBatch batch, int first) {
        lock.lock();
        try {
            takeLocked(batch, first);
            reads.serve();
        } finally {
            lock.unlock();
        }
    }

    private void takeLocked(RecordBatch batch, int first) {
        int selected = batch.selected() - first;
        if (!records.schema().equals(batch.schema())) {
            // The batch's schema has the fields that later steps add.
            records = new RecordBatch(batch.schema());
        }
        records.share(batch);
        System.arraycopy(batch.selection(), first, records.selection(), 0, selected);
        records.select(selected);
        inputs.fill(records);
        int count = records.selected();
        if (plan.time() == null) {
            windows.advance(clock.millis());
            if (count > 0) {
                windows.latest().take(inputs, 0, count);
                counts.counted().add(count);
            }
        } else {
            takeByTime(count);
        }
        counts.failed().set(inputs.failed());
        firstFailure = inputs.firstFailure();
        windows.countGroups();
    }

    /** Aggregates runs of consecutive records of the same pane. Most batches consist of one run. */
    private void takeByTime(int count) {
        ColumnValues column = inputs.times();
        long[] eventTimes = column.numbers();
        long now = clock.millis();
        // In any order, no record is ahead.
        long latestTime = now > Long.MAX_VALUE - aheadMs ? Long.MAX_VALUE : times.lastBefore(now + aheadMs);
        int at = 0;
        while (at < count) {
            long time = eventTimes[at];
            if (!column.isPresent(at)) {
                inputs.fail(noTimeDetail);
                at++;
                continue;
            }
            Pane pane = pane(time, latestTime);
            if (pane == null) {
                at++;
                continue;
            }
            long paneTime = times.firstNotBefore(pane.start());
            long endTime = Math.min(
                    times.firstNotBefore(pane.end()), Math.min(latestTime, times.firstNotBefore(windows.closesAt())));
            int first = at;
            long last = time;
            do {
                last = Math.max(last, eventTimes[at]);
                at++;
            } while (at < count && eventTimes[at] >= paneTime && eventTimes[at] < endTime && column.isPresent(at));
            windows.reach(times.millis(last));
            pane.take(inputs, first, at);
            counts.counted().add(at - first);
        }
    }

    /**
     * Returns the pane of an event time and closes the windows that the time completes. Returns null if the record does
     * not belong to a pane: its time is too far ahead of the clock, out of the range of windows, or late.
     */
    private @Nullable Pane pane(long time, long latestTime) {
        if (time > latestTime) {
            counts.ahead().add(1);
            return null;
        }
        if (time < firstTime || time > lastTime) {
            // The text is of the first failure only: others allocate nothing.
            inputs.fail(inputs.firstFailure() == null ? noWindow(time) : "");
            return null;
        }
        Pane pane = windows.at(times.millis(time));
        if (pane == null) {
            counts.late().add(1);
        }
        return pane;
    }

    private String noWindow(long time) {
        Windows spans = plan.definition().windows();
        return "Invalid event time '" + times.text(time) + "'. Windows are within "
                + Instant.ofEpochMilli(spans.first()) + " and " + Instant.ofEpochMilli(spans.last()) + ".";
    }

    /** Closes the windows whose end the clock has passed, if records have no event time. */
    public void checkClock() {
        lock.lock();
        try {
            if (plan.time() == null) {
                windows.advance(clock.millis());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes all windows of event time, because no further records are expected for them. */
    public void end() {
        lock.lock();
        try {
            if (plan.time() != null) {
                windows.end();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the open window of the latest record so far, or null if there is none. All rows reflect one moment
     * between two batches.
     *
     * <p>The pipeline's thread waits only while groups are copied, or copies them itself between two batches. The
     * calling thread computes rows from the copy. However many groups there are, the read visits at most three times
     * {@value Panes#VISITS_MAX} of them, and fewer if values need sketches.
     *
     * @param limit maximum number of groups, 1 or more; fewer are returned if that many need too many visits
     */
    public @Nullable OpenWindow current(int limit) {
        return current(limit, Panes.VISITS_MAX);
    }

    @Nullable
    OpenWindow current(int limit, int visits) {
        OpenWindows.Copy open = reads.run(() -> copyOpen(limit, visits));
        if (open == null) {
            return null;
        }
        Pane pane = open.groups().pane();
        Window made =
                new RowMaker(plan).make(pane, pane.start(), open.seconds(), open.firstRow(), RowMaker.Reader.NONE);
        return new OpenWindow(made, open.groups().rows());
    }

    private OpenWindows.@Nullable Copy copyOpen(int limit, int visits) {
        OpenWindows.Copy copy = windows.copy(limit, visits, rows.rows());
        if (copy != null) {
            visited.add(copy.groups().visited());
        }
        return copy;
    }

    /**
     * Returns the number of groups that reads of the open window have visited while the pipeline's thread had to wait.
     */
    long visited() {
        return visited.get();
    }

    /** Returns the rows that were made, and the alerts. */
    public ClosedRows rows() {
        return rows;
    }

    /** Returns the number of groups of all open windows, with one for each window. */
    public long openGroups() {
        lock.lock();
        try {
            return windows.openGroups();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of groups of the newest pane. */
    public int groups() {
        return windows.groups();
    }

    /** Returns the panes that are not complete yet. */
    public OpenPanes openPanes() {
        return new OpenPanes(reads, windows::panes, windows::latestMillis);
    }

    /** Passes on all panes, also those that are not complete. Records of their time are not late. */
    public void drain() {
        lock.lock();
        try {
            windows.drain();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link OpenWindows#closedPanes}. */
    public long closedPanes() {
        lock.lock();
        try {
            return windows.closedPanes();
        } finally {
            lock.unlock();
        }
    }

    /** Writes the state from which another process can continue. */
    public void write(DataOutput out) throws IOException {
        lock.lock();
        try {
            counts.write(out);
            windows.write(out);
        } finally {
            lock.unlock();
        }
    }

    /** Resets the measure to its initial state. */
    public void clear() {
        lock.lock();
        try {
            inputs = new Inputs(plan);
            firstFailure = null;
            counts.clear();
            windows.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Restores the state that {@link #write} wrote. Must be called before any record is passed. */
    public void read(DataInput in) throws IOException {
        lock.lock();
        try {
            counts.read(in);
            inputs.countFrom(counts.failed().get());
            windows.read(in);
        } finally {
            lock.unlock();
        }
    }
}
