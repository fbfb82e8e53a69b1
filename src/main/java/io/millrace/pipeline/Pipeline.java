package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.codec.RejectSink;
import io.millrace.feed.Feed;
import io.millrace.feed.FeedEnd;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.Endpoints.Endpoint;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.WriterCounters;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.support.GenericMessage;

/**
 * A running pipeline: one thread that polls batches from the feed, sends each of them through the pipeline's channels,
 * and commits the position in the feed. It processes one batch at a time and does not poll the feed meanwhile.
 *
 * <p>Any thread may read its plan, state and counters.
 */
@API(status = API.Status.STABLE)
public final class Pipeline {

    private final PipelineParts parts;
    private final PipelineLoop loop;
    private final PipelineThread thread;
    private final Counter superseded = new Counter();
    private final RejectMonitor rejectMonitor;
    private final LateMonitor lateMonitor;

    /**
     * @param writer writer name of the pipeline
     * @param persistent whether one of its regions is persistent
     */
    Pipeline(PipelineParts parts, PipelineLimits limits, RegionWriters store, WriterName writer, boolean persistent) {
        this.parts = parts;
        this.rejectMonitor = new RejectMonitor(
                name(),
                parts.definition().rejectsRegion(),
                parts.definition().rejectThresholds(),
                parts.entry().arrived(),
                () -> parts.rules().running().elements(),
                parts.rejects());
        this.lateMonitor = new LateMonitor(
                name(),
                parts.definition().lateThresholds(),
                () -> parts.assembler().measures());
        this.loop = new PipelineLoop(new PipelineLoop.Parts(
                writer,
                persistent,
                parts.feed(),
                parts.definition().feed().end() == FeedEnd.FINAL,
                new ChannelProcessing(
                        parts,
                        rejectMonitor,
                        lateMonitor,
                        superseded,
                        () -> PipelineStatus.of(this).inFlight()),
                parts.rules().control(),
                parts.output(),
                store,
                parts.retry(),
                parts.stop().orWhile(parts.restarts()::requested),
                parts.restarts(),
                limits,
                parts.lock()));
        this.thread = new PipelineThread(name(), loop);
    }

    /** Returns the name of the pipeline. */
    public String name() {
        return parts.definition().name();
    }

    /** Returns the plan of the current version of its rules. */
    @API(status = API.Status.INTERNAL)
    public PipelinePlan plan() {
        return parts.rules().running().version().plan();
    }

    /** Returns the versions of its rules: the current one, and changes of it. */
    @API(status = API.Status.INTERNAL)
    public LiveRules rules() {
        return parts.rules();
    }

    /** Returns the source of its records. */
    @API(status = API.Status.INTERNAL)
    public Feed feed() {
        return parts.feed().source();
    }

    /** Returns the processors of its measures, in the order of the configuration. */
    @API(status = API.Status.INTERNAL)
    public List<MeasureProcessor> measures() {
        return parts.assembler().measures();
    }

    /** Returns the counters of its first endpoint, which validates records before the first step. */
    @API(status = API.Status.INTERNAL)
    public StepCounters entry() {
        return parts.entry();
    }

    /**
     * Returns the counters of its steps, in the order of the plan. Those of a step continue if its rules are replaced
     * by others that have a step of the same name.
     */
    @API(status = API.Status.INTERNAL)
    public List<StepCounters> steps() {
        return List.copyOf(parts.rules().running().version().steps());
    }

    /** Returns the number of records and incomplete records received. */
    @API(status = API.Status.INTERNAL)
    public Counter arrived() {
        return parts.entry().arrived();
    }

    /** Returns the number of batches received. */
    @API(status = API.Status.INTERNAL)
    public Counter batches() {
        return parts.entry().batches();
    }

    /** Returns the number of records of the batches that are being processed. */
    long atWork() {
        return parts.entry().atWork().get()
                + steps().stream()
                        .flatMap(step -> Stream.ofNullable(step.atWork()))
                        .mapToLong(Counter::get)
                        .sum();
    }

    /** Returns the number of records rejected for a reason of this kind. */
    @API(status = API.Status.INTERNAL)
    public Counter rejected(Kind kind) {
        return parts.rejects().count(kind);
    }

    /** Passes each record that a step rejects to a sink too, on the pipeline's thread. A later sink replaces it. */
    @API(status = API.Status.INTERNAL)
    public void observeRejects(RejectSink sink) {
        parts.rejects().observe(sink);
    }

    /** Ends to pass rejected records to a sink, unless another one has replaced it. */
    @API(status = API.Status.INTERNAL)
    public void stopObservingRejects(RejectSink sink) {
        parts.rejects().stopObserving(sink);
    }

    /** Returns the number of failed attempts to store something. */
    @API(status = API.Status.INTERNAL)
    public Counter storeRetries() {
        return parts.retry().failures();
    }

    /** Returns the number of failed attempts to open or read the feed. */
    @API(status = API.Status.INTERNAL)
    public Counter feedRetries() {
        return parts.feed().failures();
    }

    /** Returns the counters of the writers of its records, by region. */
    @API(status = API.Status.INTERNAL)
    public Map<String, WriterCounters> writers() {
        Map<String, WriterCounters> counters = new LinkedHashMap<>();
        parts.assembler().writers().forEach((region, writer) -> counters.put(region, writer.counters()));
        return counters;
    }

    /** Returns the counters of the writer of records before the first step; null if they are not stored. */
    @Nullable
    WriterCounters rawWriter() {
        RegionWriter raw = parts.assembler().raw();
        return raw == null ? null : raw.counters();
    }

    /** Processes records on the calling thread, as a message to the pipeline's input channel does. */
    @API(status = API.Status.INTERNAL)
    public void send(byte[] records) {
        parts.input().send(new GenericMessage<>(records));
    }

    /** Closes all open windows of event time, as the end of a feed does if no records can follow. */
    @API(status = API.Status.INTERNAL)
    public void closeWindows() {
        parts.lock().lock();
        try {
            measures().forEach(MeasureProcessor::end);
        } finally {
            parts.lock().unlock();
        }
    }

    /** Stores everything that has been processed. */
    @API(status = API.Status.INTERNAL)
    public void flush() throws IOException {
        parts.lock().lock();
        try {
            parts.output().flush(true, true, parts.feed());
        } finally {
            parts.lock().unlock();
        }
    }

    /** Returns what the pipeline does at this moment. */
    public PipelineState state() {
        PipelineState now = loop.state();
        if (now == PipelineState.RUNNING && parts.feed().failure() != null) {
            now = PipelineState.WAITING;
        }
        boolean judged = now != PipelineState.FAILED && now != PipelineState.STANDBY;
        return judged && rejectMonitor.degraded() ? PipelineState.DEGRADED : now;
    }

    /**
     * Returns whether the pipeline takes no more records from its feed: the feed has ended and everything is stored, or
     * the pipeline has failed.
     */
    public boolean ended() {
        PipelineState now = loop.state();
        return now == PipelineState.DONE || now == PipelineState.FAILED;
    }

    /**
     * Returns whether no counter changes unless the pipeline is restarted: it has failed and has stored what it could,
     * or its thread has ended.
     */
    public boolean terminated() {
        return loop.settled() || thread.ended();
    }

    /** Returns the share of records that the pipeline rejects. */
    @API(status = API.Status.INTERNAL)
    public RejectStatus rejectStatus() {
        return rejectMonitor.status();
    }

    /** Returns the share of late records of each measure that had any at its last evaluation. */
    @API(status = API.Status.INTERNAL)
    public List<LateStatus> lateStatus() {
        return lateMonitor.status();
    }

    /** Returns why the pipeline failed, or why it waits for its feed; null if neither is the case. */
    public @Nullable String error() {
        String failure = loop.error();
        return failure == null ? parts.feed().failure() : failure;
    }

    /** Returns the process that runs the pipeline if this one is on standby, otherwise null. */
    public @Nullable String owner() {
        return loop.owner();
    }

    /**
     * Returns the number of records that were received here but not stored. They are read from the feed again: by the
     * process that took over, or by this one after the store was reopened.
     */
    public Counter superseded() {
        return superseded;
    }

    /**
     * Returns the feed position up to which records have been taken, in the units of the feed; 0 for a feed without
     * positions.
     */
    public long position() {
        return loop.position();
    }

    /** Returns the bytes that the pipeline's thread has allocated since it started. */
    public long allocatedBytes() {
        return thread.allocatedBytes();
    }

    /** Returns the time from the start to the end of the feed, or until now, in nanoseconds. */
    public long elapsedNanos() {
        long ended = loop.endedNanos();
        return (ended == 0 ? System.nanoTime() : ended) - thread.startedNanos();
    }

    /** Starts the endpoints, after which other pipelines may send to them. */
    void listen() {
        parts.endpoints().forEach(Endpoint::start);
        parts.assembler().listen();
    }

    /** Starts to poll the feed. */
    void start() {
        thread.start();
    }

    /** Runs it on the calling thread until it stops, instead of {@link #start}. */
    void run() {
        loop.run();
    }

    /**
     * Requests a restart, without waiting: the pipeline stores everything that is pending, ends its term, and continues
     * at the committed position, as after a restart of the process. A pipeline that has failed or whose feed has ended
     * opens its feed again. The configuration is not read again. While the store does not answer, the restart waits.
     *
     * @return completes with the feed position from which the pipeline continues, or with a
     *     {@link RestartRefusedException} if it runs in another process, fails again or stops
     */
    @API(status = API.Status.INTERNAL)
    public CompletableFuture<Long> restart() {
        return parts.restarts().request();
    }

    /** Requests a stop after the current batch, without waiting. */
    void askToStop() {
        loop.stop();
        parts.stop().stop();
    }

    /** Stops after the current batch and waits for it. Pending records are stored if the store accepts them. */
    void stop() {
        askToStop();
        thread.awaitEnd();
    }
}
