package io.millrace.pipeline;

/**
 * Checks that a pipeline accounts for every record. A received record that is not kept, dropped, rejected or superseded
 * is in the current batch or in a block that is not stored yet. Both have counters of their own, neither of which
 * contains a record that a step lost.
 */
public final class Conservation {

    /**
     * Attempts before the counters count as inconsistent. They are read one by one while records pass, so a single
     * attempt can fail without a lost record; with a lost record all attempts fail.
     */
    private static final int ATTEMPTS = 5;

    private Conservation() {}

    /** Returns whether every record is accounted for. Does not block; any thread may call it. */
    public static boolean holds(Pipeline pipeline) {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (balances(pipeline)) {
                return true;
            }
        }
        return false;
    }

    private static boolean balances(Pipeline pipeline) {
        long inFlight = PipelineStatus.of(pipeline).inFlight();
        long pending = pipeline.writers().values().stream()
                .mapToLong(writer -> writer.pending().get())
                .sum();
        return inFlight >= 0 && inFlight <= pending + pipeline.atWork();
    }
}
