package io.millrace.pipeline.monitor;

/**
 * The window of records for which a share is evaluated: the first {@value #RECORDS} records, then at least as many and
 * one second, or fewer if records are slow. Not thread-safe.
 */
final class EvaluationWindow {

    static final int RECORDS = 1000;

    /** Fewer records, such as those that a restart finds at the end of a file, are not representative. */
    static final int MIN_RECORDS = 10;

    /** The time after which the window of slow records is evaluated, in nanoseconds. */
    private static final long SLOW_NANOS = 10_000_000_000L;

    private static final long MIN_NANOS = 1_000_000_000L;

    private long startNanos = System.nanoTime();
    private boolean first = true;

    /** Returns whether the window is complete, with so many records since its start. */
    boolean complete(long records) {
        if (records < MIN_RECORDS) {
            return false;
        }
        long nanos = System.nanoTime() - startNanos;
        return nanos >= SLOW_NANOS || (records >= RECORDS && (first || nanos >= MIN_NANOS));
    }

    /** Begins the next window. */
    void next() {
        startNanos = System.nanoTime();
        first = false;
    }
}
