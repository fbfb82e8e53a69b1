package io.millrace.pipeline;

import io.millrace.background.FailureCode;
import io.millrace.background.OutOfMemory;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.feed.FeedChangedException;
import io.millrace.pipeline.step.Failures;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.error.StoreReopenedException;
import io.millrace.store.error.SupersededException;
import io.millrace.store.write.Claim;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a pipeline's thread: it claims the right to write, polls the feed batch by batch, processes each batch
 * and commits the position. While another process has the right to write, it waits on standby, and takes over when that
 * process is gone. When another process takes over, it discards what is not stored and goes on standby.
 */
public final class PipelineLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineLoop.class);
    private static final Duration CLAIM_EVERY = Duration.ofMillis(250);

    private final WriterName name;
    private final Feed feed;
    private final boolean finalEnd;
    private final BatchProcessing processing;
    private final PipelineOutput output;
    private final LockedOutput locked;
    private final Retry retry;
    private final Pauses pauses;
    private final PipelineLimits limits;
    private final RulesControl rules;
    private final Claims claims;
    private final Confirmation confirmation;
    private final Counter position = new Counter();
    private volatile PipelineState state = PipelineState.WAITING;
    private volatile @Nullable String error;
    private volatile @Nullable String owner;
    private volatile boolean stopping;
    private volatile long endedNanos;

    /**
     * The dependencies of the loop.
     *
     * @param name writer name to claim
     * @param persistent whether one of the pipeline's regions is persistent
     * @param finalEnd whether no further records follow the end of the feed
     * @param lock held while records are processed or written
     */
    public record Parts(
            WriterName name,
            boolean persistent,
            Feed feed,
            boolean finalEnd,
            BatchProcessing processing,
            RulesControl rules,
            PipelineOutput output,
            RegionWriters store,
            Retry retry,
            Pauses pauses,
            PipelineLimits limits,
            ReentrantLock lock) {}

    public PipelineLoop(Parts parts) {
        name = parts.name();
        feed = parts.feed();
        finalEnd = parts.finalEnd();
        processing = parts.processing();
        rules = parts.rules();
        output = parts.output();
        retry = parts.retry();
        pauses = parts.pauses();
        limits = parts.limits();
        locked = new LockedOutput(parts);
        claims = new Claims(parts.name(), parts.persistent(), parts.store(), parts.retry());
        confirmation = new Confirmation(parts.pauses(), parts.limits().latency());
    }

    /** Returns the state of the pipeline. */
    public PipelineState state() {
        return state == PipelineState.RUNNING && retry.waiting() ? PipelineState.WAITING : state;
    }

    /** Returns why the pipeline failed, or null if it has not. */
    public @Nullable String error() {
        return error;
    }

    /** Returns the process that runs the pipeline if this one is on standby, otherwise null. */
    public @Nullable String owner() {
        return owner;
    }

    /**
     * Returns the feed position up to which records have been taken, in the units of the feed; 0 for a feed without
     * positions.
     */
    public long position() {
        return position.get();
    }

    /** Returns when the feed ended or the pipeline failed, in nanoseconds of {@link Pauses#nanoTime}; 0 before. */
    public long endedNanos() {
        return endedNanos;
    }

    /** Requests a stop after the current batch. */
    public void stop() {
        stopping = true;
    }

    @Override
    public void run() {
        boolean started = false;
        boolean active = true;
        while (active && !stopping) {
            Term term = null;
            try {
                if (!started) {
                    retry.run(rules::start);
                    started = true;
                }
                term = claim();
                if (term != null) {
                    lead(term);
                }
            } catch (Throwable e) { // Errors included: they must be reported and not end the thread silently.
                active = handle(e);
            } finally {
                close(term);
            }
        }
    }

    /** Claims the right to write, waiting until it is granted. Returns null if the pipeline stops meanwhile. */
    private @Nullable Term claim() {
        while (!stopping) {
            Claim result = claims.claim();
            Term term = result.term();
            if (term != null) {
                if (state == PipelineState.STANDBY) {
                    LOG.info("Pipeline {} takes over: epoch={}", name.pipeline(), term.epoch());
                }
                // No longer on standby: the term must be released whatever happens now.
                state = PipelineState.WAITING;
                owner = null;
                return term;
            }
            boolean first = owner == null;
            if (first) {
                processing.refuse("it runs in " + result.owner());
                LOG.info("Pipeline {} is on standby: owner={}", name.pipeline(), result.owner());
            }
            owner = result.owner();
            state = PipelineState.STANDBY;
            if (first) {
                rules.standby();
            }
            pauses.pause(CLAIM_EVERY);
        }
        return null;
    }

    /** Runs the pipeline for a term. */
    private void lead(Term term) throws IOException {
        position.set(locked.open(term));
        confirmation.clear();
        if (position.get() > 0) {
            LOG.info("Pipeline {} continues: position={}", name.pipeline(), position.get());
        }
        processing.begin();
        while (!stopping) {
            iterate();
        }
        processing.refuse("it was stopped");
        locked.flush(true);
        feed.stored();
    }

    /** Handles a failure of a term. Returns whether to claim another term. */
    private boolean handle(Throwable e) {
        if (StoreReopenedException.isCauseOf(e)) {
            LOG.warn("Pipeline {} returns to what is stored: reason={}", name.pipeline(), Failures.describe(e));
            processing.refuse("its store was opened again");
            processing.superseded();
            state = PipelineState.WAITING;
            return true;
        }
        if (SupersededException.isCauseOf(e) && feed.replayable()) {
            LOG.warn("Pipeline {} was taken over by another process: reason={}", name.pipeline(), Failures.describe(e));
            processing.refuse("it runs in another process");
            processing.superseded();
            state = PipelineState.STANDBY;
            rules.standby();
            return true;
        }
        if (stopping && !(e instanceof FeedChangedException)) {
            processing.refuse("it was stopped");
            LOG.warn("Pipeline {} stopped before everything was stored: reason={}", name.pipeline(), e.getMessage());
        } else {
            fail(e);
        }
        return false;
    }

    /** Fails the pipeline. Stores records of earlier batches, unless the feed has changed: no later iteration would. */
    private void fail(Throwable e) {
        OutOfMemory.report(e);
        endedNanos = pauses.nanoTime();
        try {
            error = SupersededException.isCauseOf(e)
                    ? FailureCode.DUPLICATE_INSTANCE.message(
                            "Another process runs pipeline '" + name.pipeline() + "' as instance '" + name.instance()
                                    + "'. Set millrace.instance to a name of its own in each process.")
                    : Failures.describe(e);
        } finally { // An error while describing or logging the failure must not hide it.
            state = PipelineState.FAILED;
        }
        LOG.error("Pipeline {} failed: reason={}", name.pipeline(), error, e);
        processing.refuse("it failed with " + error);
        try {
            locked.flush(true);
        } catch (Throwable notStored) {
            OutOfMemory.report(notStored);
            LOG.warn(
                    "Pipeline {} failed before everything was stored: reason={}",
                    name.pipeline(),
                    notStored.getMessage());
        }
    }

    private void close(@Nullable Term term) {
        try {
            feed.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Feed of pipeline {} was not closed: reason={}", name.pipeline(), e.getMessage());
        }
        locked.close();
        if (term != null && state != PipelineState.STANDBY) {
            claims.release(term);
        }
    }

    /**
     * Runs one iteration: processes a batch or waits for one. Iterations continue after the end of the feed, because
     * other senders may still send records.
     */
    private void iterate() throws IOException {
        if (rules.changeRequested()) {
            locked.changeRules();
        }
        long startNanos = pauses.nanoTime();
        Poll poll = poll();
        if (poll == Poll.RECORDS) {
            state = PipelineState.RUNNING;
            process();
        } else {
            long idleNanos = pauses.nanoTime() - startNanos;
            locked.run(() -> processing.idle(idleNanos));
            if (poll == Poll.NOTHING_YET) {
                state = PipelineState.WAITING;
            } else if (state != PipelineState.DONE) {
                end();
            }
        }
        boolean received = rejectPieces() || poll == Poll.RECORDS;
        confirm(poll, received);
        processing.judge(false);
        locked.flushIfDue();
    }

    private Poll poll() throws IOException {
        if (state == PipelineState.DONE) {
            pauses.pause(limits.bounded(limits.flush()));
            return Poll.END;
        }
        return feed.poll(rules.batch(), confirmation.isDue() ? Duration.ZERO : limits.bounded(limits.latency()));
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
     * Confirms records to a feed that waits for it. Stores what has arrived if there is no further batch or the first
     * batch has waited for the maximum latency.
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

    private void end() throws IOException {
        if (finalEnd) {
            locked.run(processing::end);
        }
        locked.flush(true);
        // Evaluated before the incomplete record at the end is rejected, which says nothing about the others.
        processing.judge(true);
        // Stored as provisional: the next term removes it and reads the record again, which may then be complete.
        if (rejectPieces()) {
            locked.flush(true);
        }
        endedNanos = pauses.nanoTime();
        state = PipelineState.DONE;
    }
}
