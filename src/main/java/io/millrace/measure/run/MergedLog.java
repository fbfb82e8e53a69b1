package io.millrace.measure.run;

import io.millrace.codec.Counter;
import io.millrace.measure.run.PaneBundle.Entry;
import io.millrace.measure.run.PaneBundle.Follows;
import io.millrace.measure.run.PaneBundle.Progress;
import io.millrace.store.write.Term;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The log of one partition, as far as it is merged: which entries were read, which of them are part of the stored
 * state, and which were removed. Not thread-safe, except for {@link #stored}.
 *
 * <p>An entry is removed after a state has been stored that contains it and the next one: until the next one exists, a
 * restart of the partition puts the entry again.
 */
final class MergedLog {

    private final PaneLog log;
    /** Number of the next entry to be read. */
    private long next;
    /** Numbers below are part of the state that is being stored. */
    private long sealed;
    /** Numbers below are part of the state that is stored, and of its rows. */
    private final Counter stored = new Counter();

    /** Numbers below are removed. */
    private long removed;

    private Progress progress = Progress.NONE;
    /** Whether it is known that there is no next entry yet. */
    private boolean readAll;

    MergedLog(PaneLog log) {
        this.log = log;
    }

    /** Returns the progress in the last entry that was read. */
    Progress progress() {
        return progress;
    }

    boolean expectsRecords() {
        return progress.follows() == Follows.RECORDS;
    }

    /** Returns whether no records follow by the last entry, but entries behind it may say otherwise. */
    boolean mayExpectRecords() {
        return !expectsRecords() && !readAll;
    }

    /** Returns the number of entries whose rows are stored. Any thread may call it. */
    long stored() {
        return stored.get();
    }

    void clear() {
        next = 0;
        sealed = 0;
        stored.set(0);
        removed = 0;
        progress = Progress.NONE;
        readAll = false;
    }

    /** Notes that the partition may have put entries since they were read. */
    void expectMore() {
        readAll = false;
    }

    /** Begins a term, after {@link #read}, and removes what the last one has left. */
    void open(Term term) {
        log.open(term, RowWriters.NOT_COMMITTED);
        sealed = next;
        removed = next;
        while (removed > 0 && log.contains(removed - 1)) {
            removed--;
        }
        removeStored();
    }

    /** Returns the next entry, which is to be {@linkplain #advance merged}; null if it does not exist yet. */
    @Nullable
    Entry peek() throws IOException {
        byte[] entry = log.get(next);
        readAll = entry == null;
        return entry == null ? null : Entry.read(entry);
    }

    /** Marks the next entry as merged. */
    void advance(Entry entry) {
        next++;
        readAll = false;
        progress = entry.progress().upTo(progress.watermark());
    }

    /** Marks everything that was merged as part of the state that is being stored. */
    void seal() {
        sealed = next;
    }

    /** Removes what is not needed after the {@linkplain #seal sealed} state was stored. */
    void removeStored() {
        stored.set(sealed);
        for (; removed < sealed - 1; removed++) {
            log.remove(removed);
        }
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(next);
        progress.write(out);
    }

    /** Restores what {@link #write} wrote. */
    void read(DataInput in) throws IOException {
        next = in.readLong();
        progress = Progress.read(in);
    }
}
