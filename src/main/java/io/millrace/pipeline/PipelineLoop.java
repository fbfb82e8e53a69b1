package io.millrace.pipeline;

import io.millrace.background.FailureCode;
import io.millrace.background.OutOfMemory;
import io.millrace.feed.Feed;
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
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a pipeline's thread: it claims the right to write, polls the feed batch by batch, processes each batch
 * and commits the position. While another process has the right to write, it waits on standby, and takes over when that
 * process is gone. When another process takes over, it discards records that are not stored and waits on standby. When
 * a restart is requested, it ends its term and begins another one, as another process would.
 */
public final class PipelineLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineLoop.class);
    private static final Duration CLAIM_EVERY = Duration.ofMillis(250);
    /** A request ends the pause. */
    private static final Duration RESTART_POLL = Duration.ofSeconds(1);

    private final WriterName name;
    private final Feed feed;
    private final BatchProcessing processing;
    private final LockedOutput locked;
    private final FeedLoop batches;
    private final Retry retry;
    private final Pauses pauses;
    private final RulesControl rules;
    private final RestartRequests restarts;
    private final Claims claims;
    private volatile PipelineState state = PipelineState.WAITING;
    private volatile @Nullable String error;
    private volatile @Nullable String owner;
    private volatile boolean stopping;
    private volatile boolean settled;

    /**
     * The dependencies of the loop.
     *
     * @param name writer name to claim
     * @param persistent whether one of the pipeline's regions is persistent
     * @param finalEnd whether no further records follow the end of the feed
     * @param retry retries store operations until the pipeline stops
     * @param pauses end when the pipeline stops or a restart is requested
     * @param restarts requests to restart the pipeline
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
            RestartRequests restarts,
            PipelineLimits limits,
            ReentrantLock lock) {}

    public PipelineLoop(Parts parts) {
        name = parts.name();
        feed = parts.feed();
        processing = parts.processing();
        rules = parts.rules();
        retry = parts.retry();
        pauses = parts.pauses();
        restarts = parts.restarts();
        locked = new LockedOutput(parts);
        batches = new FeedLoop(parts, locked, next -> state = next);
        claims = new Claims(parts.name(), parts.persistent(), parts.store(), parts.retry());
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
        return batches.position();
    }

    /** Returns when the feed ended or the pipeline failed, in nanoseconds of {@link Pauses#nanoTime}; 0 before. */
    public long endedNanos() {
        return batches.endedNanos();
    }

    /** Requests a stop after the current batch. */
    public void stop() {
        stopping = true;
    }

    /** Returns whether the pipeline has failed and stored what it could: no counter changes until it is restarted. */
    public boolean settled() {
        return settled;
    }

    @Override
    public void run() {
        try {
            runTerms();
        } finally {
            processing.refuse("it was stopped");
            restarts.end("Pipeline '" + name.pipeline() + "' was stopped.");
            rules.end("the pipeline was stopped.");
        }
    }

    private void runTerms() {
        boolean started = false;
        while (!stopping) {
            Term term = null;
            restarts.take();
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
                handle(e);
            } finally {
                close(term);
            }
            if (state == PipelineState.FAILED) {
                awaitRestart();
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
            restarts.standby("Pipeline '" + name.pipeline() + "' runs in " + result.owner() + ". Restart it there.");
            pauses.pause(CLAIM_EVERY);
        }
        return null;
    }

    /** Runs the pipeline for a term. */
    private void lead(Term term) throws IOException {
        batches.open(term);
        if (position() > 0) {
            LOG.info("Pipeline {} continues: position={}", name.pipeline(), position());
        }
        processing.begin();
        restarts.begun(position());
        batches.run(() -> !stopping && !restarts.requested());
        if (stopping) {
            processing.refuse("it was stopped");
        } else {
            LOG.info("Pipeline {} restarts: position={}", name.pipeline(), position());
            restart();
        }
        batches.finish();
    }

    /** Ends the processing of records before the term of a restart. */
    private void restart() {
        state = PipelineState.WAITING;
        processing.hold();
        rules.end("the pipeline was restarted.");
    }

    /** Waits after a failure until a restart is requested or the pipeline stops. */
    private void awaitRestart() {
        rules.end("the pipeline has failed.");
        restarts.failed("Pipeline '" + name.pipeline() + "' has failed again: " + error);
        settled = true;
        while (!stopping && !restarts.requested()) {
            pauses.pause(RESTART_POLL);
        }
        if (!stopping) {
            LOG.info("Pipeline {} restarts after its failure: position={}", name.pipeline(), position());
            settled = false;
            processing.superseded();
            restart();
            error = null;
        }
    }

    /** Handles a failure of a term: fails the pipeline unless it can claim another one or stops. */
    private void handle(Throwable e) {
        if (StoreReopenedException.isCauseOf(e)) {
            LOG.warn("Pipeline {} returns to what is stored: reason={}", name.pipeline(), Failures.describe(e));
            processing.refuse("its store was opened again");
            processing.superseded();
            state = PipelineState.WAITING;
            return;
        }
        if (SupersededException.isCauseOf(e) && feed.replayable()) {
            LOG.warn("Pipeline {} was taken over by another process: reason={}", name.pipeline(), Failures.describe(e));
            processing.refuse("it runs in another process");
            processing.superseded();
            state = PipelineState.STANDBY;
            rules.standby();
            return;
        }
        if (restarts.requested() && !stopping && e instanceof IOException && !(e instanceof FeedChangedException)) {
            LOG.warn(
                    "Pipeline {} restarts before everything was stored: reason={}",
                    name.pipeline(),
                    Failures.describe(e));
            processing.superseded();
            restart();
            return;
        }
        if (stopping && !(e instanceof FeedChangedException)) {
            processing.refuse("it was stopped");
            LOG.warn("Pipeline {} stopped before everything was stored: reason={}", name.pipeline(), e.getMessage());
        } else {
            fail(e);
        }
    }

    /** Fails the pipeline. Stores records of earlier batches, unless the feed has changed: no later iteration would. */
    private void fail(Throwable e) {
        OutOfMemory.report(e);
        batches.fail();
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
}
