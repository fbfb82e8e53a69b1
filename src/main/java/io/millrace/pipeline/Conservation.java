package io.millrace.pipeline;

/**
 * Compares a pipeline's counters: a record that came in and is neither kept, dropped, rejected nor superseded is in the
 * current batch or in a block that is not stored yet, which have counters of their own. A record that a step lost would
 * be in neither.
 */
public final class Conservation {

    /** Counters are read one by one while records pass, so a look may find them apart; a lost record is lost in all. */
    private static final int LOOKS = 5;

    private Conservation() {}

    /** Whether every record is accounted for. Any thread may ask; waits for nothing. */
    public static boolean holds(Pipeline pipeline) {
        for (int i = 0; i < LOOKS; i++) {
            if (look(pipeline)) {
                return true;
            }
        }
        return false;
    }

    private static boolean look(Pipeline pipeline) {
        PipelineParts parts = pipeline.parts();
        long inFlight = PipelineStatus.of(pipeline).inFlight();
        long pending = parts.writers().values().stream()
                .mapToLong(writer -> writer.counters().pending().get())
                .sum();
        return inFlight >= 0 && inFlight <= pending + parts.entry().atWork().get();
    }
}
