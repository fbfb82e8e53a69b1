package io.millrace.pipeline.step;

import io.millrace.codec.Counter;

/**
 * The counters of a step since its creation. Written by the pipeline's thread; any thread may read them.
 *
 * @param name name of the step
 * @param kind kind of the step in the configuration
 * @param in records received
 * @param out records passed on
 * @param nanos time spent in the step itself, in nanoseconds
 */
public record StepCounters(String name, String kind, Counter in, Counter out, Counter nanos) {

    /** Returns the mean time per record in this step in nanoseconds, or 0 before the first record. */
    public double nanosPerRecord() {
        long records = in.get();
        return records == 0 ? 0 : (double) nanos.get() / records;
    }
}
