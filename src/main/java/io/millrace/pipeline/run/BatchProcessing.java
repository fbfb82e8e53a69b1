package io.millrace.pipeline.run;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import java.util.List;

/** What a {@link PartitionLoop} does with the batches of its feed, on its thread. */
public interface BatchProcessing {

    /** Accepts batches and messages from now on. */
    void begin();

    /** Processes a batch. When this method returns, every record has been passed to a writer, dropped or rejected. */
    void process(RecordBatch batch);

    /** Rejects bytes that are not complete records. */
    void reject(List<Piece> pieces);

    /** Passes the rejects before a position of the feed to a writer, without a batch that covers them. */
    void cover(long position);

    /**
     * Called at the end of the feed.
     *
     * @param last whether no records follow, so that open windows close
     * @param extent of the feed
     */
    void end(boolean last, long extent);

    /**
     * Closes the windows of measures that have received no records for their idle timeout.
     *
     * @param nanos for how long the feed has had no records since the last call or the last batch;
     *     {@link Long#MAX_VALUE} if the feed's source does not have the split, so that no measure waits for it
     */
    void idle(long nanos);

    /** Returns whether a measure has an idle timeout, so that {@link #idle} must count short times too. */
    boolean countsIdleTime();

    /**
     * Returns whether only records, requests and flushes cause work: the rules have no measure, whose windows end with
     * time, and no table, whose rows may be replaced.
     */
    boolean needsRecordsOnly();

    /** Returns the number of records that have arrived from the feed and from other senders. */
    long arrived();

    /**
     * Evaluates the shares of rejected and late records, and throws an exception if one reaches its configured limit.
     * Called between batches.
     *
     * @param wholeFeed whether the feed has ended
     */
    void judge(boolean wholeFeed);

    /** Lets the senders of messages wait until the next {@link #begin}. */
    void hold();

    /**
     * Refuses messages from now on.
     *
     * @param why the reason that senders receive
     */
    void refuse(String why);

    /**
     * Counts received records that are not stored as superseded. They are read again, by the new owner if there is one.
     */
    void superseded();
}
