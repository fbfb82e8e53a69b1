package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.feed.FeedEnd;
import io.millrace.pipeline.monitor.LateMonitor;
import io.millrace.pipeline.monitor.RejectMonitor;
import io.millrace.pipeline.run.Lane;
import io.millrace.pipeline.run.LaneTask;
import io.millrace.pipeline.run.LoopParts;
import io.millrace.pipeline.run.PartitionLoop;
import io.millrace.pipeline.run.PartitionState;
import io.millrace.pipeline.run.PipelineLimits;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.version.EndedSteps;
import io.millrace.pipeline.version.PartitionRules;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.WriterCounters;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a pipeline that keeps the order of its records: a split of the feed, the running steps with their state,
 * and a writer of its own. It has no thread: a {@link Lane} turns it, one at a time.
 *
 * <p>Any thread may read its counters and state.
 */
final class Partition {

    private final PartitionParts parts;
    private final PartitionLoop loop;
    private final Counter superseded = new Counter();
    private final RejectMonitor rejectMonitor;
    private final LateMonitor lateMonitor;
    private final LaneTask task;

    /**
     * The numbers of records of a partition at one moment. Outgoing records are read before incoming ones, so that the
     * number in flight is never negative.
     *
     * @param sent records sent to channels of the application
     */
    record Counts(
            Map<String, Long> keptByRegion,
            long sent,
            long dropped,
            Map<Kind, Long> rejected,
            long superseded,
            long made,
            long in) {

        long kept() {
            return sum(keptByRegion) + sent;
        }

        long rejectedRecords() {
            return sum(rejected);
        }

        long inFlight() {
            return in + made - kept() - dropped - rejectedRecords() - superseded;
        }

        private static long sum(Map<?, Long> counts) {
            return counts.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    Partition(PartitionParts parts, PipelineLimits limits, RegionWriters store) {
        this.parts = parts;
        String pipeline = parts.definition().name();
        this.rejectMonitor = new RejectMonitor(
                pipeline,
                parts.definition().rejectsRegion(),
                parts.definition().rejectThresholds(),
                parts.entry().arrived(),
                () -> parts.rules().running().elements(),
                parts.rejects());
        this.lateMonitor = new LateMonitor(
                pipeline,
                parts.definition().lateThresholds(),
                () -> parts.assembler().measures());
        this.loop = new PartitionLoop(new LoopParts(
                parts.writer(),
                parts.persistent(),
                parts.feed(),
                parts.definition().feed().end() == FeedEnd.FINAL,
                new ChannelProcessing(parts, rejectMonitor, lateMonitor, superseded, () -> counts().inFlight()),
                parts.rules().control(),
                parts.output(),
                store,
                parts.balance(),
                parts.retry(),
                parts.stop().orWhile(parts.restarts()::requested),
                parts.restarts(),
                limits,
                parts.lock()));
        parts.entry().listen(loop::recordsArrived);
        this.task = new LaneTask(loop::turn);
    }

    PartitionParts parts() {
        return parts;
    }

    PartitionLoop loop() {
        return loop;
    }

    int number() {
        return parts.writer().partition();
    }

    /** Returns what lanes turn. */
    LaneTask task() {
        return task;
    }

    /** Returns the current numbers of records. */
    Counts counts() {
        Map<String, Long> keptByRegion = new LinkedHashMap<>();
        parts.assembler()
                .writers()
                .forEach((region, writer) ->
                        keptByRegion.put(region, writer.counters().kept().get()));
        PartitionRules.Running rules = parts.rules().running();
        EndedSteps ended = rules.ended();
        long sent = ended.sentRecords();
        long dropped = ended.dropped();
        for (BatchStep step : rules.version().steps()) {
            sent += step.sent().values().stream().mapToLong(Counter::get).sum();
            Counter ofStep = step.dropped();
            dropped += ofStep == null ? 0 : ofStep.get();
        }
        Map<Kind, Long> rejected = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            rejected.put(kind, parts.rejects().count(kind).get());
        }
        return new Counts(
                keptByRegion,
                sent,
                dropped,
                rejected,
                superseded.get(),
                rules.made(),
                parts.entry().arrived().get());
    }

    Counter superseded() {
        return superseded;
    }

    /** Returns the number of records of the batches that are being processed. */
    long atWork() {
        return parts.entry().atWork().get()
                + parts.rules().running().version().steps().stream()
                        .flatMap(step -> Stream.ofNullable(step.atWork()))
                        .mapToLong(Counter::get)
                        .sum();
    }

    /** Returns the bytes of stored values. */
    long storedBytes() {
        RegionWriter raw = parts.assembler().raw();
        return Stream.concat(parts.assembler().writers().values().stream(), Stream.ofNullable(raw))
                .map(RegionWriter::counters)
                .map(WriterCounters::bytes)
                .mapToLong(Counter::get)
                .sum();
    }

    RejectMonitor rejectMonitor() {
        return rejectMonitor;
    }

    LateMonitor lateMonitor() {
        return lateMonitor;
    }

    PipelineState state() {
        return switch (loop.state()) {
            case STANDBY -> PipelineState.STANDBY;
            case FAILED -> PipelineState.FAILED;
            case WAITING -> unlessDegraded(PipelineState.WAITING);
            case RUNNING ->
                unlessDegraded(parts.feed().failure() == null ? PipelineState.RUNNING : PipelineState.WAITING);
            case DONE -> unlessDegraded(PipelineState.DONE);
        };
    }

    private PipelineState unlessDegraded(PipelineState state) {
        return rejectMonitor.degraded() ? PipelineState.DEGRADED : state;
    }

    /** Returns whether it takes no more records from its feed. */
    boolean done() {
        PartitionState now = loop.state();
        return now == PartitionState.DONE || now == PartitionState.FAILED;
    }

    /** Returns why it failed, or why it waits for its feed; null if neither is the case. */
    @Nullable
    String error() {
        String failure = loop.error();
        return failure == null ? parts.feed().failure() : failure;
    }

    void closeWindows() {
        parts.lock().lock();
        try {
            parts.assembler().measures().forEach(measure -> measure.end(0));
        } finally {
            parts.lock().unlock();
        }
    }

    void flush() throws IOException {
        parts.lock().lock();
        try {
            parts.output().flush(true, true, parts.feed());
        } finally {
            parts.lock().unlock();
        }
    }
}
