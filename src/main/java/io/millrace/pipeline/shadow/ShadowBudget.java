package io.millrace.pipeline.shadow;

/**
 * Limits the time that a shadow takes from its pipeline's thread to half of it, on average. A shadow may take more for
 * a moment if it has taken less before. All times are in nanoseconds. Not thread-safe.
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

    private long last;

    /** @param now the start */
    ShadowBudget(long now) {
        last = now;
    }

    /** Returns whether the shadow may run on another batch. */
    boolean allows(long now) {
        saved = Math.min(SAVED_NANOS_MAX, saved + (now - last) / SHARE);
        last = now;
        return saved > 0;
    }

    /** Adds what the shadow has taken. */
    void spend(long nanos) {
        saved -= nanos;
    }

    /** Returns whether the time for one batch is so long that the shadow must end. */
    static boolean exceededBy(long nanos) {
        return nanos > BATCH_NANOS_MAX;
    }
}
