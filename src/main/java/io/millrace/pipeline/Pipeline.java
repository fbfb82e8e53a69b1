package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.feed.Feed;
import io.millrace.measure.run.RunningMeasure;
import io.millrace.pipeline.chain.Endpoints;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.monitor.LateStatus;
import io.millrace.pipeline.monitor.RejectStatus;
import io.millrace.pipeline.run.Balance;
import io.millrace.pipeline.run.Lane;
import io.millrace.pipeline.run.LaneTask;
import io.millrace.pipeline.run.RestartRefusedException;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.pipeline.step.StoppablePauses;
import io.millrace.pipeline.version.LiveRules;
import io.millrace.pipeline.version.SummedStep;
import io.millrace.store.write.WriterCounters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.support.GenericMessage;

/**
 * A running pipeline: partitions that read a split of the feed each, and lanes, threads that turn them. A partition
 * processes one batch at a time and does not poll its feed meanwhile.
 *
 * <p>Any thread may read its plan, state and counters, which are those of all partitions.
 */
@API(status = API.Status.STABLE)
public final class Pipeline {

    private final PipelineDefinition definition;
    private final List<Partition> partitions;
    private final List<Lane> lanes = new ArrayList<>();
    private final Endpoints endpoints;
    private final Balance balance;
    private final StoppablePauses stop;
    private final LiveRules rules;
    private final StepCounters entry;
    private final List<RunningMeasure> measures;
    private final PartitionSums sums;

    /**
     * @param partitions at least one
     * @param laneCount number of threads, at least one and at most that of partitions
     * @param balance of its partitions among processes
     * @param stop ends the pauses of all partitions
     */
    Pipeline(
            PipelineDefinition definition,
            List<Partition> partitions,
            int laneCount,
            Endpoints endpoints,
            Balance balance,
            StoppablePauses stop) {
        this.definition = definition;
        this.partitions = List.copyOf(partitions);
        this.sums = new PartitionSums(this.partitions);
        this.endpoints = endpoints;
        this.balance = balance;
        this.stop = stop;
        this.rules = new LiveRules(
                partitions.stream().map(partition -> partition.parts().rules()).toList());
        this.entry = SummedStep.of(
                partitions.stream().map(partition -> partition.parts().entry()).toList());
        this.measures = RunningMeasure.of(partitions.stream()
                .map(partition -> partition.parts().assembler().measures())
                .toList());
        List<LaneTask> tasks = partitions.stream().map(Partition::task).toList();
        for (int i = 0; i < laneCount; i++) {
            String thread = "pipeline-" + definition.name() + (laneCount == 1 ? "" : "-lane-" + i);
            lanes.add(new Lane(thread, tasks, stop));
        }
        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).assign(lanes.get(i % laneCount));
        }
    }

    /** Returns the name of the pipeline. */
    public String name() {
        return definition.name();
    }

    /** Returns the plan of the current version of its rules. */
    @API(status = API.Status.INTERNAL)
    public PipelinePlan plan() {
        return rules.plan();
    }

    /** Returns the versions of its rules: the current one, and changes of it. */
    @API(status = API.Status.INTERNAL)
    public LiveRules rules() {
        return rules;
    }

    /** Returns its partitions, in the order of their numbers. */
    List<Partition> partitions() {
        return partitions;
    }

    /** Returns the source of the records of its first partition. */
    @API(status = API.Status.INTERNAL)
    public Feed feed() {
        return partitions.getFirst().parts().feed().source();
    }

    /** Returns what the feeds of its partitions are together. */
    @API(status = API.Status.INTERNAL)
    public PartitionFeeds feeds() {
        return new PartitionFeeds(partitions, sums);
    }

    /** Returns its measures, in the order of the configuration. */
    @API(status = API.Status.INTERNAL)
    public List<RunningMeasure> measures() {
        return measures;
    }

    /** Returns the counters of its first endpoint, which validates records before the first step. */
    @API(status = API.Status.INTERNAL)
    public StepCounters entry() {
        return entry;
    }

    /**
     * Returns the counters of its steps, in the order of the plan. Those of a step continue if its rules are replaced
     * by others that have a step of the same name.
     */
    @API(status = API.Status.INTERNAL)
    public List<StepCounters> steps() {
        return rules.steps();
    }

    /** Returns the number of records and incomplete records received. */
    @API(status = API.Status.INTERNAL)
    public Counter arrived() {
        return sums.of("arrived", partition -> partition.parts().entry().arrived());
    }

    /** Returns the number of batches received. */
    @API(status = API.Status.INTERNAL)
    public Counter batches() {
        return sums.of("batches", partition -> partition.parts().entry().batches());
    }

    /** Returns the number of records of the batches that are being processed. */
    long atWork() {
        return partitions.stream().mapToLong(Partition::atWork).sum();
    }

    /** Returns the number of records rejected for a reason of this kind. */
    @API(status = API.Status.INTERNAL)
    public Counter rejected(Kind kind) {
        return sums.of(
                "rejected " + kind, partition -> partition.parts().rejects().count(kind));
    }

    /** Returns its partitions, in the order of their numbers, as a shadow sees them. */
    @API(status = API.Status.INTERNAL)
    public List<ObservedPartition> observed() {
        return partitions.stream().map(ObservedPartition::new).toList();
    }

    /** Returns the number of failed attempts to store something. */
    @API(status = API.Status.INTERNAL)
    public Counter storeRetries() {
        return sums.of("store retries", partition -> partition.parts().retry().failures());
    }

    /** Returns the number of failed attempts to open or read the feed. */
    @API(status = API.Status.INTERNAL)
    public Counter feedRetries() {
        return sums.of("feed retries", partition -> partition.parts().feed().failures());
    }

    /** Returns the counters of the writers of its records, by target. */
    @API(status = API.Status.INTERNAL)
    public Map<String, WriterCounters> writers() {
        return partitions.getFirst().parts().assembler().writers().keySet().stream()
                .collect(Collectors.toMap(region -> region, sums::writers, (a, _) -> a, LinkedHashMap::new));
    }

    /** Processes records on the calling thread, as a message to the pipeline's input channel does. */
    @API(status = API.Status.INTERNAL)
    public void send(byte[] records) {
        endpoints.channel(definition.inputChannel()).send(new GenericMessage<>(records));
    }

    /** Closes all open windows of event time, as the end of a feed does if no records can follow. */
    @API(status = API.Status.INTERNAL)
    public void closeWindows() {
        partitions.forEach(Partition::closeWindows);
    }

    /** Stores everything that has been processed. */
    @API(status = API.Status.INTERNAL)
    public void flush() throws IOException {
        for (Partition partition : partitions) {
            partition.flush();
        }
        if (partitions.size() > 1) {
            partitions.getFirst().flush(); // merges what the others have added
        }
    }

    /** Returns what the pipeline does at this moment. */
    public PipelineState state() {
        return PipelineState.of(partitions.stream().map(Partition::state).toList());
    }

    /**
     * Returns whether the pipeline takes no more records from its feed: the feed has ended and everything is stored, or
     * the pipeline has failed.
     */
    public boolean ended() {
        return partitions.stream().allMatch(Partition::done)
                && (state() == PipelineState.FAILED || measures.stream().allMatch(RunningMeasure::merged));
    }

    /**
     * Returns whether no counter changes unless the pipeline is restarted: it has failed and has stored what it could,
     * or its threads have ended.
     */
    public boolean terminated() {
        return partitions.stream().allMatch(partition -> partition.loop().settled())
                || lanes.stream().allMatch(Lane::ended);
    }

    /** Returns the share of records that the pipeline rejects: that of the partition with the largest one. */
    @API(status = API.Status.INTERNAL)
    public RejectStatus rejectStatus() {
        return partitions.stream()
                .map(partition -> partition.rejectMonitor().status())
                .max(Comparator.comparingDouble(RejectStatus::share))
                .orElseThrow();
    }

    /** Returns the share of late records of each measure that had any at its last evaluation. */
    @API(status = API.Status.INTERNAL)
    public List<LateStatus> lateStatus() {
        return partitions.stream()
                .flatMap(partition -> partition.lateMonitor().status().stream())
                .toList();
    }

    /** Returns why the pipeline failed, or why it waits for its feed; null if neither is the case. */
    public @Nullable String error() {
        for (Partition partition : partitions) {
            String error = partition.error();
            if (error != null) {
                return partitions.size() == 1 ? error : "Partition " + partition.number() + ": " + error;
            }
        }
        return null;
    }

    /** Returns the process that runs the pipeline if this one is on standby, otherwise null. */
    public @Nullable String owner() {
        boolean standby =
                partitions.stream().allMatch(partition -> partition.loop().owner() != null);
        return standby ? partitions.getFirst().loop().owner() : null;
    }

    /**
     * Returns the number of records that were received here but not stored. They are read from the feed again: by the
     * process that took over, or by this one after the store was reopened.
     */
    public Counter superseded() {
        return sums.of("superseded", Partition::superseded);
    }

    /**
     * Returns the feed position up to which records have been taken, in the units of the feed; 0 for a feed without
     * positions. With several partitions, how much of the feed all of them have taken.
     */
    public long position() {
        return partitions.stream()
                .mapToLong(partition ->
                        partition.parts().feed().taken(partition.loop().position()))
                .sum();
    }

    /** Returns the bytes that the pipeline's threads have allocated since they started. */
    public long allocatedBytes() {
        return lanes.stream().mapToLong(Lane::allocatedBytes).sum();
    }

    /** Returns the time from the start to the end of the feed, or until now, in nanoseconds. */
    public long elapsedNanos() {
        long ended = 0;
        for (Partition partition : partitions) {
            long ofPartition = partition.loop().endedNanos();
            ended = ofPartition == 0 ? Long.MAX_VALUE : Math.max(ended, ofPartition);
        }
        return (ended == Long.MAX_VALUE ? System.nanoTime() : ended)
                - lanes.getFirst().startedNanos();
    }

    /** Starts the endpoints, after which other pipelines may send to them. */
    void listen() {
        endpoints.start();
    }

    /** Starts to poll the feed. */
    void start() {
        lanes.forEach(Lane::start);
    }

    /** Runs a lane on the calling thread until the pipeline stops, instead of {@link #start}. */
    void run(int lane) {
        lanes.get(lane).run();
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
        return partitions.stream()
                .map(partition -> partition.parts().restarts().request())
                .reduce((a, b) -> a.thenCombine(b, Math::min))
                .orElseThrow();
    }

    /** Requests a stop after the current batches, without waiting. */
    void askToStop() {
        partitions.forEach(partition -> partition.loop().stop());
        stop.stop();
        balance.leave();
    }

    /** Stops after the current batches and waits for it. Pending records are stored if the store accepts them. */
    void stop() {
        askToStop();
        lanes.forEach(Lane::awaitEnd);
    }
}
