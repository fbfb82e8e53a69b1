package io.millrace.measure;

import io.millrace.codec.Counter;

/**
 * What a measure has counted of records, since it began, restarts included. Any thread may read.
 *
 * @param counted records that are in a window
 * @param late records that happened so long before the latest that their windows were closed already
 * @param ahead records that say they will happen later than now: their clock is wrong
 * @param failed records that could not be measured since an expression had no result
 */
public record MeasureCounts(Counter counted, Counter late, Counter ahead, Counter failed) {

    /** All zero. */
    public MeasureCounts() {
        this(new Counter(), new Counter(), new Counter(), new Counter());
    }
}
