package io.millrace.pipeline.shadow;

import java.util.function.IntSupplier;

/**
 * Limits the time that a shadow takes from the lanes of its pipeline to half of their time together, on average. A
 * shadow may take more for a moment if it has taken less before. All times are in nanoseconds. Thread-safe.
 */
final class ShadowBudget {

    /** The shadow's part of the time is one in this many. */
    private static final int SHARE = 2;

    /** Time that a shadow can save up. */
    private static final long SAVED_NANOS_MAX = 500_000_000;

    /** Time for a batch, after which a shadow ends: the next one could take just as long. */
    private static final long BATCH_NANOS_MAX = 2_000_000_000;

    /** Time that the shadow may take now; below 0 if it has taken too much. */
    private long saved = SAVED_NANOS_MAX;

    private final IntSupplier lanes;
    private long last;

    /**
     * @param now the start
     * @param lanes returns the number of lanes that process records
     */
    ShadowBudget(long now, IntSupplier lanes) {
        last = now;
        this.lanes = lanes;
    }

    /** Returns whether the shadow may run on another batch. */
    synchronized boolean allows(long now) {
        // Lanes may arrive in another order than they have read the time.
        long passed = Math.max(0, now - last);
        saved = Math.min(SAVED_NANOS_MAX, saved + passed * lanes.getAsInt() / SHARE);
        last += passed;
        return saved > 0;
    }

    /** Adds what the shadow has taken. */
    synchronized void spend(long nanos) {
        saved -= nanos;
    }

    /** Returns whether the time for one batch is so long that the shadow must end. */
    static boolean exceededBy(long nanos) {
        return nanos > BATCH_NANOS_MAX;
    }
}
