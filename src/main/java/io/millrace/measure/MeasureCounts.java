package io.millrace.measure;

import io.millrace.codec.Counter;

/**
 * The record counters of a measure since it was created, across restarts. Any thread may read them.
 *
 * @param counted records that are part of a window
 * @param late records whose windows were already closed
 * @param ahead records whose event time is too far ahead of this process's clock
 * @param failed records that could not be measured because an expression had no result
 */
public record MeasureCounts(Counter counted, Counter late, Counter ahead, Counter failed) {

    /** Creates counters that are all zero. */
    public MeasureCounts() {
        this(new Counter(), new Counter(), new Counter(), new Counter());
    }
}
