package io.millrace.store;

import io.millrace.codec.Counter;

/**
 * What a writer has done since it was opened. Any thread may read.
 *
 * @param kept records that the region holds, or that have removed an entry: raised only after their put or removal
 *     returned, or once a record offered turned out to be stored already
 * @param alreadyStored of those, the ones that were stored before the writer was opened
 * @param pending records taken that the region does not hold yet
 * @param bytes length of all values put
 * @param puts how many values were put
 * @param putNanos time spent in puts and removals, in nanoseconds
 */
public record WriterCounters(
        Counter kept, Counter alreadyStored, Counter pending, Counter bytes, Counter puts, Counter putNanos) {

    /** All zero. */
    public WriterCounters() {
        this(new Counter(), new Counter(), new Counter(), new Counter(), new Counter(), new Counter());
    }

    /** Counts values that were put, and the time that puts or removals took. */
    public void count(long values, long length, long nanos) {
        puts.add(values);
        bytes.add(length);
        putNanos.add(nanos);
    }
}
