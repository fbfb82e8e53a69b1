package io.millrace.pipeline.run;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.pipeline.commit.PipelineOutput;
import io.millrace.pipeline.step.Pauses;
import io.millrace.store.write.Term;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes the batches of a feed during a term, and commits the position. One thread at a time calls it; any thread
 * may read the position and the time of the end.
 */
final class FeedLoop {

    /** After which a stop, or a change of the rules, is noticed if it can't end the wait. */
    private static final Duration MAX_WAIT = Duration.ofMillis(200);
    /** After which a term that has ended is noticed if nothing is written. */
    private static final Duration MAX_QUIET_WAIT = Duration.ofSeconds(1);

    private final Feed feed;
    private final boolean finalEnd;
    private final BatchProcessing processing;
    private final PipelineOutput output;
    private final LockedOutput locked;
    private final Pauses pauses;
    private final PipelineLimits limits;
    private final RulesControl rules;
    private final Confirmation confirmation;
    private final StateListener listener;
    private final Counter position = new Counter();
    private boolean done;
    /** Whether a request ends the wait of the feed. */
    private boolean wakes;

    private volatile long endedNanos;

    /** Receives the state after each change. */
    interface StateListener {
        void changed(PartitionState state);
    }

    FeedLoop(LoopParts parts, LockedOutput locked, StateListener listener) {
        feed = parts.feed();
        finalEnd = parts.finalEnd();
        processing = parts.processing();
        output = parts.output();
        rules = parts.rules();
        pauses = parts.pauses();
        limits = parts.limits();
        confirmation = new Confirmation(parts.pauses(), parts.limits().latency());
        this.locked = locked;
        this.listener = listener;
    }

    /** Returns the feed position up to which records have been taken. */
    long position() {
        return position.get();
    }

    /** Returns when the feed ended, in nanoseconds of {@link Pauses#nanoTime}; 0 before. */
    long endedNanos() {
        return endedNanos;
    }

    /** Marks the time at which the pipeline has failed. */
    void fail() {
        endedNanos = pauses.nanoTime();
    }

    /** Opens the output and the feed for a term. */
    void open(Term term) throws IOException {
        position.set(locked.open(term));
        confirmation.clear();
        wakes = feed.wake();
        done = false;
        endedNanos = 0;
    }

    /**
     * Processes a batch or waits for one. Continues after the end of the feed, because other senders may still send
     * records.
     *
     * @param maxWait maximum time to wait for records
     * @return whether there were records
     */
    boolean turn(Duration maxWait) throws IOException {
        if (rules.changeRequested()) {
            locked.changeRules();
        }
        long startNanos = pauses.nanoTime();
        Poll poll = poll(maxWait);
        if (poll == Poll.RECORDS) {
            listener.changed(PartitionState.RUNNING);
            process();
        } else if (poll == Poll.PIECES) {
            listener.changed(PartitionState.RUNNING);
            rejectPieces();
            cover();
        } else {
            long idleNanos = pauses.nanoTime() - startNanos;
            locked.run(() -> processing.idle(feed.absent() ? Long.MAX_VALUE : idleNanos));
            if (poll == Poll.NOTHING_YET) {
                listener.changed(PartitionState.WAITING);
            } else if (!done) {
                end();
            } else if (!finalEnd) {
                // Other senders may have sent records since.
                locked.run(() -> processing.end(false, feed.extent()));
            }
        }
        boolean received = rejectPieces() || poll.covers();
        confirm(poll, received);
        processing.judge(false);
        locked.flushIfDue(!poll.covers());
        return received;
    }

    private Poll poll(Duration maxWait) throws IOException {
        if (done) {
            pauses.pause(shorter(shorter(limits.flush(), MAX_WAIT), maxWait));
            return Poll.END;
        }
        Poll poll = feed.poll(rules.batch(), shorter(pollWait(), maxWait));
        locked.endQuietWait();
        return poll;
    }

    /** Records end the wait. Without any it is long, because a process may have hundreds of pipelines that wait. */
    private Duration pollWait() {
        if (confirmation.isDue()) {
            return Duration.ZERO;
        }
        if (wakes && locked.startQuietWait()) {
            return MAX_QUIET_WAIT;
        }
        // A wait that ends with records is not counted as idle, since it may be the time of reading them.
        Duration longest = processing.countsIdleTime() ? shorter(limits.latency(), MAX_WAIT) : MAX_WAIT;
        return shorter(locked.untilFlush(), longest);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Rejects incomplete records of the feed. Returns whether there were any. */
    private boolean rejectPieces() {
        List<Piece> pieces = new ArrayList<>();
        for (Piece piece = feed.takePiece(); piece != null; piece = feed.takePiece()) {
            pieces.add(piece);
        }
        if (!pieces.isEmpty()) {
            processing.reject(pieces);
        }
        return !pieces.isEmpty();
    }

    /**
     * Confirms records to a feed that waits for it. Stores the received records if there is no further batch, or if the
     * first batch has waited for the maximum latency.
     */
    private void confirm(Poll poll, boolean received) throws IOException {
        if (!feed.answers()) {
            return;
        }
        if (received) {
            confirmation.received();
        }
        if (confirmation.isDue() && (poll != Poll.RECORDS || confirmation.isLate())) {
            locked.flush(false);
            confirmation.clear();
            feed.stored();
        }
    }

    private void process() throws IOException {
        locked.run(() -> {
            RecordBatch batch = rules.batch();
            long endPosition = batch.to();
            output.begin();
            processing.process(batch);
            output.cover(endPosition);
            if (endPosition != RecordBatch.NO_POSITION) {
                position.set(endPosition);
            }
        });
    }

    /** Stores rejects of pieces that no record follows. */
    private void cover() throws IOException {
        locked.run(() -> {
            long endPosition = rules.batch().to();
            output.begin();
            processing.cover(endPosition);
            output.cover(endPosition);
            position.set(endPosition);
        });
    }

    private void end() throws IOException {
        locked.run(() -> processing.end(finalEnd, feed.extent()));
        locked.flush(true);
        // Evaluated before the incomplete record at the end is rejected, which says nothing about the others.
        processing.judge(true);
        // Stored as provisional: the next term removes it and reads the record again, which may then be complete.
        if (rejectPieces()) {
            locked.flush(true);
        }
        endedNanos = pauses.nanoTime();
        done = true;
        listener.changed(PartitionState.DONE);
    }

    /** Stores everything and confirms it, after which nothing follows in this term. */
    void finish() throws IOException {
        locked.flush(true);
        feed.stored();
    }
}
