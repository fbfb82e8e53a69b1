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
 * A measure of one partition of a pipeline at work: takes the records of batches into the groups of panes, and hands on
 * the rows of each window once it is closed.
 *
 * <p>A pane is closed as soon as a record comes that happened later than the pane's end by the lateness allowed;
 * without a time of records, when the clock has passed its end. What comes for a closed pane is late, for all windows
 * that the pane belongs to. So which window a record is part of, or that it is late, depends on nothing but the records
 * before it.
 *
 * <p>Taking a batch allocates nothing once there has been room for as many groups. Thread-safe: the pipeline's thread
 * takes records, others may read. Only {@link #current} makes the pipeline's thread wait, while it copies the groups
 * that it returns.
 */
public final class Measure {

    /** Clocks of those who send records may be ahead of ours by so much. */
    private static final long AHEAD_MS_MAX = 60_000;

    /** How long a read waits for the end of a batch. */
    private static final long BATCH_PATIENCE_MS = 20;

    private static final double MILLIS_A_SECOND = 1000;

    private final MeasurePlan plan;
    private final InstantSource clock;
    private final Consumer<Closed> closed;
    private final List<AlertWatch> alerts;
    private final ReentrantLock lock = new ReentrantLock();
    /** Reads of the open window that wait for the end of a batch. */
    private final Queue<FutureTask<?>> reads = new ConcurrentLinkedQueue<>();
    /** Shows the records of the batch at hand, with a selection of its own. */
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
    private final String noTime;
    /** The latest moment at which a record has happened, in milliseconds. */
    private long latest = Long.MIN_VALUE;

    private long rows;
    /** Groups of the newest pane. */
    private final Counter groups = new Counter();
    /** Groups that {@link #current} has visited. */
    private final Counter visited = new Counter();

    private volatile @Nullable String firstFailure;

    /**
     * A window that was closed.
     *
     * @param window its rows
     * @param changes for which groups the measure's alerts were raised or cleared
     */
    record Closed(Window window, List<AlertWatch.Changes> changes) {}

    /**
     * A measure that has seen no record.
     *
     * @param clock tells now
     * @param closed receives each window once it is closed, in the thread that takes records
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
        this.noTime = plan.definition().time() + " has no result for an absent value";
    }

    /** What it was made from. */
    public MeasurePlan plan() {
        return plan;
    }

    /** Why the first record that could not be measured since the start could not be, null where there is none. */
    public @Nullable String firstFailure() {
        return firstFailure;
    }

    /** What it has counted of records. */
    public MeasureCounts counts() {
        return counts;
    }

    /**
     * Takes selected records of a batch, which stays as it is.
     *
     * @param first index in the selection of the first that is taken
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
            // Later steps add fields, for which the batch has room.
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
                long start = windows.startOf(latest);
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

    /** Works one stretch of records after the other that lie in the same pane, as nearly all of a batch mostly do. */
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
            long from = firstNotBefore(pane.start());
            long to = Math.min(firstNotBefore(pane.end()), Math.min(aheadFrom, firstNotBefore(closesAt())));
            int first = at;
            long last = time;
            do {
                last = Math.max(last, times[at]);
                at++;
            } while (at < count && times[at] >= from && times[at] < to);
            latest = Math.max(latest, millis(last));
            pane.take(inputs, first, at);
            counts.counted().add(at - first);
        }
    }

    /** The pane of a time, after those were closed that it closes; null for a time that has none. */
    private @Nullable Pane pane(long time, long aheadFrom) {
        if (time == Column.ABSENT) {
            inputs.fail(noTime);
            return null;
        }
        if (time >= aheadFrom) {
            counts.ahead().add(1);
            return null;
        }
        long millis = millis(time);
        long start = windows.startOf(millis);
        if (latest != Long.MIN_VALUE && windows.endOf(start) + latenessMs <= latest) {
            counts.late().add(1);
            return null;
        }
        advance(millis);
        return panes.startingAt(start);
    }

    /** The moment that closes the next window. */
    private long closesAt() {
        long end = panes.nextEnd();
        return end == Long.MAX_VALUE ? end : end + latenessMs;
    }

    private void advance(long millis) {
        latest = Math.max(latest, millis);
        panes.close(latest - latenessMs, closing);
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

    /** The first time, in the unit of the records, that is not before a moment. */
    private long firstNotBefore(long millis) {
        long time = unit.convert(millis, TimeUnit.MILLISECONDS);
        return millis(time) < millis ? time + 1 : time;
    }

    /** The millisecond that a time lies in. */
    private long millis(long time) {
        return switch (unit) {
            case NANOSECONDS -> Math.floorDiv(time, 1_000_000);
            case MICROSECONDS -> Math.floorDiv(time, 1_000);
            default -> unit.toMillis(time);
        };
    }

    /** Closes the windows whose end the clock has passed, where records have no time of their own. */
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

    /** Closes all windows up to that of the latest record: no more records will come by the feed. */
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
     * Returns the window that the latest record lies in, as far as it has come; null where there is none. All rows are
     * of one moment between two batches.
     *
     * <p>The pipeline's thread waits only while groups are copied, or copies them itself between two batches; rows are
     * made of the copy in the thread of the caller. However many groups there are, at most three times
     * {@value Panes#VISITS_MAX} are visited, and fewer where values are sketches.
     *
     * @param limit groups at most, 1 or more; fewer where that many need more visits
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

    /** What rows of the open window are made of: a copy of groups, how long the window has been, its first row. */
    private record OpenPane(Panes.Copy copy, double seconds, long firstRow) {}

    private @Nullable OpenPane copyOpen(int limit, int visits) {
        Pane newest = panes.newest();
        if (newest == null) {
            return null;
        }
        Panes.Copy copy = panes.copyFirst(newest.end(), limit, visits);
        visited.add(copy.visited());
        Pane window = copy.pane();
        double whole = seconds(window.start(), window.end());
        double seconds = Math.clamp(seconds(window.start(), latest), Math.min(1, whole), whole);
        return new OpenPane(copy, seconds, rows);
    }

    /**
     * Copies under the lock if that is free, else lets the pipeline's thread do so after its batch. A thread that
     * waited for the lock of a busy pipeline would be woken after each batch, and on a busy machine take the processor
     * from it.
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
            if (!isDoneSoon(read)) { // no batch comes
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
            read.get(BATCH_PATIENCE_MS, TimeUnit.MILLISECONDS);
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

    /** Carries out the reads that came while the lock was held. */
    private void serveReads() {
        for (FutureTask<?> read = reads.poll(); read != null; read = reads.poll()) {
            read.run();
        }
    }

    /** How many groups reads of the open window have visited while the pipeline's thread had to wait. */
    long visited() {
        return visited.get();
    }

    /** The last windows that were closed, newest first: up to 60, and the last one if they have many rows. */
    public List<Window> closedWindows() {
        return history.newestFirst();
    }

    /** How many groups the newest pane has. */
    public int groups() {
        return (int) groups.get();
    }

    /** What is raised as of the window that was closed last, alert by alert: of each alert up to 10,000 groups. */
    public List<AlertEvent> raised() {
        return alerts.stream()
                .flatMap(alert ->
                        alert.standing().stream().map(record -> alert.plan().event(plan.name(), record)))
                .toList();
    }

    /** For how many groups an alert is raised, by the alert's place in the plan; any thread may read. */
    public Counter raised(int alert) {
        return alerts.get(alert).raised();
    }

    /** For how many groups an alert could not be raised since as many as there may be are watched already. */
    public Counter missed(int alert) {
        return alerts.get(alert).missed();
    }

    /** Writes all that it needs to go on elsewhere. */
    void write(DataOutput out) throws IOException {
        lock.lock();
        try {
            for (Counter count : counted()) {
                out.writeLong(count.get());
            }
            out.writeLong(latest);
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

    /** Forgets all that it has seen. */
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
            latest = Long.MIN_VALUE;
            rows = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Goes on where {@link #write} wrote; before any record is taken. */
    void read(DataInput in) throws IOException {
        lock.lock();
        try {
            for (Counter count : counted()) {
                count.set(in.readLong());
            }
            inputs.countFrom(counts.failed().get());
            latest = in.readLong();
            rows = in.readLong();
            int written = in.readInt();
            for (int i = 0; i < written; i++) {
                String name = in.readUTF();
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                // An alert that is configured no longer is forgotten, and a new one begins.
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
