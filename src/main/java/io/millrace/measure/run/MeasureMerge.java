package io.millrace.measure.run;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.codec.Counter;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.run.PaneBundle.Entry;
import io.millrace.measure.run.PaneBundle.Follows;
import io.millrace.measure.run.PaneBundle.Progress;
import io.millrace.measure.window.BatchReads;
import io.millrace.measure.window.ClosedRows;
import io.millrace.measure.window.OpenPanes;
import io.millrace.measure.window.Pane;
import io.millrace.measure.window.Panes;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges the panes that the partitions of a pipeline have closed, makes rows of the windows, and evaluates alerts. One
 * partition runs it, so each row and alert is stored once.
 *
 * <p>A window closes when the watermark of each partition has reached its end, except for those that are idle. When all
 * partitions have reached the same end of a feed that may grow, it closes when the watermark of any of them has.
 *
 * <p>Entries are read in the order of watermarks: always the next one of the partition that is behind the others. So
 * few panes are in memory, however far some partitions are ahead, and the values of rows do not depend on when entries
 * arrive. A pane whose windows are closed is late; that happens only to partitions that were idle.
 *
 * <p>Not thread-safe, except for {@link #openPanes}, {@link #rows}, {@link #late}, {@link #stored},
 * {@link #windowsClosed} and {@link #listen}.
 */
final class MeasureMerge {

    /** The number of groups after which other work of the thread is due. */
    private static final int GROUPS_AT_ONCE = 1_000_000;

    private volatile MeasurePlan plan;
    private final ReentrantLock lock = new ReentrantLock();
    private final BatchReads reads = new BatchReads(lock);
    private final Publisher publisher;
    private final StoredState state;
    private final Outbox outbox;
    private final ClosedRows rows;
    /** The number of records that were late for their windows. */
    private final Counter late = new Counter();

    private final int countAt;
    private final List<MergedLog> sources;
    private Panes panes;
    /** The event time up to which windows are closed. */
    private long watermark = Long.MIN_VALUE;
    /** Whether entries may have been merged since windows were closed last, because a read failed or ended before. */
    private volatile boolean merged;

    /**
     * @param key unique key of the state
     * @param logs those of the partitions, in their order
     * @param outbox for rows and alerts
     */
    MeasureMerge(
            MeasurePlan plan, StateStore store, String key, List<PaneLog> logs, Outbox outbox, LongSupplier nanoTime) {
        this.plan = plan;
        this.outbox = outbox;
        this.publisher = new Publisher(() -> this.plan, outbox);
        this.state = new StoredState(plan.meaning() + " rows", store, key, outbox, true, nanoTime);
        this.rows = new ClosedRows(plan, publisher::add);
        this.countAt = plan.layout().at(Operation.COUNT);
        this.panes = new Panes(plan, plan.definition().windows());
        this.sources = logs.stream().map(MergedLog::new).toList();
    }

    /** Makes rows by a plan that continues the current one. */
    void use(MeasurePlan next) {
        lock.lock();
        try {
            rows.alerts().use(next.alerts());
            plan = next;
        } finally {
            lock.unlock();
        }
    }

    void listen(MeasureListener listener) {
        publisher.listen(listener);
    }

    /** Returns the rows that were made, and the alerts. */
    ClosedRows rows() {
        return rows;
    }

    /** Returns the number of entries of a partition whose rows are stored. Any thread may call it. */
    long stored(int partition) {
        return sources.get(partition).stored();
    }

    /** Returns whether the windows are closed that the merged entries close. Any thread may call it. */
    boolean windowsClosed() {
        return !merged;
    }

    /** Returns the number of records that were late for their windows. Their partitions have counted them too. */
    Counter late() {
        return late;
    }

    /** Returns the panes that are not complete yet. */
    OpenPanes openPanes() {
        return new OpenPanes(reads, () -> panes, this::latest);
    }

    private long latest() {
        Pane newest = panes.newest();
        return newest == null ? Long.MIN_VALUE : newest.start();
    }

    /** Begins a term: as {@link MeasureProcessor#open}. */
    void open(Term term, ToLongFunction<String> committed) {
        clear();
        state.open(term, committed, in -> {
            lock.lock();
            try {
                read(in);
            } finally {
                lock.unlock();
            }
        });
        sources.forEach(source -> source.open(term));
        merged = true;
    }

    /** As {@link MeasureProcessor#addPositions}. */
    void addPositions(Map<String, Long> positions) {
        outbox.addPositions(positions);
    }

    /** Ends a term, and discards what is in memory. */
    void close() {
        clear();
        outbox.close();
    }

    private void clear() {
        lock.lock();
        try {
            publisher.clear();
            panes = new Panes(plan, plan.definition().windows());
            rows.clear();
            late.set(0);
            sources.forEach(MergedLog::clear);
            watermark = Long.MIN_VALUE;
            merged = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Merges new entries, and stores what follows from them.
     *
     * @param last whether the state must be stored now
     * @throws io.millrace.store.error.StoreException if the store does not respond; the call can be retried
     */
    void flush(boolean last) {
        int groups = 0;
        sources.forEach(MergedLog::expectMore);
        for (MergedLog source : sources) {
            groups += source.expectsRecords() || groups >= GROUPS_AT_ONCE ? 0 : read(source, GROUPS_AT_ONCE - groups);
        }
        for (MergedLog behind = behind(); behind != null && groups < GROUPS_AT_ONCE; behind = behind()) {
            int read = read(behind, GROUPS_AT_ONCE - groups);
            if (read == 0) {
                break;
            }
            groups += read;
        }
        state.changeIf(publisher.publish());
        state.flush(last || groups >= GROUPS_AT_ONCE, 0, () -> sources.forEach(MergedLog::seal), this::write);
        sources.forEach(MergedLog::removeStored);
    }

    /**
     * Reads the next entry of a partition; if no records follow by that, also those behind it, since they may say
     * otherwise. Then closes windows, unless another partition has entries of which this is not known.
     *
     * @param maxGroups number of groups after which it ends
     * @return the number of groups, at least 1 for each entry; 0 if there is none
     */
    private int read(MergedLog source, int maxGroups) {
        int groups = 0;
        int read = readNext(source);
        while (read > 0) {
            groups += read;
            if (source.expectsRecords() || groups >= maxGroups) {
                break;
            }
            read = readNext(source);
        }
        if (merged && sources.stream().noneMatch(MergedLog::mayExpectRecords)) {
            lock.lock();
            try {
                advance();
                merged = false;
            } finally {
                lock.unlock();
            }
        }
        return groups;
    }

    /** Returns the partition with the smallest watermark of those that expect records; null if there is none. */
    private @Nullable MergedLog behind() {
        MergedLog behind = null;
        for (MergedLog source : sources) {
            if (source.expectsRecords()
                    && (behind == null
                            || source.progress().watermark() < behind.progress().watermark())) {
                behind = source;
            }
        }
        return behind;
    }

    /** Reads the next entry of a partition. Returns the number of groups in it, at least 1; 0 if there is no entry. */
    private int readNext(MergedLog source) {
        try {
            Entry entry = source.peek();
            return entry == null ? 0 : merge(source, entry);
        } catch (IOException e) {
            throw new IllegalStateException("Invalid entry in the log of measure '" + plan.name() + "'.", e);
        }
    }

    private int merge(MergedLog source, Entry entry) throws IOException {
        lock.lock();
        try {
            int groups = 1;
            for (int i = 0; i < entry.panes(); i++) {
                groups += merge(entry);
            }
            source.advance(entry);
            merged = true;
            state.change();
            reads.serve();
            return groups;
        } finally {
            lock.unlock();
        }
    }

    private int merge(Entry entry) throws IOException {
        long start = entry.in().readLong();
        long end = plan.definition().windows().endOf(start);
        Pane pane = new Pane(plan);
        pane.begin(start, end);
        pane.read(entry.in());
        if (end <= watermark) {
            late.add(records(pane));
        } else {
            panes.startingAt(start).merge(pane);
        }
        return 1 + pane.groups().size();
    }

    private long records(Pane pane) {
        long records = 0;
        for (int group = 0; group <= pane.groups().size(); group++) {
            records += pane.groups().accumulators()[group * pane.groups().width() + countAt];
        }
        return records;
    }

    /** Closes the windows that no partition can add to. */
    private void advance() {
        List<Progress> waited = sources.stream()
                .map(MergedLog::progress)
                .filter(progress -> progress.follows() != Follows.IDLE)
                .toList();
        boolean readAll = haveReadAll(waited);
        if (readAll && waited.stream().allMatch(progress -> progress.follows() == Follows.NOTHING)) {
            if (panes.newest() != null) {
                close(panes.lastEnd());
            }
        } else {
            LongStream watermarks = waited.stream().mapToLong(Progress::watermark);
            close((readAll ? watermarks.max() : watermarks.min()).orElseThrow());
        }
    }

    private void close(long upTo) {
        watermark = Math.max(watermark, upTo);
        panes.close(watermark, rows);
    }

    /** Returns whether partitions have reached the same end of the feed, or there are none. */
    private static boolean haveReadAll(List<Progress> waited) {
        return waited.stream().noneMatch(progress -> progress.follows() == Follows.RECORDS)
                && waited.stream().mapToLong(Progress::extent).distinct().count() <= 1;
    }

    /** As {@link MeasureProcessor#endBlocks}. */
    void endBlocks() {
        outbox.endBlocks();
    }

    private void write(DataOutput out) throws IOException {
        out.writeLong(late.get());
        rows.write(out);
        panes.write(out);
        out.writeLong(watermark);
        out.writeInt(sources.size());
        for (MergedLog source : sources) {
            source.write(out);
        }
    }

    private void read(DataInput in) throws IOException {
        late.set(in.readLong());
        rows.read(in);
        panes.read(in);
        watermark = in.readLong();
        int size = in.readInt();
        if (size != sources.size()) {
            throw new IllegalStateException("The state of measure '" + plan.name() + "' is of " + size
                    + " partitions, not of " + sources.size() + ". Set partitions: " + size + ".");
        }
        for (MergedLog source : sources) {
            source.read(in);
        }
    }
}
