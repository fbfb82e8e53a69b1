package io.millrace.measure;

import io.millrace.codec.RecordBatch;
import io.millrace.measure.Outbox.Destination;
import io.millrace.measure.StateFile.Sealed;
import io.millrace.store.RegionWriter;
import io.millrace.store.StateStore;
import io.millrace.store.Term;
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
 * Runs a measure for one partition of a pipeline such that each record is counted once, whatever is killed, and its
 * windows and alerts are in their regions once.
 *
 * <p>The measure's state is put into a {@link StateStore} together with the position in the feed up to which records
 * are counted, from time to time. After a restart the feed begins there or earlier, and what lies before is skipped.
 * Rows and alerts are part of the state until they are in their regions, and come there only once a state holds them:
 * so no region ever has a row that a restart would make anew, perhaps otherwise. Where nothing outlasts the process, no
 * state is put.
 *
 * <p>Not thread-safe, but for {@link #measure()} and {@link #listen}: it belongs to the thread that works the
 * partition.
 */
public final class MeasureProcessor {

    /** A state is put no more often than this, but when the pipeline ends. */
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    /** Putting states takes no more than one part in so many of the time. */
    private static final int COST_MAX = 20;

    /** So many rows may wait for a state. */
    private static final int WAITING_ROWS_MAX = 100_000;

    /** What its windows are called among what it sends: no alert has such a name. */
    private static final String ROWS = "";

    private final Measure measure;
    private final StateStore store;
    private final StateFile file;
    private final Outbox outbox;
    private final List<MeasureListener> listeners = new CopyOnWriteArrayList<>();
    private final List<Measure.Closed> closed = new ArrayList<>();
    private long countedBefore;
    private long reached;
    private long covered;
    private boolean changed;
    private boolean broken;
    private @Nullable Term term;
    private @Nullable Sealed sealed;
    private final LongSupplier nanoTime;
    private long putNanos;
    private long costNanos;

    /**
     * A measure that is not open yet.
     *
     * @param key unique among states: of the measure and the partition
     * @param rows where windows are kept, null for nowhere
     * @param alerts for each alert of the measure where it is kept, null for nowhere
     * @param clock the time at which records are taken
     * @param nanoTime measures how often states are put, as {@link System#nanoTime}
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

    private static long fingerprint(String meaning) {
        CRC32C crc = new CRC32C();
        crc.update(meaning.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /** The measure; any thread may look. */
    public Measure measure() {
        return measure;
    }

    /** Has somebody told of windows and alerts from now on, in the thread that takes records; any thread may call. */
    public void listen(MeasureListener listener) {
        listeners.add(listener);
    }

    /**
     * Begins a term with the state last put; what came since is forgotten. Rows and alerts of that state that did not
     * reach their regions are brought there.
     *
     * @param begun under which everything is written until the next one begins
     * @throws io.millrace.store.StoreException where the store does not answer: call again
     * @throws IllegalStateException where the state is damaged, or of another definition
     */
    public void open(Term begun) {
        term = null;
        measure.clear();
        closed.clear();
        sealed = null;
        changed = false;
        broken = false;
        outbox.open(begun);
        covered = store.lasting()
                ? file.open(begun, in -> {
                    measure.read(in);
                    outbox.read(in);
                })
                : 0;
        // Now, not with the next state: a feed that has ended will change nothing.
        outbox.deliver();
        countedBefore = covered;
        reached = covered;
        term = begun;
    }

    /** Position up to which, exclusive, records are counted in the state last put; 0 where there is none. */
    public long covered() {
        return covered;
    }

    /** Takes the selected records of a batch, which stays as it is; those that are counted already are skipped. */
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
        // What is taken in part only must never be put as a state.
        broken = true;
        measure.take(batch, first);
        broken = false;
        reached = Math.max(reached, batch.to());
        changed = true;
        publish();
    }

    /** Tells that all records before a position have come, also those that never reached the measure. */
    public void coverUpTo(long position) {
        if (position > reached) {
            reached = position;
            changed = true;
        }
    }

    /** Whether so many rows wait that they should be {@linkplain #flush put} now. */
    public boolean full() {
        return outbox.records() > WAITING_ROWS_MAX;
    }

    /** Closes what is open, since no record will come any more by the feed. */
    public void end() {
        measure.end();
        publish();
    }

    /** Tells listeners outside of the measure's lock. */
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
     * Closes windows whose time is over, puts the state if it is time for that, and brings rows to their regions.
     *
     * @param last whether the state has to be put, since the pipeline ends
     * @throws io.millrace.store.StoreException where a put fails: call again
     */
    public void flush(boolean last) {
        if (broken) {
            return;
        }
        Term current = term;
        if (current == null) {
            throw new IllegalStateException("the measure is not open");
        }
        measure.lookAtTheClock();
        publish();
        if (!store.lasting()) {
            outbox.deliver();
            return;
        }
        if (sealed == null && changed && (last || full() || due())) {
            putNanos = nanoTime.getAsLong();
            sealed = file.seal(reached, out -> {
                measure.write(out);
                outbox.write(out);
            });
            changed = false;
        }
        Sealed state = sealed;
        if (state != null) {
            file.put(state, current);
            covered = state.position();
            costNanos = nanoTime.getAsLong() - putNanos;
            outbox.deliver();
            sealed = null;
        }
    }

    private boolean due() {
        return nanoTime.getAsLong() - putNanos >= Math.max(PAUSE_MIN.toNanos(), COST_MAX * costNanos);
    }
}
