package io.millrace.store.write;

import io.millrace.codec.Counter;

/**
 * The counters of a writer since it was opened. Any thread may read them.
 *
 * @param kept records that the region contains, or that have removed an entry: raised only after their put or removal
 *     returned, or once an offered record proved to be already stored
 * @param alreadyStored of those, the ones that were stored before the writer was opened
 * @param pending records taken that the region does not contain yet
 * @param bytes length of all values put
 * @param puts number of values put
 * @param putNanos time spent in puts and removals, in nanoseconds
 */
public record WriterCounters(
        Counter kept, Counter alreadyStored, Counter pending, Counter bytes, Counter puts, Counter putNanos) {

    /** Creates counters that are zero. */
    public WriterCounters() {
        this(new Counter(), new Counter(), new Counter(), new Counter(), new Counter(), new Counter());
    }

    /** Counts values that were put, and the duration of puts or removals. */
    public void count(long values, long length, long nanos) {
        puts.add(values);
        bytes.add(length);
        putNanos.add(nanos);
    }
}
