package io.millrace.measure;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.Outbox.Destination;
import io.millrace.measure.StateFile.Sealed;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Runs a measure for one partition of a pipeline. Even if the process is killed, it counts each record once and stores
 * each row and alert once.
 *
 * <p>The processor stores the measure's state in a {@link StateStore} from time to time, together with the feed
 * position up to which records are counted. After a restart, the feed starts at that position or earlier, and the
 * processor skips the records before it. Rows and alerts are part of the state until they are in their regions, and are
 * written to the regions only after a state that contains them has been stored. Therefore a region never contains a row
 * that a restart could compute again with a different result. If the store does not outlast the process, no state is
 * stored.
 *
 * <p>Not thread-safe, except for {@link #measure()} and {@link #listen}: it belongs to the thread that processes the
 * partition.
 */
public final class MeasureProcessor {

    /** The minimum interval between states, except for the one at the end of the pipeline. */
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    /** Storing states takes at most one part in this many of the time. */
    private static final int COST_MAX = 20;

    /** The number of rows that may wait for the next state. */
    private static final int WAITING_ROWS_MAX = 100_000;

    /** The name of the measure's rows in the outbox. No alert has this name. */
    private static final String ROWS = "";

    private final Measure measure;
    private final StateStore store;
    private final StateFile file;
    private final Outbox outbox;
    private final List<MeasureListener> listeners = new CopyOnWriteArrayList<>();
    private final List<Measure.Closed> closed = new ArrayList<>();
    private long countedBefore;
    private long processedPosition;
    private long storedPosition;
    private boolean changed;
    private boolean partial;
    private @Nullable Term term;
    private @Nullable Sealed sealed;
    private final LongSupplier nanoTime;
    private long putNanos;
    private long costNanos;
    private final long idleTimeoutNanos;
    private long idleNanos;

    /**
     * Creates a processor, to be opened with {@link #open}.
     *
     * @param key unique key of the state: identifies the measure and the partition
     * @param rows writer of the region that stores rows, or null for none
     * @param alerts for each alert of the measure, the writer of the region that stores its events, or null for none
     * @param clock provides the processing time of records
     * @param nanoTime times how often states are stored, such as {@link System#nanoTime}
     */
    public MeasureProcessor(
            MeasurePlan plan,
            StateStore store,
            String key,
            @Nullable RegionWriter rows,
            List<@Nullable RegionWriter> alerts,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.measure = new Measure(plan, clock, closed::add);
        this.store = store;
        Duration idleTimeout = plan.definition().idleTimeout();
        this.idleTimeoutNanos = idleTimeout == null ? Long.MAX_VALUE : idleTimeout.toNanos();
        this.nanoTime = nanoTime;
        this.putNanos = nanoTime.getAsLong();
        this.file = new StateFile(store, key, fingerprint(plan.meaning()));
        List<Destination> destinations = new ArrayList<>();
        if (rows != null) {
            destinations.add(new Destination(ROWS, rows, plan.rowSchema()));
        }
        for (int i = 0; i < alerts.size(); i++) {
            RegionWriter writer = alerts.get(i);
            AlertPlan alert = plan.alerts().get(i);
            if (writer != null) {
                destinations.add(new Destination(alert.name(), writer, alert.schema()));
            }
        }
        this.outbox = new Outbox(destinations);
    }

    /**
     * Returns a processor that counts all records, and stores nothing. It needs no {@link #open} and no {@link #flush}.
     */
    public static MeasureProcessor withoutStore(MeasurePlan plan, InstantSource clock) {
        return new MeasureProcessor(plan, new NoStates(), plan.name(), null, List.of(), clock, System::nanoTime);
    }

    /** A store without states. */
    private static final class NoStates implements StateStore {

        @Override
        public byte @Nullable [] get(String key) {
            return null;
        }

        @Override
        public void put(String key, byte[] value, Term term) {
            throw new IllegalStateException("States are not stored.");
        }

        @Override
        public boolean lasting() {
            return false;
        }
    }

    private static long fingerprint(String meaning) {
        CRC32C crc = new CRC32C();
        crc.update(meaning.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /** Returns the measure. Any thread may call it. */
    public Measure measure() {
        return measure;
    }

    /**
     * Measures the following batches by another plan, without losing what is counted.
     *
     * @param plan a plan without {@linkplain MeasurePlan#differences differences} to the current one
     */
    public void use(MeasurePlan plan) {
        measure.use(plan);
    }

    /** Adds a listener, which is called on the thread that processes records. Any thread may call this method. */
    public void listen(MeasureListener listener) {
        listeners.add(listener);
    }

    /**
     * Begins a term: discards everything in memory, loads the state stored last, and writes those of its rows and
     * alerts that are not in their regions yet.
     *
     * @param newTerm the term under which everything is written until the next call
     * @throws io.millrace.store.error.StoreException if the store does not respond; the call can be retried
     * @throws IllegalStateException if the state is damaged or belongs to another definition
     */
    public void open(Term newTerm) {
        term = null;
        measure.clear();
        closed.clear();
        sealed = null;
        changed = false;
        partial = false;
        outbox.open(newTerm);
        storedPosition = store.lasting()
                ? file.open(newTerm, in -> {
                    measure.read(in);
                    outbox.read(in);
                })
                : 0;
        // Not with the next state: after the end of the feed there may be none.
        outbox.deliver();
        countedBefore = storedPosition;
        processedPosition = storedPosition;
        term = newTerm;
    }

    /** Returns the feed position up to which, exclusive, the state stored last counts records; 0 without a state. */
    public long covered() {
        return storedPosition;
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
        // A batch that was counted only in part must never become part of a stored state.
        partial = true;
        measure.take(batch, first);
        partial = false;
        processedPosition = Math.max(processedPosition, batch.to());
        changed = true;
        publish();
    }

    /**
     * Advances the position: all records before it have been processed, including those that did not reach the measure.
     */
    public void coverUpTo(long position) {
        if (position > processedPosition) {
            processedPosition = position;
            changed = true;
        }
    }

    /** Returns whether so many rows wait that the caller should {@linkplain #flush flush} now. */
    public boolean full() {
        return outbox.records() > WAITING_ROWS_MAX;
    }

    /** Returns the number of groups of all open windows, with one for each window, which is a measure of its memory. */
    public long openGroups() {
        return measure.openGroups();
    }

    /** Discards all open windows and raised alerts. */
    public void discard() {
        measure.clear();
        closed.clear();
    }

    /** Closes the open windows of event time, because no further records are expected for them. */
    public void end() {
        measure.end();
        publish();
    }

    /**
     * Closes the open windows of event time if no records have arrived for the measure's idle timeout.
     *
     * @param nanos for how long the pipeline has waited for records since the last call or the last batch
     */
    public void idle(long nanos) {
        idleNanos += nanos;
        if (idleNanos >= idleTimeoutNanos) {
            idleNanos = 0;
            end();
        }
    }

    /** Adds closed windows to the outbox and notifies listeners, outside the measure's lock. */
    private void publish() {
        for (Measure.Closed one : closed) {
            changed = true;
            Window window = one.window();
            outbox.add(ROWS, window.firstRow(), window.count(), window.rows());
            listeners.forEach(listener -> listener.closed(measure, window));
            one.changes().forEach(this::publish);
        }
        closed.clear();
    }

    private void publish(AlertWatch.Changes changes) {
        long number = changes.first();
        for (byte[] record : changes.records()) {
            outbox.add(changes.alert().name(), number++, 1, record);
            AlertEvent event = changes.alert().event(measure.plan().name(), record);
            listeners.forEach(listener -> listener.alert(event));
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
        Term current = term;
        if (current == null) {
            throw new IllegalStateException("The measure is not open.");
        }
        measure.lookAtTheClock();
        publish();
        if (!store.lasting()) {
            outbox.seal();
            outbox.deliver();
            return;
        }
        // A state that could not be stored before does not contain what has been counted and closed since.
        storeSealed(current);
        if (changed && (last || full() || due())) {
            putNanos = nanoTime.getAsLong();
            sealed = file.seal(processedPosition, out -> {
                measure.write(out);
                outbox.write(out);
            });
            outbox.seal();
            changed = false;
            storeSealed(current);
        }
    }

    /** Stores the sealed state, if there is one, and then writes the rows that it contains to their regions. */
    private void storeSealed(Term current) {
        Sealed state = sealed;
        if (state != null) {
            file.put(state, current);
            storedPosition = state.position();
            costNanos = nanoTime.getAsLong() - putNanos;
            outbox.deliver();
            sealed = null;
        }
    }

    /** Ends the blocks to which later rows and alerts would be added. Everything must be flushed. */
    public void endBlocks() {
        outbox.endBlocks();
    }

    private boolean due() {
        return nanoTime.getAsLong() - putNanos >= Math.max(PAUSE_MIN.toNanos(), COST_MAX * costNanos);
    }
}
