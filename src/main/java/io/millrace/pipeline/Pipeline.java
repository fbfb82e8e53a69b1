package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.feed.Feed.Piece;
import io.millrace.feed.Feed.Poll;
import io.millrace.measure.MeasureKeeper;
import io.millrace.store.RegionWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.support.GenericMessage;

/**
 * A running pipeline: one thread that pulls batches from the feed, sends each along the pipeline's channels, and says
 * to the regions how far the feed is covered. One batch is worked at a time, and the feed is not read meanwhile.
 */
public final class Pipeline {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final PipelineParts parts;
    private final PipelineLimits limits;
    private final Endpoints endpoints;
    private final RecordBatch batch;
    private final Thread thread;
    private final Counter position = new Counter();
    private volatile PipelineState state = PipelineState.WAITING;
    private volatile @Nullable String error;
    private volatile boolean stopping;
    private volatile long startedNanos = System.nanoTime();
    private volatile long endedNanos;
    private volatile long allocatedAtEnd;
    private long flushedNanos = System.nanoTime();
    /** Whether the feed waits to be told that batches are stored, and when the first of them came. */
    private boolean unanswered;

    private long unansweredNanos;

    Pipeline(PipelineParts parts, PipelineLimits limits, Endpoints endpoints) {
        this.endpoints = endpoints;
        this.parts = parts;
        this.limits = limits;
        this.batch = new RecordBatch(parts.plan().schema());
        this.thread = new Thread(this::run, "pipeline-" + parts.plan().name());
    }

    /** The endpoints, writers and counters that it is made of. */
    public PipelineParts parts() {
        return parts;
    }

    public String name() {
        return parts.plan().name();
    }

    public PipelineState state() {
        return state == PipelineState.RUNNING && parts.retry().waiting() ? PipelineState.WAITING : state;
    }

    /** Why it failed, or null. */
    public @Nullable String error() {
        return error;
    }

    /** Position in the feed up to which records have been taken, as the feed counts it; 0 where it has none. */
    public long position() {
        return position.get();
    }

    /** Bytes that the pipeline's thread has allocated since it started. */
    public long allocatedBytes() {
        // A thread that has ended is told as -1.
        long allocated = THREADS.getThreadAllocatedBytes(thread.threadId());
        return allocated < 0 ? allocatedAtEnd : allocated;
    }

    /** Time from the start to the feed's end, or to now, in nanoseconds. */
    public long elapsedNanos() {
        long ended = endedNanos;
        return (ended == 0 ? System.nanoTime() : ended) - startedNanos;
    }

    /** Makes the endpoints listen; another pipeline may send to them from now on. */
    void listen() {
        endpoints.start();
    }

    /** Begins to pull from the feed. */
    void start() {
        startedNanos = System.nanoTime();
        thread.start();
    }

    /** Asks it to end after the batch at hand, without waiting for that. */
    void askToStop() {
        stopping = true;
        parts.retry().stop();
        LockSupport.unpark(thread);
    }

    /** Ends after the batch at hand; what is pending is stored if the store takes it. */
    void stop() {
        askToStop();
        try {
            if (!thread.join(STOP_TIMEOUT)) {
                LOG.warn("{}: did not stop within {}", name(), STOP_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (Feed feed = parts.feed()) {
            openWriters();
            long from = feed.replayable() ? coveredByAll() : 0;
            feed.open(from);
            position.set(from);
            if (from > 0) {
                LOG.info("{}: goes on at position {} of its feed", name(), from);
            }
            while (!stopping) {
                turn(feed);
            }
            parts.entry().close("it was stopped");
            flush(true);
            feed.stored();
        } catch (Throwable e) { // An error too must show, not end the thread in silence.
            if (stopping) {
                parts.entry().close("it was stopped");
                LOG.warn("{}: stopped before everything was stored: {}", name(), e.getMessage());
            } else {
                fail(e);
            }
        } finally {
            allocatedAtEnd = THREADS.getCurrentThreadAllocatedBytes();
        }
    }

    /** What batches before the one that failed brought is stored still: no later turn will do it. */
    private void fail(Throwable e) {
        LOG.error("{}: failed", name(), e);
        error = Failures.describe(e);
        endedNanos = System.nanoTime();
        state = PipelineState.FAILED;
        parts.entry().close("it failed with " + error);
        try {
            flush(true);
        } catch (RuntimeException notStored) {
            LOG.warn("{}: failed before everything was stored: {}", name(), notStored.getMessage());
        }
    }

    /** One turn: a batch, or a wait. After the feed's end turns go on, for records that others send. */
    private void turn(Feed feed) throws IOException {
        Poll poll = state == PipelineState.DONE
                ? Poll.END
                : feed.poll(batch, unanswered ? Duration.ZERO : shortest(limits.latency()));
        switch (poll) {
            case RECORDS -> {
                state = PipelineState.RUNNING;
                work(batch);
            }
            case NOTHING_YET -> state = PipelineState.WAITING;
            case END -> end(feed);
        }
        boolean brought = rejectPieces(feed) || poll == Poll.RECORDS;
        answer(feed, poll, brought);
        if (System.nanoTime() - flushedNanos >= limits.flush().toNanos()) {
            flush(false);
        }
    }

    /** Says whether there were any. */
    private boolean rejectPieces(Feed feed) {
        Piece first = feed.takePiece();
        for (Piece piece = first; piece != null; piece = feed.takePiece()) {
            parts.entry().rejectPiece(piece);
        }
        return first != null;
    }

    /** Stores what has come where somebody waits for it and no more is there, or the first has waited long enough. */
    private void answer(Feed feed, Poll poll, boolean brought) {
        if (!feed.answers()) {
            return;
        }
        if (brought && !unanswered) {
            unanswered = true;
            unansweredNanos = System.nanoTime();
        }
        if (unanswered
                && (poll != Poll.RECORDS
                        || System.nanoTime() - unansweredNanos
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

    private void work(RecordBatch full) {
        parts.lock().lock();
        try {
            long to = full.to();
            parts.input().send(new GenericMessage<>(full));
            parts.writers().values().forEach(writer -> writer.coverUpTo(to));
            parts.measures().forEach(measure -> measure.coverUpTo(to));
            if (to != RecordBatch.NO_POSITION) {
                position.set(to);
            }
        } finally {
            parts.lock().unlock();
        }
    }

    private void end(Feed feed) {
        if (state == PipelineState.DONE) {
            LockSupport.parkNanos(shortest(limits.flush()).toNanos());
            return;
        }
        rejectPieces(feed);
        endMeasures();
        flush(true);
        endedNanos = System.nanoTime();
        state = PipelineState.DONE;
    }

    private void endMeasures() {
        parts.lock().lock();
        try {
            parts.measures().forEach(MeasureKeeper::end);
        } finally {
            parts.lock().unlock();
        }
    }

    /**
     * Rejects go first: a stored position must not pass a reject that is not stored.
     *
     * @param last whether nothing comes any more, so that what measures know has to be stored too
     */
    private void flush(boolean last) {
        parts.lock().lock();
        try {
            parts.retry().run(parts.rejectWriter()::flush);
            for (RegionWriter writer : parts.writers().values()) {
                parts.retry().run(writer::flush);
            }
            for (MeasureKeeper measure : parts.measures()) {
                parts.retry().run(() -> measure.flush(last));
            }
        } finally {
            parts.lock().unlock();
        }
        flushedNanos = System.nanoTime();
    }

    private void openWriters() {
        parts.lock().lock();
        try {
            parts.writers().values().forEach(writer -> parts.retry().run(writer::open));
            parts.measures().forEach(measure -> parts.retry().run(measure::open));
        } finally {
            parts.lock().unlock();
        }
    }

    private long coveredByAll() {
        long byRegions = parts.writers().values().stream()
                .mapToLong(RegionWriter::covered)
                .min()
                .orElse(0);
        return parts.measures().stream().mapToLong(MeasureKeeper::covered).reduce(byRegions, Math::min);
    }
}
