package io.millrace.pipeline;

import io.millrace.background.OutOfMemory;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
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
import java.util.concurrent.atomic.AtomicReference;
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
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Duration CLAIM_EVERY = Duration.ofMillis(250);

    private final WriterName name;
    private final boolean persistent;
    private final Feed feed;
    private final Processing processing;
    private final PipelineOutput output;
    private final RegionWriters store;
    private final Retry retry;
    private final Pauses pauses;
    private final PipelineLimits limits;
    private final ReentrantLock lock;
    private final RecordBatch batch;
    private final Counter position = new Counter();
    private volatile PipelineState state = PipelineState.WAITING;
    private volatile @Nullable String error;
    private volatile @Nullable String owner;
    private volatile boolean stopping;
    private volatile long endedNanos;
    private long flushedNanos;
    /** Whether the feed waits for a confirmation that records are stored. */
    private boolean unconfirmed;

    /** The time at which the first batch without a confirmation arrived. */
    private long unconfirmedNanos;

    /** Processes the batches of the feed. */
    public interface Processing {

        /** Accepts batches and messages from now on. */
        void begin();

        /**
         * Processes a batch. When this method returns, every record has been passed to a writer, dropped or rejected.
         */
        void process(RecordBatch batch);

        /** Rejects bytes that are not complete records. */
        void reject(List<Piece> pieces);

        /** Closes open windows at the end of the feed. */
        void end();

        /**
         * Evaluates the share of rejected records and throws an exception if it reaches the configured limit. Called
         * between batches.
         *
         * @param wholeFeed whether the feed has ended
         */
        void judge(boolean wholeFeed);

        /**
         * Refuses messages from now on.
         *
         * @param why the reason that senders receive
         */
        void refuse(String why);

        /**
         * Counts received records that are not stored as superseded. They are read again, by the new owner if there is
         * one.
         */
        void superseded();
    }

    /**
     * The dependencies of the loop.
     *
     * @param name writer name to claim
     * @param persistent whether one of the pipeline's regions is persistent
     * @param lock held while records are processed or written
     */
    public record Parts(
            WriterName name,
            boolean persistent,
            Feed feed,
            RecordBatch batch,
            Processing processing,
            PipelineOutput output,
            RegionWriters store,
            Retry retry,
            Pauses pauses,
            PipelineLimits limits,
            ReentrantLock lock) {}

    public PipelineLoop(Parts parts) {
        name = parts.name();
        persistent = parts.persistent();
        feed = parts.feed();
        batch = parts.batch();
        processing = parts.processing();
        output = parts.output();
        store = parts.store();
        retry = parts.retry();
        pauses = parts.pauses();
        limits = parts.limits();
        lock = parts.lock();
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
        boolean active = true;
        while (active && !stopping) {
            Term term = null;
            try {
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
        AtomicReference<@Nullable Claim> claim = new AtomicReference<>();
        while (!stopping) {
            retry.run(() -> claim.set(store.claim(name, persistent)));
            Claim result = claim.get();
            if (result != null && result.term() != null) {
                if (state == PipelineState.STANDBY) {
                    LOG.info(
                            "{}: takes over, epoch={}",
                            name.pipeline(),
                            result.term().epoch());
                }
                // No longer on standby: the term must be released whatever happens now.
                state = PipelineState.WAITING;
                owner = null;
                return result.term();
            }
            if (result != null && owner == null) {
                processing.refuse("it runs in " + result.owner());
                LOG.info("{}: on standby, the pipeline runs in {}", name.pipeline(), result.owner());
            }
            owner = result == null ? null : result.owner();
            state = PipelineState.STANDBY;
            pauses.pause(CLAIM_EVERY);
        }
        return null;
    }

    /** Runs the pipeline for a term. */
    private void lead(Term term) throws IOException {
        long startPosition = underLock(() -> output.open(term, feed));
        position.set(startPosition);
        flushedNanos = pauses.nanoTime();
        unconfirmed = false;
        if (startPosition > 0) {
            LOG.info("{}: continues at position {} of its feed", name.pipeline(), startPosition);
        }
        processing.begin();
        while (!stopping) {
            iterate();
        }
        processing.refuse("it was stopped");
        flush(true);
        feed.stored();
    }

    /** Handles a failure of a term. Returns whether to claim another term. */
    private boolean handle(Throwable e) {
        if (StoreReopenedException.isCauseOf(e)) {
            LOG.warn("{}: goes back to what is stored: {}", name.pipeline(), Failures.describe(e));
            processing.refuse("its store was opened again");
            processing.superseded();
            state = PipelineState.WAITING;
            return true;
        }
        if (SupersededException.isCauseOf(e) && feed.replayable()) {
            LOG.warn("{}: another process has taken over: {}", name.pipeline(), Failures.describe(e));
            processing.refuse("it runs in another process");
            processing.superseded();
            state = PipelineState.STANDBY;
            return true;
        }
        if (stopping) {
            processing.refuse("it was stopped");
            LOG.warn("{}: stopped before everything was stored: {}", name.pipeline(), e.getMessage());
        } else {
            fail(e);
        }
        return false;
    }

    /** Fails the pipeline. Records of earlier batches are still stored, because no later iteration would store them. */
    private void fail(Throwable e) {
        OutOfMemory.report(e);
        endedNanos = pauses.nanoTime();
        try {
            error = SupersededException.isCauseOf(e)
                    ? "Another process runs pipeline '" + name.pipeline() + "' as instance '" + name.instance()
                            + "'. Set millrace.instance to a name of its own in each process."
                    : Failures.describe(e);
        } finally { // An error while describing or logging the failure must not hide it.
            state = PipelineState.FAILED;
        }
        LOG.error("{}: failed", name.pipeline(), e);
        processing.refuse("it failed with " + error);
        try {
            flush(true);
        } catch (Throwable notStored) {
            OutOfMemory.report(notStored);
            LOG.warn("{}: failed before everything was stored: {}", name.pipeline(), notStored.getMessage());
        }
    }

    private void close(@Nullable Term term) {
        try {
            feed.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("{}: the feed could not be closed: {}", name.pipeline(), e.getMessage());
        }
        output.close();
        if (term != null && state != PipelineState.STANDBY) {
            try {
                // Retry until it succeeds: as long as this process is alive, no other process can take over.
                retry.run(() -> store.release(term));
            } catch (RuntimeException e) {
                LOG.warn("{}: could not be released, others have to wait: {}", name.pipeline(), e.getMessage());
            }
        }
    }

    /**
     * Runs one iteration: processes a batch or waits for one. Iterations continue after the end of the feed, because
     * other senders may still send records.
     */
    private void iterate() throws IOException {
        Poll poll = state == PipelineState.DONE
                ? Poll.END
                : feed.poll(batch, unconfirmed ? Duration.ZERO : shortest(limits.latency()));
        switch (poll) {
            case RECORDS -> {
                state = PipelineState.RUNNING;
                process();
            }
            case NOTHING_YET -> state = PipelineState.WAITING;
            case END -> end();
        }
        boolean received = rejectPieces() || poll == Poll.RECORDS;
        confirm(poll, received);
        processing.judge(false);
        if (pauses.nanoTime() - flushedNanos >= limits.flush().toNanos()) {
            flush(false);
        }
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
        if (received && !unconfirmed) {
            unconfirmed = true;
            unconfirmedNanos = pauses.nanoTime();
        }
        if (unconfirmed
                && (poll != Poll.RECORDS
                        || pauses.nanoTime() - unconfirmedNanos
                                >= limits.latency().toNanos())) {
            flush(false);
            unconfirmed = false;
            feed.stored();
        }
    }

    /** Returns a wait limited by the flush interval, and by a bound after which a stop request is noticed. */
    private Duration shortest(Duration wait) {
        Duration bound = limits.flush().compareTo(LONGEST_WAIT) < 0 ? limits.flush() : LONGEST_WAIT;
        return wait.compareTo(bound) < 0 ? wait : bound;
    }

    private void process() throws IOException {
        underLock(() -> {
            long endPosition = batch.to();
            output.begin();
            processing.process(batch);
            output.cover(endPosition);
            if (endPosition != RecordBatch.NO_POSITION) {
                position.set(endPosition);
            }
            return endPosition;
        });
    }

    private void end() throws IOException {
        if (state == PipelineState.DONE) {
            pauses.pause(shortest(limits.flush()));
            return;
        }
        underLock(() -> {
            processing.end();
            return 0L;
        });
        flush(true);
        // Evaluated before the incomplete record at the end is rejected, which says nothing about the others.
        processing.judge(true);
        // Stored as provisional: the next term removes it and reads the record again, which may then be complete.
        if (rejectPieces()) {
            flush(true);
        }
        endedNanos = pauses.nanoTime();
        state = PipelineState.DONE;
    }

    private void flush(boolean last) throws IOException {
        underLock(() -> {
            output.flush(last, feed);
            return 0L;
        });
        flushedNanos = pauses.nanoTime();
    }

    /** An action that may fail as a feed does. */
    private interface Action {
        long run() throws IOException;
    }

    private long underLock(Action action) throws IOException {
        lock.lock();
        try {
            return action.run();
        } finally {
            lock.unlock();
        }
    }
}
