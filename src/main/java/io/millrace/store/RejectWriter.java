package io.millrace.store;

import io.millrace.codec.Counter;
import io.millrace.codec.RejectReason;
import io.millrace.codec.RejectSink;

/**
 * Keeps the rejects of one partition of one pipeline in a dead-letter region. Not thread-safe, as {@link RegionWriter}.
 *
 * <p>A reject is held in memory until {@link #flush()}, so that rejecting never fails halfway through a batch. Flush
 * after the steps of each batch, <em>before</em> the batch is appended to any region: a position stored there must not
 * pass a reject that is not. A record that is rejected again after a restart takes the same key and is kept once.
 */
public interface RejectWriter extends RejectSink {

    /** Begins a term: forgets what was pending, and stores everything under the term until the next one begins. */
    void open(Term term);

    /**
     * Keeps bytes that are no record, such as the rest of a feed that ended in the middle of one.
     *
     * @param position of the first byte in the feed, or {@code NO_POSITION}
     * @param bytes copied from {@code offset} on, {@code length} of them
     */
    void reject(long position, byte[] bytes, int offset, int length, RejectReason reason);

    /**
     * Removes the reject of a record that was cut off, if the region holds one for this position: the feed has brought
     * the complete record, which is processed after this returns.
     *
     * @param position of the record's first byte in the feed
     * @throws StoreException where that fails: call again
     */
    void removeTruncated(long position);

    /**
     * Stores what is held.
     *
     * @throws StoreException where a put fails: call again
     */
    void flush();

    /** Rejects that the region holds, raised only after their put returned. */
    Counter kept();
}
