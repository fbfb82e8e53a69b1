package io.millrace.pipeline.step;

import io.millrace.codec.Counter;

/**
 * What a step has done since it was made. Written by the pipeline's thread, read by any.
 *
 * @param name of the step
 * @param kind the word that configuration has for it
 * @param in records that came to it
 * @param out records that it let through
 * @param nanos time in the step itself, in nanoseconds
 */
public record StepCounters(String name, String kind, Counter in, Counter out, Counter nanos) {

    /** Mean time that a record took in this step, in nanoseconds; 0 before the first record. */
    public double nanosPerRecord() {
        long records = in.get();
        return records == 0 ? 0 : (double) nanos.get() / records;
    }
}
