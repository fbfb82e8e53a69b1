package io.millrace.pipeline;

import io.millrace.background.OutOfMemory;
import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.pipeline.step.Pauses;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.Claim;
import io.millrace.store.Store;
import io.millrace.store.StoreReopenedException;
import io.millrace.store.SupersededException;
import io.millrace.store.Term;
import io.millrace.store.WriterName;
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
 * The work of a pipeline's thread: claims the right to write, reads the feed batch by batch, has each processed, and
 * stores how far it is. Where another process holds the right, it waits on standby and takes over when that one is
 * gone; where another one takes over, it forgets what is not stored and goes on standby itself.
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
    private final Store store;
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
    /** Whether the feed waits for a confirmation that batches are stored. */
    private boolean unanswered;

    /** When the first batch without a confirmation came. */
    private long unansweredNanos;

    /** What is done with what the feed brings. */
    public interface Processing {

        /** Takes batches and messages from now on. */
        void begin();

        /** Processes a batch: all of its records are given to writers, dropped or rejected when this returns. */
        void process(RecordBatch batch);

        /** Rejects bytes that are no whole records. */
        void reject(List<Piece> pieces);

        /** Closes what is left open at the feed's end. */
        void end();

        /**
         * Judges what has been rejected, and fails where that is too much. Called between batches.
         *
         * @param wholeFeed whether the feed has ended
         */
        void judge(boolean wholeFeed);

        /**
         * Takes nothing more.
         *
         * @param why the reason that senders get
         */
        void refuse(String why);

        /** Forgets what has come in and is not stored: it is read again, by the new owner if there is one. */
        void superseded();
    }

    /**
     * What the loop needs.
     *
     * @param name to be claimed
     * @param persistent whether one of the pipeline's regions is
     * @param lock held while records are processed or written
     */
    public record Parts(
            WriterName name,
            boolean persistent,
            Feed feed,
            RecordBatch batch,
            Processing processing,
            PipelineOutput output,
            Store store,
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

    /** What it is doing. */
    public PipelineState state() {
        return state == PipelineState.RUNNING && retry.waiting() ? PipelineState.WAITING : state;
    }

    /** Why it failed, or null. */
    public @Nullable String error() {
        return error;
    }

    /** Which process runs the pipeline, where this one is on standby; else null. */
    public @Nullable String owner() {
        return owner;
    }

    /** Position in the feed up to which records have been taken, as the feed counts it; 0 where it has none. */
    public long position() {
        return position.get();
    }

    /** When the feed ended or the pipeline failed, by the clock of its pauses; 0 before. */
    public long endedNanos() {
        return endedNanos;
    }

    /** Asks it to end after the batch at hand. */
    public void stop() {
        stopping = true;
    }

    @Override
    public void run() {
        boolean goesOn = true;
        while (goesOn && !stopping) {
            Term term = null;
            try {
                term = claim();
                if (term != null) {
                    lead(term);
                }
            } catch (Throwable e) { // An error too must show, not end the thread in silence.
                goesOn = handle(e);
            } finally {
                close(term);
            }
        }
    }

    /** Waits until the right to write is ours; null where it is to stop. */
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
                // Not on standby any more: whatever happens now, the term has to be released.
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
        long from = underLock(() -> output.open(term, feed));
        position.set(from);
        flushedNanos = pauses.nanoTime();
        unanswered = false;
        if (from > 0) {
            LOG.info("{}: continues at position {} of its feed", name.pipeline(), from);
        }
        processing.begin();
        while (!stopping) {
            turn();
        }
        processing.refuse("it was stopped");
        flush(true);
        feed.stored();
    }

    /** Returns whether another term may be claimed. */
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

    /** What batches before the one that failed brought is still stored: no later turn will do it. */
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
                // Until it succeeds: this process is alive, so nobody else would ever take over.
                retry.run(() -> store.release(term));
            } catch (RuntimeException e) {
                LOG.warn("{}: could not be released, others have to wait: {}", name.pipeline(), e.getMessage());
            }
        }
    }

    /** One turn: a batch, or a wait. After the feed's end turns go on, for records that others send. */
    private void turn() throws IOException {
        Poll poll = state == PipelineState.DONE
                ? Poll.END
                : feed.poll(batch, unanswered ? Duration.ZERO : shortest(limits.latency()));
        switch (poll) {
            case RECORDS -> {
                state = PipelineState.RUNNING;
                process();
            }
            case NOTHING_YET -> state = PipelineState.WAITING;
            case END -> end();
        }
        boolean brought = rejectPieces() || poll == Poll.RECORDS;
        answer(poll, brought);
        processing.judge(false);
        if (pauses.nanoTime() - flushedNanos >= limits.flush().toNanos()) {
            flush(false);
        }
    }

    /** Returns whether there were any. */
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

    /** Stores what has come where somebody waits for it and no more is there, or the first has waited long enough. */
    private void answer(Poll poll, boolean brought) throws IOException {
        if (!feed.answers()) {
            return;
        }
        if (brought && !unanswered) {
            unanswered = true;
            unansweredNanos = pauses.nanoTime();
        }
        if (unanswered
                && (poll != Poll.RECORDS
                        || pauses.nanoTime() - unansweredNanos
                                >= limits.latency().toNanos())) {
            flush(false);
            unanswered = false;
            feed.stored();
        }
    }

    /** No wait is longer than what is flushed may wait, nor so long that a stop would have to. */
    private Duration shortest(Duration wait) {
        Duration bound = limits.flush().compareTo(LONGEST_WAIT) < 0 ? limits.flush() : LONGEST_WAIT;
        return wait.compareTo(bound) < 0 ? wait : bound;
    }

    private void process() throws IOException {
        underLock(() -> {
            long to = batch.to();
            output.begin();
            processing.process(batch);
            output.cover(to);
            if (to != RecordBatch.NO_POSITION) {
                position.set(to);
            }
            return to;
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
        // A cut record at the end says nothing of the others.
        processing.judge(true);
        // Stored as provisional: the next term removes it, and reads the record again, perhaps with the rest of it.
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

    /** Something that may fail as feeds do. */
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
