package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed.Piece;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.step.StopLatch;
import io.millrace.store.Store;
import io.millrace.store.WriterName;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.support.GenericMessage;

/**
 * A running pipeline: one thread that pulls batches from the feed, sends each along the pipeline's channels, and stores
 * how far the feed is covered. One batch is worked at a time, and the feed is not read meanwhile.
 */
public final class Pipeline {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final PipelineParts parts;
    private final Endpoints endpoints;
    private final PipelineLoop loop;
    private final StopLatch stop;
    private final Thread thread;
    private final Counter superseded = new Counter();
    private final RejectMonitor rejectMonitor;
    private volatile long startedNanos = System.nanoTime();
    private volatile long allocatedAtEnd;

    /**
     * @param writer the name that the pipeline writes under
     * @param persistent whether one of its regions is
     * @param stop ends the pauses of the parts' retries too
     */
    Pipeline(
            PipelineParts parts,
            PipelineLimits limits,
            Endpoints endpoints,
            Store store,
            WriterName writer,
            boolean persistent,
            StopLatch stop) {
        this.endpoints = endpoints;
        this.parts = parts;
        this.stop = stop;
        this.loop = new PipelineLoop(new PipelineLoop.Parts(
                writer,
                persistent,
                parts.feed(),
                new RecordBatch(parts.plan().schema()),
                new Channels(),
                parts.output(),
                store,
                parts.retry(),
                stop,
                limits,
                parts.lock()));
        this.thread = new Thread(this::run, "pipeline-" + parts.plan().name());
        this.rejectMonitor = new RejectMonitor(
                parts.plan().name(),
                parts.plan().definition().rejectsRegion(),
                parts.plan().definition().rejectThresholds(),
                parts.entry().arrived(),
                parts.rejects());
    }

    /** Processes what comes over the pipeline's channels. */
    private final class Channels implements PipelineLoop.Processing {

        @Override
        public void begin() {
            parts.entry().open();
        }

        @Override
        public void process(RecordBatch batch) {
            parts.input().send(new GenericMessage<>(batch));
            if (batch.to() != RecordBatch.NO_POSITION) {
                parts.rejects().send(batch.to());
            }
        }

        @Override
        public void reject(List<Piece> pieces) {
            parts.entry().rejectPieces(pieces);
        }

        @Override
        public void end() {
            parts.measures().forEach(MeasureProcessor::end);
        }

        /** Between batches, from every sender: within one, its rejects are not all counted yet. */
        @Override
        public void judge(boolean wholeFeed) {
            if (wholeFeed || rejectMonitor.due()) {
                parts.lock().lock();
                try {
                    rejectMonitor.evaluate(wholeFeed);
                } finally {
                    parts.lock().unlock();
                }
            }
        }

        @Override
        public void refuse(String why) {
            parts.entry().close(why);
        }

        @Override
        public void superseded() {
            superseded.add(PipelineStatus.of(Pipeline.this).inFlight());
        }
    }

    /** The endpoints, writers and counters that it is made of. */
    public PipelineParts parts() {
        return parts;
    }

    public String name() {
        return parts.plan().name();
    }

    public PipelineState state() {
        PipelineState now = loop.state();
        boolean judged = now != PipelineState.FAILED && now != PipelineState.STANDBY;
        return judged && rejectMonitor.degraded() ? PipelineState.DEGRADED : now;
    }

    /** Whether it takes no more records from its feed: the feed has ended and everything is stored, or it failed. */
    public boolean ended() {
        PipelineState now = loop.state();
        return now == PipelineState.DONE || now == PipelineState.FAILED;
    }

    /** Whether its thread has ended, after which no counter changes any more. */
    public boolean terminated() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    /** Returns what share of its records it rejects. */
    public RejectStatus rejectStatus() {
        return rejectMonitor.status();
    }

    /** Why it failed, or null. */
    public @Nullable String error() {
        return loop.error();
    }

    /** Which process runs the pipeline, where this one is on standby; else null. */
    public @Nullable String owner() {
        return loop.owner();
    }

    /** Records that came in here and were stored by the process that took over, which read them again. */
    public Counter superseded() {
        return superseded;
    }

    /** Position in the feed up to which records have been taken, as the feed counts it; 0 where it has none. */
    public long position() {
        return loop.position();
    }

    /** Bytes that the pipeline's thread has allocated since it started. */
    public long allocatedBytes() {
        // A thread that has ended has -1.
        long allocated = THREADS.getThreadAllocatedBytes(thread.threadId());
        return allocated < 0 ? allocatedAtEnd : allocated;
    }

    /** Time from the start to the feed's end, or to now, in nanoseconds. */
    public long elapsedNanos() {
        long ended = loop.endedNanos();
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

    private void run() {
        try {
            loop.run();
        } finally {
            allocatedAtEnd = THREADS.getCurrentThreadAllocatedBytes();
        }
    }

    /** Asks it to end after the batch at hand, without waiting for that. */
    void askToStop() {
        loop.stop();
        stop.stop();
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
}
