package io.millrace.pipeline.run;

import io.millrace.feed.Feed;
import io.millrace.pipeline.commit.PipelineOutput;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.write.Term;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** The output of a pipeline as its loop uses it: under the pipeline's lock, and flushed in time. Not thread-safe. */
final class LockedOutput {

    /**
     * Time after which a block ends that a feed of few records has not filled. Retention and the repetition of records
     * by a later version of the schema work with whole blocks, so these should not span more of the feed.
     */
    private static final long MAX_BLOCK_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long NOT_FLUSHED = -1;

    private final PipelineOutput output;
    private final BatchProcessing processing;
    private final RulesControl rules;
    private final Feed feed;
    private final Retry retry;
    private final Pauses pauses;
    private final ReentrantLock lock;
    private final long intervalNanos;
    private long flushedNanos;
    private long blocksEndedNanos;
    /** Number of records that had arrived at the last flush. */
    private long flushedRecords;

    /** Whether the feed waits for longer than until the next flush. Becomes true under the lock. */
    private volatile boolean quiet;

    LockedOutput(LoopParts parts) {
        output = parts.output();
        processing = parts.processing();
        rules = parts.rules();
        feed = parts.feed();
        retry = parts.retry();
        pauses = parts.pauses();
        lock = parts.lock();
        intervalNanos = parts.limits().flush().toNanos();
    }

    /** An action that may fail as a feed does. */
    interface Action {
        void run() throws IOException;
    }

    void run(Action action) throws IOException {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Begins a term. Returns the position at which the feed was opened. */
    long open(Term term) throws IOException {
        long[] position = {0};
        run(() -> {
            position[0] = output.open(term, feed, rules::begin);
            retry.run(() -> rules.began(output.term(), output.since()));
        });
        flushedNanos = pauses.nanoTime();
        blocksEndedNanos = flushedNanos;
        flushedRecords = NOT_FLUSHED;
        return position[0];
    }

    /**
     * Stores everything that is pending.
     *
     * @param last whether no more records follow
     */
    void flush(boolean last) throws IOException {
        boolean endBlocks = last || pauses.nanoTime() - blocksEndedNanos >= MAX_BLOCK_NANOS;
        run(() -> {
            output.flush(last, endBlocks, feed);
            flushedRecords = processing.arrived();
        });
        flushedNanos = pauses.nanoTime();
        blocksEndedNanos = endBlocks ? flushedNanos : blocksEndedNanos;
    }

    /**
     * Returns whether the feed may wait for longer than until the next flush, because there is nothing to flush. Then a
     * record of another sender ends the wait.
     */
    boolean startQuietWait() {
        lock.lock();
        try {
            quiet = processing.needsRecordsOnly() && processing.arrived() == flushedRecords;
            return quiet;
        } finally {
            lock.unlock();
        }
    }

    /** Called when the wait is over. */
    void endQuietWait() {
        quiet = false;
    }

    /** Called under the lock when records have arrived from any sender. */
    void recordsArrived() {
        if (quiet) {
            quiet = false;
            feed.wake();
        }
    }

    /** Returns the time until the next flush is due. */
    Duration untilFlush() {
        return Duration.ofNanos(Math.max(0, flushedNanos + intervalNanos - pauses.nanoTime()));
    }

    /**
     * Stores everything that is pending if the time since the last flush has passed.
     *
     * @param idle whether there are no records: then nothing may be written for a long time, which would detect that
     *     another process has taken over
     */
    void flushIfDue(boolean idle) throws IOException {
        if (pauses.nanoTime() - flushedNanos >= intervalNanos) {
            flush(false);
            if (idle) {
                output.requireCurrent(); // not under the lock: it may wait for an answer
            }
        }
    }

    /**
     * Changes the rules between two batches, as a clean stop and a start would: stores everything, switches, and
     * commits the new version with the position from which it processes records. Until then, a crash continues with the
     * former version. Does nothing while records behind the position are stored: the version that stored them must
     * process them again.
     */
    void changeRules() throws IOException {
        run(() -> {
            if (!output.settled()) {
                return;
            }
            output.flush(true, true, feed);
            output.change(rules.change(), feed);
            retry.run(() -> rules.began(output.term(), output.since()));
            flushedNanos = pauses.nanoTime();
        });
    }

    /** Ends the term. */
    void close() {
        lock.lock();
        try {
            output.close();
        } finally {
            lock.unlock();
        }
    }
}
