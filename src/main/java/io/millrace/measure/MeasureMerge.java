package io.millrace.measure;

import io.millrace.aggregate.GroupSlot.Operation;
import io.millrace.codec.Counter;
import io.millrace.measure.PaneBundle.Entry;
import io.millrace.measure.PaneBundle.Follows;
import io.millrace.measure.PaneBundle.Progress;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges the panes that the partitions of a pipeline have closed, makes rows of the windows, and evaluates alerts. One
 * partition runs it, so each row and alert is stored once.
 *
 * <p>A window closes when the watermark of each partition has reached its end, except for those from which nothing
 * follows. When all partitions have reached the end of a feed that may grow, it closes when the watermark of any of
 * them has reached its end. Entries are read in the order of watermarks: always the next one of the partition that is
 * behind the others. So few panes are in memory, however far some partitions are ahead, and what is made of entries
 * does not depend on when they arrive. A pane that comes when its windows are closed is late; that happens only to
 * partitions from which nothing was expected.
 *
 * <p>An entry is removed after a state has been stored that contains it and the next one of its partition: until the
 * next one exists, a restart of the partition puts the entry again.
 *
 * <p>Not thread-safe, except for the methods of {@link PaneSource}, {@link #rows}, {@link #stored} and {@link #listen}.
 */
final class MeasureMerge implements PaneSource {

    /** The number of groups after which other work of the thread is due. */
    private static final int GROUPS_AT_ONCE = 1_000_000;

    private volatile MeasurePlan plan;
    private final ReentrantLock lock = new ReentrantLock();
    private final BatchReads reads = new BatchReads(lock);
    private final Publisher publisher;
    private final StoredState state;
    private final Outbox outbox;
    private final ClosedRows rows;
    private final MeasureCounts counts = new MeasureCounts();
    private final int countAt;
    private final List<Source> sources = new ArrayList<>();
    private Panes panes;
    /** The event time up to which windows are closed. */
    private long watermark = Long.MIN_VALUE;
    /** The start of the newest pane so far. */
    private long newest = Long.MIN_VALUE;

    /** A partition. */
    private static final class Source {

        private final PaneLog log;
        /** Number of the next entry to be read. */
        private final Counter next = new Counter();

        /** Numbers below are part of the state that is being stored, and not needed after that. */
        private long sealed;
        /** Numbers below are part of the state that is stored, and of its rows. */
        private final Counter stored = new Counter();

        /** Numbers below are removed. */
        private long removed;

        private Progress progress = Progress.NONE;

        private Source(PaneLog log) {
            this.log = log;
        }

        private void clear() {
            next.set(0);
            sealed = 0;
            stored.set(0);
            removed = 0;
            progress = Progress.NONE;
        }

        private boolean expectsRecords() {
            return progress.follows() == Follows.RECORDS;
        }

        private void removeStored() {
            stored.set(sealed);
            for (; removed < sealed - 1; removed++) {
                log.remove(removed);
            }
        }
    }

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
        logs.forEach(log -> sources.add(new Source(log)));
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
        return sources.get(partition).stored.get();
    }

    @Override
    public MeasureCounts counts() {
        return counts;
    }

    /** Begins a term: as {@link MeasureProcessor#open}. */
    void open(Term term) {
        clear();
        state.open(term, in -> {
            lock.lock();
            try {
                read(in);
            } finally {
                lock.unlock();
            }
        });
        for (Source source : sources) {
            source.log.open(term);
            source.sealed = source.next.get();
            source.removed = firstLeft(source);
            source.removeStored();
        }
    }

    /** Returns the number of the first entry before the next one that was not removed. */
    private static long firstLeft(Source source) {
        long number = source.next.get();
        while (number > 0 && source.log.contains(number - 1)) {
            number--;
        }
        return number;
    }

    /** Discards what is in memory. */
    void clear() {
        lock.lock();
        try {
            publisher.clear();
            panes = new Panes(plan, plan.definition().windows());
            rows.clear();
            counts.clear();
            sources.forEach(Source::clear);
            watermark = Long.MIN_VALUE;
            newest = Long.MIN_VALUE;
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
        for (Source source : sources) {
            groups += source.expectsRecords() || groups >= GROUPS_AT_ONCE ? 0 : read(source, GROUPS_AT_ONCE - groups);
        }
        for (Source behind = behind(); behind != null && groups < GROUPS_AT_ONCE; behind = behind()) {
            int read = read(behind, GROUPS_AT_ONCE - groups);
            if (read == 0) {
                break;
            }
            groups += read;
        }
        publisher.publish();
        state.flush(
                last || groups >= GROUPS_AT_ONCE,
                0,
                () -> sources.forEach(source -> source.sealed = source.next.get()),
                this::write);
        sources.forEach(Source::removeStored);
    }

    /**
     * Reads the next entry of a partition; if no records follow by that, also those behind it, since they may say
     * otherwise. Then closes windows.
     *
     * @param maxGroups number of groups after which it ends
     * @return the number of groups, at least 1 for each entry; 0 if there is none
     */
    private int read(Source source, int maxGroups) {
        int groups = 0;
        int read = readNext(source);
        while (read > 0) {
            groups += read;
            if (source.expectsRecords() || groups >= maxGroups) {
                break;
            }
            read = readNext(source);
        }
        if (groups > 0 && (read == 0 || source.expectsRecords())) {
            lock.lock();
            try {
                advance();
            } finally {
                lock.unlock();
            }
        }
        return groups;
    }

    /** Returns the partition with the smallest watermark of those that expect records; null if there is none. */
    private @Nullable Source behind() {
        Source behind = null;
        for (Source source : sources) {
            if (source.expectsRecords()
                    && (behind == null || source.progress.watermark() < behind.progress.watermark())) {
                behind = source;
            }
        }
        return behind;
    }

    /** Reads the next entry of a partition. Returns the number of groups in it, at least 1; 0 if there is no entry. */
    private int readNext(Source source) {
        byte[] bytes = source.log.get(source.next.get());
        if (bytes == null) {
            return 0;
        }
        lock.lock();
        try {
            Entry entry = Entry.read(bytes);
            int groups = 1;
            for (int i = 0; i < entry.panes(); i++) {
                groups += merge(entry);
            }
            source.next.add(1);
            source.progress = entry.progress().upTo(source.progress.watermark());
            state.change();
            reads.serve();
            return groups;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "Invalid entry " + source.next.get() + " in the log of measure '" + plan.name() + "'.", e);
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
            long late = records(pane);
            counts.late().add(late);
            counts.counted().add(-late);
        } else {
            newest = Math.max(newest, start);
            panes.startingAt(start).merge(pane);
        }
        return 1 + pane.groups().size();
    }

    private long records(Pane pane) {
        long records = 0;
        for (int group = 0; group <= pane.groups().size(); group++) {
            records += pane.groups().figures()[group * pane.groups().width() + countAt];
        }
        return records;
    }

    /** Closes the windows that no partition can add to. */
    private void advance() {
        List<Progress> waited = sources.stream()
                .map(source -> source.progress)
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
        counts.write(out);
        rows.write(out);
        panes.write(out);
        out.writeLong(watermark);
        out.writeLong(newest);
        out.writeInt(sources.size());
        for (Source source : sources) {
            out.writeLong(source.next.get());
            source.progress.write(out);
        }
    }

    private void read(DataInput in) throws IOException {
        counts.read(in);
        rows.read(in);
        panes.read(in);
        watermark = in.readLong();
        newest = in.readLong();
        int size = in.readInt();
        if (size != sources.size()) {
            throw new IllegalStateException("The state of measure '" + plan.name() + "' is of " + size
                    + " partitions, not of " + sources.size() + ". Set partitions: " + size + ".");
        }
        for (Source source : sources) {
            source.next.set(in.readLong());
            source.progress = Progress.read(in);
        }
    }

    private void run(Runnable read) {
        Callable<@Nullable Object> task = () -> {
            read.run();
            return null;
        };
        reads.run(task);
    }

    @Override
    public @Nullable Newest newest() {
        return reads.run(() -> panes.newest() == null ? null : new Newest(newest, newest));
    }

    @Override
    public void copyKeys(Pane copy, int maxGroups) {
        run(() -> copy.addKeys(panes.within(copy.start(), copy.end()), maxGroups));
    }

    @Override
    public void copyValues(Pane copy, boolean others) {
        run(() -> copy.mergeKnown(panes.within(copy.start(), copy.end()), others));
    }
}
