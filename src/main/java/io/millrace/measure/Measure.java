package io.millrace.measure;

import io.millrace.aggregate.Column;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** How long a read waits for the end of a batch, in milliseconds. */
    private static final long BATCH_WAIT_MS = 20;

    private static final double MILLIS_A_SECOND = 1000;

    private final MeasurePlan plan;
    private final InstantSource clock;
    private final Consumer<Closed> closed;
    private final List<AlertWatch> alerts;
    private final ReentrantLock lock = new ReentrantLock();
    /** Reads of the open window that wait for the end of a batch. */
    private final Queue<FutureTask<?>> reads = new ConcurrentLinkedQueue<>();
    /** A view of the current batch's records with its own selection. */
    private RecordBatch records;

    private Inputs inputs;
    private Panes panes;
    private final Panes.Closed closing = this::close;
    private final RowMaker rowMaker;
    private final History history = new History();
    private final MeasureCounts counts = new MeasureCounts();
    private final Windows windows;
    private final TimeUnit unit;
    private final long latenessMs;
    private final String noTimeDetail;
    /** The latest event time of a record, in milliseconds since 1970. */
    private long latestMillis = Long.MIN_VALUE;

    private long rows;
    /** The number of groups of the newest pane. */
    private final Counter groups = new Counter();
    /** The number of groups that {@link #current} has visited. */
    private final Counter visited = new Counter();

    private volatile @Nullable String firstFailure;

    /**
     * A closed window.
     *
     * @param window its rows
     * @param changes events of the measure's alerts
     */
    record Closed(Window window, List<AlertWatch.Changes> changes) {}

    /**
     * Creates a measure without records.
     *
     * @param clock provides the current time
     * @param closed receives each window when it closes, on the thread that passes records
     */
    Measure(MeasurePlan plan, InstantSource clock, Consumer<Closed> closed) {
        this.plan = plan;
        this.clock = clock;
        this.closed = closed;
        this.records = new RecordBatch(plan.records());
        this.inputs = new Inputs(plan);
        this.panes = new Panes(plan);
        this.rowMaker = new RowMaker(plan);
        this.alerts =
                plan.alerts().stream().map(alert -> new AlertWatch(plan, alert)).toList();
        this.windows = plan.definition().windows();
        this.unit = plan.timeUnit();
        this.latenessMs = plan.definition().lateness().toMillis();
        this.noTimeDetail = plan.definition().time() + " has no result for an absent value";
    }

    /** Returns the plan of the measure. */
    public MeasurePlan plan() {
        return plan;
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
    void take(RecordBatch batch, int first) {
        lock.lock();
        try {
            takeLocked(batch, first);
            serveReads();
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
            advance(clock.millis());
            if (count > 0) {
                long start = windows.startOf(latestMillis);
                panes.startingAt(start).take(inputs, 0, count);
                counts.counted().add(count);
            }
        } else {
            takeByTime(count);
        }
        counts.failed().set(inputs.failed());
        firstFailure = inputs.firstFailure();
        countGroups();
    }

    private void countGroups() {
        Pane newest = panes.newest();
        groups.set(newest == null ? 0 : newest.groups().size());
    }

    /** Aggregates runs of consecutive records of the same pane. Most batches consist of one run. */
    private void takeByTime(int count) {
        long[] times = inputs.times();
        long aheadFrom = unit.convert(clock.millis() + Math.max(AHEAD_MS_MAX, latenessMs), TimeUnit.MILLISECONDS);
        int at = 0;
        while (at < count) {
            long time = times[at];
            Pane pane = pane(time, aheadFrom);
            if (pane == null) {
                at++;
                continue;
            }
            long firstTime = firstNotBefore(pane.start());
            long endTime = Math.min(firstNotBefore(pane.end()), Math.min(aheadFrom, firstNotBefore(closesAt())));
            int first = at;
            long last = time;
            do {
                last = Math.max(last, times[at]);
                at++;
            } while (at < count && times[at] >= firstTime && times[at] < endTime);
            latestMillis = Math.max(latestMillis, millis(last));
            pane.take(inputs, first, at);
            counts.counted().add(at - first);
        }
    }

    /**
     * Returns the pane of an event time and closes the windows that the time completes. Returns null if the record does
     * not belong to a pane: its time is absent, too far ahead of the clock, or late.
     */
    private @Nullable Pane pane(long time, long aheadFrom) {
        if (time == Column.ABSENT) {
            inputs.fail(noTimeDetail);
            return null;
        }
        if (time >= aheadFrom) {
            counts.ahead().add(1);
            return null;
        }
        long millis = millis(time);
        long start = windows.startOf(millis);
        if (latestMillis != Long.MIN_VALUE && windows.endOf(start) + latenessMs <= latestMillis) {
            counts.late().add(1);
            return null;
        }
        advance(millis);
        return panes.startingAt(start);
    }

    /** Returns the event time at which the next window closes, in milliseconds since 1970. */
    private long closesAt() {
        long end = panes.nextEnd();
        return end == Long.MAX_VALUE ? end : end + latenessMs;
    }

    private void advance(long millis) {
        latestMillis = Math.max(latestMillis, millis);
        panes.close(latestMillis - latenessMs, closing);
        countGroups();
    }

    private void close(long start, Pane window) {
        long end = window.end();
        Window made = rowMaker.make(
                window,
                start,
                seconds(start, end),
                rows,
                batch -> alerts.forEach(alert -> alert.rows(batch, start, end)));
        rows += made.count();
        history.add(made);
        closed.accept(new Closed(
                made, alerts.stream().map(alert -> alert.endWindow(end)).toList()));
    }

    private static double seconds(long start, long end) {
        return (end - start) / MILLIS_A_SECOND;
    }

    /** Returns the earliest event time, in the unit of the records, that is not before an instant in milliseconds. */
    private long firstNotBefore(long millis) {
        long time = unit.convert(millis, TimeUnit.MILLISECONDS);
        return millis(time) < millis ? time + 1 : time;
    }

    /** Converts an event time to milliseconds, rounding down. */
    private long millis(long time) {
        return switch (unit) {
            case NANOSECONDS -> Math.floorDiv(time, 1_000_000);
            case MICROSECONDS -> Math.floorDiv(time, 1_000);
            default -> unit.toMillis(time);
        };
    }

    /** Closes the windows whose end the clock has passed, if records have no event time. */
    void lookAtTheClock() {
        lock.lock();
        try {
            if (plan.time() == null) {
                advance(clock.millis());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes all windows up to that of the latest record, at the end of the feed. */
    void end() {
        lock.lock();
        try {
            Pane newest = panes.newest();
            if (plan.time() != null && newest != null) {
                advance(newest.end() + latenessMs);
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
        OpenPane open = copy(new FutureTask<>(() -> copyOpen(limit, visits)));
        if (open == null) {
            return null;
        }
        Pane pane = open.copy().pane();
        Window made =
                new RowMaker(plan).make(pane, pane.start(), open.seconds(), open.firstRow(), RowMaker.Reader.NONE);
        return new OpenWindow(made, open.copy().rows());
    }

    /**
     * The input for rows of the open window: a copy of groups, the window's length so far, and the number of its first
     * row.
     */
    private record OpenPane(Panes.Copy copy, double seconds, long firstRow) {}

    private @Nullable OpenPane copyOpen(int limit, int visits) {
        Pane newest = panes.newest();
        if (newest == null) {
            return null;
        }
        Panes.Copy copy = panes.copyFirst(newest.end(), limit, visits);
        visited.add(copy.visited());
        Pane window = copy.pane();
        double fullSeconds = seconds(window.start(), window.end());
        double seconds = Math.clamp(seconds(window.start(), latestMillis), Math.min(1, fullSeconds), fullSeconds);
        return new OpenPane(copy, seconds, rows);
    }

    /**
     * Copies under the lock if it is free. Otherwise the pipeline's thread runs the copy after its batch: a thread that
     * waited for the lock of a busy pipeline would be woken after each batch and compete for the processor.
     */
    private @Nullable OpenPane copy(FutureTask<@Nullable OpenPane> read) {
        if (lock.tryLock()) {
            try {
                read.run();
            } finally {
                lock.unlock();
            }
        } else {
            reads.add(read);
            if (!isDoneSoon(read)) { // no batch arrives
                lock.lock();
                try {
                    read.run();
                } finally {
                    lock.unlock();
                }
                reads.remove(read);
            }
        }
        return read.resultNow();
    }

    private static boolean isDoneSoon(FutureTask<?> read) {
        try {
            read.get(BATCH_WAIT_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The open window could not be read: " + e.getCause(), e.getCause());
        }
    }

    /** Runs the reads that were queued while the lock was held. */
    private void serveReads() {
        for (FutureTask<?> read = reads.poll(); read != null; read = reads.poll()) {
            read.run();
        }
    }

    /**
     * Returns the number of groups that reads of the open window have visited while the pipeline's thread had to wait.
     */
    long visited() {
        return visited.get();
    }

    /** Returns the most recently closed windows, newest first: 60 at most, and fewer if they have many rows. */
    public List<Window> closedWindows() {
        return history.newestFirst();
    }

    /** Returns the number of groups of the newest pane. */
    public int groups() {
        return (int) groups.get();
    }

    /**
     * Returns the raised alerts as of the window that closed last, in the order of the alerts: up to 10,000 groups
     * each.
     */
    public List<AlertEvent> raised() {
        return alerts.stream()
                .flatMap(alert ->
                        alert.standing().stream().map(record -> alert.plan().event(plan.name(), record)))
                .toList();
    }

    /**
     * Returns the number of groups for which an alert is raised. Any thread may read it.
     *
     * @param alert index of the alert in the plan
     */
    public Counter raised(int alert) {
        return alerts.get(alert).raised();
    }

    /**
     * Returns how often an alert was not evaluated for a group because the maximum number of groups is tracked already.
     *
     * @param alert index of the alert in the plan
     */
    public Counter missed(int alert) {
        return alerts.get(alert).missed();
    }

    /** Writes the state from which another process can continue. */
    void write(DataOutput out) throws IOException {
        lock.lock();
        try {
            for (Counter count : counted()) {
                out.writeLong(count.get());
            }
            out.writeLong(latestMillis);
            out.writeLong(rows);
            out.writeInt(alerts.size());
            for (AlertWatch alert : alerts) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                alert.write(new DataOutputStream(bytes));
                out.writeUTF(alert.plan().name());
                out.writeInt(bytes.size());
                out.write(bytes.toByteArray());
            }
            panes.write(out);
        } finally {
            lock.unlock();
        }
    }

    /** Resets the measure to its initial state. */
    void clear() {
        lock.lock();
        try {
            inputs = new Inputs(plan);
            firstFailure = null;
            panes = new Panes(plan);
            countGroups();
            alerts.forEach(AlertWatch::clear);
            counted().forEach(count -> count.set(0));
            history.clear();
            latestMillis = Long.MIN_VALUE;
            rows = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Restores the state that {@link #write} wrote. Must be called before any record is passed. */
    void read(DataInput in) throws IOException {
        lock.lock();
        try {
            for (Counter count : counted()) {
                count.set(in.readLong());
            }
            inputs.countFrom(counts.failed().get());
            latestMillis = in.readLong();
            rows = in.readLong();
            int alertCount = in.readInt();
            for (int i = 0; i < alertCount; i++) {
                String name = in.readUTF();
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                // The state of an alert that is no longer configured is discarded; a new alert starts empty.
                for (AlertWatch alert : alerts) {
                    if (alert.plan().name().equals(name)) {
                        alert.read(new DataInputStream(new ByteArrayInputStream(bytes)));
                    }
                }
            }
            panes.read(in);
            countGroups();
        } finally {
            lock.unlock();
        }
    }

    private List<Counter> counted() {
        return List.of(counts.counted(), counts.late(), counts.ahead(), counts.failed());
    }
}
