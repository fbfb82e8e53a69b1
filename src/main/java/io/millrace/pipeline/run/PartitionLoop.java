package io.millrace.pipeline.run;

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
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a partition does, turn by turn: it claims the right to write, polls the feed batch by batch, processes each
 * batch and commits the position. While another process has the right to write, it waits on standby, and takes over
 * when that process is gone. When another process takes over, it discards records that are not stored and waits on
 * standby. When a restart is requested, it ends its term and begins another one, as another process would.
 *
 * <p>It has no thread: one at a time calls {@link #turn}. Any thread may read the state, and request a stop.
 */
public final class PartitionLoop {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionLoop.class);
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
    private volatile PartitionState state = PartitionState.WAITING;
    private volatile @Nullable String error;
    private volatile @Nullable String owner;
    private volatile boolean stopping;
    private volatile boolean settled;
    private volatile boolean ended;
    private @Nullable Term term;
    /** Whether the rules know the configuration of this process. */
    private boolean started;
    /** Whether a term was claimed in vain since the last one. */
    private boolean claiming;
    /** When it was, by the clock of the pauses. */
    private long claimedNanos;

    /** What a turn has done. */
    public enum Turn {
        /** It has processed records, or has changed the state: another turn may follow at once. */
        WORKED,
        /** There was nothing to do. */
        IDLE,
        /** Nothing follows: the partition was stopped. */
        ENDED
    }

    public PartitionLoop(LoopParts parts) {
        name = parts.name();
        feed = parts.feed();
        processing = parts.processing();
        rules = parts.rules();
        retry = parts.retry();
        pauses = parts.pauses();
        restarts = parts.restarts();
        locked = new LockedOutput(parts);
        batches = new FeedLoop(parts, locked, next -> state = next);
        claims = new Claims(parts.name(), parts.persistent(), parts.store(), parts.balance(), parts.retry());
    }

    /** Returns the state of the partition. */
    public PartitionState state() {
        return state == PartitionState.RUNNING && retry.waiting() ? PartitionState.WAITING : state;
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
        feed.wake();
    }

    /** Called under the lock of the partition when records have arrived from any sender. */
    public void recordsArrived() {
        locked.recordsArrived();
    }

    /** Returns whether the pipeline has failed and stored what it could: no counter changes until it is restarted. */
    public boolean settled() {
        return settled;
    }

    /** Returns whether nothing follows, because the partition was stopped. */
    public boolean ended() {
        return ended;
    }

    /**
     * Does what is next, such as to process one batch. Retries of the store and of a feed that fails take as long as
     * they need.
     *
     * @param maxWait maximum time to wait if there is nothing to do
     */
    public Turn turn(Duration maxWait) {
        if (ended) {
            return Turn.ENDED;
        }
        if (settled) {
            return awaitRestart(maxWait);
        }
        if (stopping && term == null) {
            end();
            return Turn.ENDED;
        }
        Turn turn = Turn.WORKED;
        try {
            if (term == null) {
                turn = begin(maxWait);
            } else if (stopping || restarts.requested()) {
                finish();
                close();
            } else if (claims.transfers()) {
                transfer();
                close();
            } else {
                turn = batches.turn(maxWait) ? Turn.WORKED : Turn.IDLE;
            }
        } catch (Throwable e) { // Errors included: they must be reported and not end the thread silently.
            try {
                handle(e);
            } finally {
                close();
            }
        }
        if (state == PartitionState.FAILED && !stopping) {
            rules.end("the pipeline has failed.");
            restarts.failed("Pipeline '" + name.pipeline() + "' has failed again: " + error);
            settled = true;
        }
        return turn;
    }

    private void end() {
        ended = true;
        processing.refuse("it was stopped");
        restarts.end("Pipeline '" + name.pipeline() + "' was stopped.");
        rules.end("the pipeline was stopped.");
    }

    /** Begins a term if the right to write is granted, or waits. */
    private Turn begin(Duration maxWait) throws IOException {
        if (!claiming) {
            restarts.take();
            if (!started) {
                retry.run(rules::start);
                started = true;
            }
            claiming = true;
        } else if (!restarts.requested()) {
            Duration sinceClaim = Duration.ofNanos(pauses.nanoTime() - claimedNanos);
            Duration remaining = claims.interval().minus(sinceClaim);
            if (remaining.isPositive()) {
                return await(remaining, maxWait);
            }
        }
        Claim result = claims.claim();
        Term granted = result.term();
        if (granted == null) {
            standby(String.valueOf(result.owner()));
            claimedNanos = pauses.nanoTime();
            return await(claims.interval(), maxWait);
        }
        term = granted;
        claiming = false;
        if (state == PartitionState.STANDBY) {
            LOG.info(
                    "Pipeline {} takes over: partition={} epoch={}",
                    name.pipeline(),
                    name.partition(),
                    granted.epoch());
        }
        // No longer on standby: the term must be released whatever happens now.
        state = PartitionState.WAITING;
        owner = null;
        batches.open(granted);
        if (position() > 0) {
            LOG.info("Pipeline {} continues: position={}", name.pipeline(), position());
        }
        processing.begin();
        restarts.begun(position());
        return Turn.WORKED;
    }

    /** Waits, but not longer than a turn may. */
    private Turn await(Duration time, Duration maxWait) {
        pauses.pause(time.compareTo(maxWait) < 0 ? time : maxWait);
        return Turn.IDLE;
    }

    private void standby(String process) {
        boolean first = owner == null;
        if (first) {
            processing.refuse("it runs in " + process);
            LOG.info("Pipeline {} is on standby: owner={}", name.pipeline(), process);
        }
        owner = process;
        state = PartitionState.STANDBY;
        if (first) {
            rules.standby();
        }
        restarts.standby("Pipeline '" + name.pipeline() + "' runs in " + process + ". Restart it there.");
    }

    /** Ends the processing of records in this term, because of a stop or a restart. */
    private void finish() throws IOException {
        if (stopping) {
            processing.refuse("it was stopped");
        } else {
            LOG.info("Pipeline {} restarts: position={}", name.pipeline(), position());
            restart();
        }
        batches.finish();
    }

    /** Ends the processing of records in this term, because another process has fewer partitions. */
    private void transfer() throws IOException {
        LOG.info(
                "Pipeline {} transfers a partition to another process: partition={} position={}",
                name.pipeline(),
                name.partition(),
                position());
        pause("the partition was transferred to another process.");
        batches.finish();
    }

    /** Ends the processing of records before the term of a restart. */
    private void restart() {
        pause("the pipeline was restarted.");
    }

    private void pause(String why) {
        state = PartitionState.WAITING;
        processing.hold();
        rules.end(why);
    }

    /** Waits after a failure until a restart is requested or the pipeline stops. */
    private Turn awaitRestart(Duration maxWait) {
        if (stopping) {
            end();
            return Turn.ENDED;
        }
        if (!restarts.requested()) {
            return await(RESTART_POLL, maxWait);
        }
        LOG.info("Pipeline {} restarts after its failure: position={}", name.pipeline(), position());
        settled = false;
        processing.superseded();
        restart();
        error = null;
        return Turn.WORKED;
    }

    /** Handles a failure of a term: fails the pipeline unless it can claim another one or stops. */
    private void handle(Throwable e) {
        if (StoreReopenedException.isCauseOf(e)) {
            LOG.warn("Pipeline {} returns to what is stored: reason={}", name.pipeline(), Failures.describe(e));
            processing.refuse("its store was opened again");
            processing.superseded();
            state = PartitionState.WAITING;
            return;
        }
        if (SupersededException.isCauseOf(e) && feed.replayable()) {
            LOG.warn("Pipeline {} was taken over by another process: reason={}", name.pipeline(), Failures.describe(e));
            processing.refuse("it runs in another process");
            processing.superseded();
            state = PartitionState.STANDBY;
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
            state = PartitionState.FAILED;
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

    private void close() {
        try {
            feed.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Feed of pipeline {} was not closed: reason={}", name.pipeline(), e.getMessage());
        }
        locked.close();
        Term last = term;
        term = null;
        claiming = false;
        if (last != null && state != PartitionState.STANDBY) {
            claims.release(last);
        } else {
            claims.lost();
        }
    }
}
