package io.millrace.pipeline.shadow;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What rules did with each record of a batch. Not thread-safe. */
final class Decisions {

    static final int DROPPED = -1;
    static final int REJECTED = -2;

    /** The record ended at a step that made others of it. */
    static final int UNNESTED = -3;

    private final Destinations destinations;
    private int[] decisions = new int[0];
    private @Nullable RejectReason[] reasons = new RejectReason[0];

    /** @param destinations of the records */
    Decisions(Destinations destinations) {
        this.destinations = destinations;
    }

    /** Begins another batch, whose records are dropped unless they reach a target or are rejected. */
    void begin(int records) {
        if (decisions.length < records) {
            decisions = new int[records];
            reasons = new RejectReason[records];
        }
        Arrays.fill(decisions, 0, records, DROPPED);
    }

    /** Adds that the selected records of a batch have reached a target. */
    void reach(RecordBatch batch, int target) {
        int[] selection = batch.selection();
        for (int i = 0; i < batch.selected(); i++) {
            decisions[selection[i]] = destinations.with(decisions[selection[i]], target);
        }
    }

    /** Adds that a record was rejected. */
    void reject(int ordinal, RejectReason reason) {
        decisions[ordinal] = REJECTED;
        reasons[ordinal] = reason;
    }

    /** Adds that other records were made of a record. */
    void unnest(int ordinal) {
        decisions[ordinal] = UNNESTED;
    }

    /**
     * Returns the number of the {@linkplain Destinations set of targets} that a record reached, {@link #DROPPED},
     * {@link #REJECTED} or {@link #UNNESTED}.
     */
    int of(int ordinal) {
        return decisions[ordinal];
    }

    /**
     * Returns the first record from an ordinal on for which other decisions differ, or the number of records if none
     * does.
     */
    int mismatch(Decisions other, int from, int records) {
        int at = Arrays.mismatch(decisions, from, records, other.decisions, from, records);
        return at < 0 ? records : from + at;
    }

    /** Returns why a record was rejected. */
    RejectReason reason(int ordinal) {
        RejectReason reason = reasons[ordinal];
        if (reason == null) {
            throw new IllegalStateException("Record " + ordinal + " was not rejected.");
        }
        return reason;
    }
}
