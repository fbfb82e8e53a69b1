package io.millrace.measure.run;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.plan.MeasurePlan;
import io.millrace.measure.run.PaneBundle.Follows;
import io.millrace.measure.run.PaneBundle.Progress;
import io.millrace.measure.window.Measure;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs a measure for one partition of a pipeline. Even if the process is killed, it counts each record once and stores
 * each row and alert once.
 *
 * <p>The processor stores the measure's state in a {@link StateStore} from time to time, together with the feed
 * position up to which records are counted. After a restart, the feed starts at that position or earlier, and the
 * processor skips the records before it. What it creates is part of the state until it is stored elsewhere, which
 * happens only after a state that contains it has been stored. Therefore a region never contains a row that a restart
 * could compute again with a different result.
 *
 * <p>The processor of a pipeline with one partition creates rows and alerts. If the store does not outlast the process,
 * it stores no state. Of a pipeline with several partitions, it creates entries of a {@link PaneLog}, from which the
 * {@link MeasureMerge} of the first partition makes rows and alerts.
 *
 * <p>Not thread-safe, except for {@link #measure()} and {@link #listen}: it belongs to the thread that processes the
 * partition.
 */
public final class MeasureProcessor {

    private final Measure measure;
    private final StoredState state;
    private final Outbox outbox;
    private final Publisher publisher;
    private final @Nullable PaneBundle bundle;
    private final @Nullable MeasureMerge merge;
    private final long idleTimeoutNanos;
    private long countedBefore;
    private long processedPosition;
    private boolean partial;
    private Progress progress = Progress.NONE;
    private long idleNanos;

    /**
     * Creates the processor of a pipeline with one partition, to be opened with {@link #open}.
     *
     * @param key unique key of the state: identifies the measure and the partition
     * @param writers writers of rows and alerts
     * @param clock provides the processing time of records
     * @param nanoTime times how often states are stored, such as {@link System#nanoTime}
     */
    public MeasureProcessor(
            MeasurePlan plan,
            StateStore store,
            String key,
            RowWriters writers,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.outbox = Outbox.of(plan, writers);
        this.publisher = new Publisher(this::plan, outbox);
        this.measure = new Measure(plan, clock, publisher::add);
        this.state = new StoredState(plan.meaning(), store, key, outbox, store.lasting(), nanoTime);
        this.bundle = null;
        this.merge = null;
        this.idleTimeoutNanos = idleTimeout(plan);
    }

    private MeasureProcessor(
            MeasurePlan plan,
            StateStore store,
            String key,
            InstantSource clock,
            LongSupplier nanoTime,
            @Nullable MeasureMerge merge) {
        this.outbox = new Outbox(List.of(new PaneLog(store, key)));
        this.publisher = new Publisher(this::plan, outbox);
        PaneBundle closed = new PaneBundle();
        this.measure = new Measure(plan, clock, closed);
        this.state = new StoredState(plan.meaning() + " panes", store, key, outbox, true, nanoTime);
        this.bundle = closed;
        this.merge = merge;
        this.idleTimeoutNanos = idleTimeout(plan);
    }

    /**
     * Returns the processor of a pipeline with one partition, or of the first one of several, which also makes the rows
     * and alerts of all of them.
     *
     * @param keys unique keys of the states, by partition
     * @param writers writers of rows and alerts
     */
    public static MeasureProcessor first(
            MeasurePlan plan,
            StateStore store,
            List<String> keys,
            RowWriters writers,
            InstantSource clock,
            LongSupplier nanoTime) {
        String key = keys.getFirst();
        if (keys.size() == 1) {
            return new MeasureProcessor(plan, store, key, writers, clock, nanoTime);
        }
        MeasureMerge merge = new MeasureMerge(
                plan,
                store,
                key + "/rows",
                keys.stream().map(one -> new PaneLog(store, one)).toList(),
                Outbox.of(plan, writers),
                nanoTime);
        return new MeasureProcessor(plan, store, key, clock, nanoTime, merge);
    }

    /** Returns the processor of one of several partitions, which is not the first. */
    public static MeasureProcessor other(
            MeasurePlan plan, StateStore store, String key, InstantSource clock, LongSupplier nanoTime) {
        return new MeasureProcessor(plan, store, key, clock, nanoTime, null);
    }

    /**
     * Returns a processor that counts all records, and stores nothing. It needs no {@link #open} and no {@link #flush}.
     */
    public static MeasureProcessor withoutStore(MeasurePlan plan, InstantSource clock) {
        return new MeasureProcessor(plan, new NoStates(), plan.name(), RowWriters.NONE, clock, System::nanoTime);
    }

    private static long idleTimeout(MeasurePlan plan) {
        Duration timeout = plan.definition().idleTimeout();
        return timeout == null ? Long.MAX_VALUE : timeout.toNanos();
    }

    private MeasurePlan plan() {
        return measure.plan();
    }

    /** Returns the measure. Any thread may call it. */
    public Measure measure() {
        return measure;
    }

    /** Returns what makes rows of the panes of all partitions; null if there is only one, or this is not the first. */
    @Nullable
    MeasureMerge merge() {
        return merge;
    }

    /** Returns the number of entries that it has added to the log of closed panes. Any thread may call it. */
    long entries() {
        return bundle == null ? 0 : bundle.entries().get();
    }

    /**
     * Measures the following batches by another plan, without losing what is counted.
     *
     * @param plan a plan without {@linkplain MeasurePlan#differences differences} to the current one
     */
    public void use(MeasurePlan plan) {
        measure.use(plan);
        if (merge != null) {
            merge.use(plan);
        }
    }

    /** Adds a listener, which is called on the thread that processes records. Any thread may call this method. */
    public void listen(MeasureListener listener) {
        if (merge == null) {
            publisher.listen(listener);
        } else {
            merge.listen(listener);
        }
    }

    /**
     * Begins a term: discards everything in memory, loads the state stored last, and writes what it has created and not
     * stored elsewhere yet.
     *
     * @param term the term under which everything is written until the next call
     * @param committed returns the position of a writer of rows or alerts in the last commit, 0 if it has none
     * @throws io.millrace.store.error.StoreException if the store does not respond; the call can be retried
     * @throws IllegalStateException if the state is damaged or belongs to another definition
     */
    public void open(Term term, ToLongFunction<String> committed) {
        discard();
        partial = false;
        state.open(term, committed, measure::read);
        if (bundle != null) {
            progress = bundle.sent();
            if (progress.follows() == Follows.IDLE) {
                // The feed may have got records since.
                expectRecords();
            }
        }
        if (merge != null) {
            merge.open(term, committed);
        }
        countedBefore = state.position();
        processedPosition = state.position();
    }

    /** Adds the positions up to which outputs contain rows and alerts, by the names of their writers. */
    public void addPositions(Map<String, Long> positions) {
        outbox.addPositions(positions);
        if (merge != null) {
            merge.addPositions(positions);
        }
    }

    /** Ends a term. The open windows of a single partition stay visible until the next one. */
    public void close() {
        if (bundle != null) {
            measure.clear();
        }
        if (merge != null) {
            merge.close();
        }
        outbox.close();
    }

    /** Returns the feed position up to which, exclusive, the state stored last counts records; 0 without a state. */
    public long covered() {
        return state.position();
    }

    /**
     * Counts the selected records of a batch, without changing the batch. Skips records that the state already counts.
     */
    public void take(RecordBatch batch) {
        int first = 0;
        if (batch.from() != RecordBatch.NO_POSITION && batch.from() < countedBefore) {
            while (first < batch.selected() && batch.positionAfter(batch.selection()[first]) <= countedBefore) {
                first++;
            }
        }
        if (first == batch.selected()) {
            return;
        }
        idleNanos = 0;
        expectRecords();
        // A batch that was counted only in part must never become part of a stored state.
        partial = true;
        measure.take(batch, first);
        partial = false;
        processedPosition = Math.max(processedPosition, batch.to());
        state.change();
        publisher.publish();
    }

    private void expectRecords() {
        if (progress.follows() != Follows.RECORDS) {
            progress = new Progress(progress.watermark(), Follows.RECORDS, 0);
        }
    }

    /**
     * Advances the position: all records before it have been processed, including those that did not reach the measure.
     */
    public void advance(long position) {
        if (position > processedPosition) {
            processedPosition = position;
            state.change();
        }
    }

    /** Returns whether so many rows wait that the caller should {@linkplain #flush flush} now. */
    public boolean full() {
        return state.full() || (bundle != null && bundle.full());
    }

    /** Returns the number of groups of all open windows, with one for each window, which is a measure of its memory. */
    public long openGroups() {
        return measure.openGroups();
    }

    /** Discards all open windows and raised alerts. */
    public void discard() {
        measure.clear();
        publisher.clear();
    }

    /**
     * Closes the open windows of event time, because no further records are expected for them.
     *
     * @param extent position at which the feed ends with all its splits, 0 if unknown
     */
    public void end(long extent) {
        end(Follows.NOTHING, extent);
    }

    private void end(Follows follows, long extent) {
        if (bundle == null) {
            measure.end();
            state.changeIf(publisher.publish());
        } else {
            pause(follows, extent);
        }
    }

    /**
     * Notes that no records follow for now. Further ones are not late. Has no effect if none were expected already.
     *
     * @param extent position at which the feed ends with all its splits
     */
    public void pause(long extent) {
        if (progress.follows() == Follows.RECORDS || progress.follows() == Follows.NOTHING_NOW) {
            pause(Follows.NOTHING_NOW, extent);
        }
    }

    /** Lets the windows of all partitions close. Windows of the clock's time close by themselves. */
    private void pause(Follows follows, long extent) {
        if (bundle != null && plan().time() != null) {
            measure.drain();
            progress = new Progress(progress.watermark(), follows, extent);
        }
    }

    /** Returns whether the measure has an idle timeout. */
    public boolean hasIdleTimeout() {
        return idleTimeoutNanos < Long.MAX_VALUE;
    }

    /**
     * Closes the open windows of event time if no records have arrived for the measure's idle timeout.
     *
     * @param nanos for how long the pipeline has waited for records since the last call or the last batch;
     *     {@link Long#MAX_VALUE} if there can be none, which closes them without an idle timeout too
     */
    public void idle(long nanos) {
        idleNanos = nanos == Long.MAX_VALUE ? nanos : idleNanos + nanos;
        if (idleNanos >= idleTimeoutNanos) {
            idleNanos = 0;
            end(Follows.IDLE, 0);
        }
    }

    /**
     * Closes the windows whose time is over, stores the state if it is due, and writes rows to their regions.
     *
     * @param last whether the pipeline ends, so that the state must be stored now
     * @throws io.millrace.store.error.StoreException if a write fails; the call can be retried
     */
    public void flush(boolean last) {
        if (partial) {
            return;
        }
        measure.checkClock();
        state.changeIf(publisher.publish());
        PaneBundle closed = bundle;
        if (closed == null) {
            state.flush(last, processedPosition, () -> {}, measure::write);
            return;
        }
        progress = progress.upTo(measure.closedPanes());
        state.changeIf(closed.isDue(progress));
        state.flush(last || closed.full(), processedPosition, () -> closed.seal(progress, outbox), measure::write);
        if (merge != null) {
            merge.flush(last);
        }
    }

    /** Ends the blocks to which later rows and alerts would be added. Everything must be flushed. */
    public void endBlocks() {
        outbox.endBlocks();
        if (merge != null) {
            merge.endBlocks();
        }
    }
}
