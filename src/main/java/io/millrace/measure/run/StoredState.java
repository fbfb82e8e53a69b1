package io.millrace.measure.run;

import io.millrace.measure.run.StateFile.Body;
import io.millrace.measure.run.StateFile.Sealed;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The state of a measure, stored from time to time, and its outbox, which is part of the state. The outbox is delivered
 * only after a state that contains it has been stored: otherwise a restart could create something else under the same
 * number. Not thread-safe.
 */
final class StoredState {

    /** The minimum interval between states, except for the one at the end of the pipeline. */
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    /** Storing states takes at most one part in this many of the time. */
    private static final int COST_MAX = 20;

    private final StateFile file;
    private final Outbox outbox;
    private final boolean stored;
    private final LongSupplier nanoTime;
    private @Nullable Term term;
    private @Nullable Sealed sealed;
    private boolean changed;
    private long storedPosition;
    private long putNanos;
    private long costNanos;

    /**
     * @param meaning of the state: another one can't be read
     * @param key unique key of the state
     * @param stored whether states are stored at all; otherwise the outbox is delivered at each flush
     * @param nanoTime times how often states are stored, such as {@link System#nanoTime}
     */
    StoredState(String meaning, StateStore store, String key, Outbox outbox, boolean stored, LongSupplier nanoTime) {
        this.file = new StateFile(store, key, fingerprint(meaning));
        this.outbox = outbox;
        this.stored = stored;
        this.nanoTime = nanoTime;
        this.putNanos = nanoTime.getAsLong();
    }

    private static long fingerprint(String meaning) {
        CRC32C crc = new CRC32C();
        crc.update(meaning.getBytes(StandardCharsets.UTF_8));
        return crc.getValue();
    }

    /**
     * Begins a term: loads the state stored last, and delivers what was not delivered of its outbox.
     *
     * @param committed returns the position of a writer in the last commit
     * @param measure reads the state of the measure
     * @return the feed position of the state; 0 if there is none
     */
    long open(Term newTerm, ToLongFunction<String> committed, Body<DataInputStream> measure) {
        term = null;
        sealed = null;
        changed = false;
        outbox.clear();
        boolean[] found = {false};
        storedPosition = stored
                ? file.open(newTerm, in -> {
                    found[0] = true;
                    measure.accept(in);
                    outbox.read(in);
                })
                : 0;
        // Without a state, rows have numbers from 0 again, whatever was committed.
        outbox.open(newTerm, found[0] ? committed : RowWriters.NOT_COMMITTED);
        // Not with the next state: after the end of the feed there may be none.
        outbox.deliver();
        term = newTerm;
        return storedPosition;
    }

    /** Returns the feed position of the state stored last; 0 without a state. */
    long position() {
        return storedPosition;
    }

    /** Marks the state as different from the one stored last. */
    void change() {
        changed = true;
    }

    /** Marks the state as different if it is. */
    void changeIf(boolean different) {
        changed |= different;
    }

    /** Returns whether so many records wait that the caller should flush now. */
    boolean full() {
        return outbox.full();
    }

    /**
     * Stores the state if it is due, and delivers the outbox.
     *
     * @param last whether the state must be stored now
     * @param position feed position of the state
     * @param sealing called before a state is written
     * @param measure writes the state of the measure
     * @throws io.millrace.store.error.StoreException if a write fails; the call can be retried
     */
    void flush(boolean last, long position, Runnable sealing, Body<DataOutputStream> measure) {
        Term current = term;
        if (current == null) {
            throw new IllegalStateException("The measure is not open.");
        }
        if (!stored) {
            outbox.seal();
            outbox.deliver();
            return;
        }
        // A state that could not be stored before does not contain what has been counted and closed since.
        storeSealed(current);
        if (changed && (last || full() || due())) {
            putNanos = nanoTime.getAsLong();
            sealing.run();
            sealed = file.seal(position, out -> {
                measure.accept(out);
                outbox.write(out);
            });
            outbox.seal();
            changed = false;
            storeSealed(current);
        }
    }

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

    private boolean due() {
        return nanoTime.getAsLong() - putNanos >= Math.max(PAUSE_MIN.toNanos(), COST_MAX * costNanos);
    }
}
