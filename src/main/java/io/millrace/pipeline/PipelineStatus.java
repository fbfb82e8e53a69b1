package io.millrace.pipeline;

import io.millrace.feed.Feed;
import io.millrace.pipeline.monitor.LateStatus;
import io.millrace.pipeline.monitor.RejectStatus;
import io.millrace.pipeline.step.StepCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a pipeline at one moment. Always {@code in + made = kept + dropped + rejected + superseded +
 * inFlight}.
 *
 * @param name name of the pipeline
 * @param state state in lower case
 * @param error why it failed, or why its feed can't be read at the moment; null otherwise
 * @param in records received
 * @param made records that steps made of others, less those that they were made of, and records that reached one more
 *     target than the first
 * @param kept records stored in a region or sent to a channel of the application
 * @param dropped records that a filter or a route dropped
 * @param rejected records that could not be processed
 * @param inFlight records in flight
 * @param position feed position up to which records have been taken, in the units of the {@linkplain Feed feed}; 0 for
 *     a feed without positions. With several partitions, how much of the feed all of them have taken
 * @param lag part of the feed that has not been taken yet, as {@link Feed#lag} counts it
 * @param owner the process that runs the pipeline if this one is on standby, otherwise null
 * @param superseded records received but not stored because another process took over or the store was reopened; they
 *     are read from the feed again
 * @param source description of the feed
 * @param feed counters of the feed other than records, by name
 * @param allocatedBytes bytes that the pipeline's thread has allocated
 * @param storedBytes part of {@code allocatedBytes}: bytes of stored values
 * @param steps counters of the steps, in order
 * @param keptByRegion records stored, by region or output
 * @param rejectedByReason records rejected, by reason
 * @param ended whether the pipeline takes no more records from its feed: the feed has ended, or the pipeline failed
 * @param rejectStatus share of rejected records
 * @param lateStatus share of late records of each measure that had any
 * @param rulesVersion number of the version of its rules; 0 before the first record
 * @param tables version of the rows of each table that its rules use
 * @param partitions progress of its partitions, in the order of their numbers
 */
public record PipelineStatus(
        String name,
        String state,
        @Nullable String error,
        long in,
        long made,
        long kept,
        long dropped,
        long rejected,
        long inFlight,
        long position,
        long lag,
        @Nullable String owner,
        long superseded,
        String source,
        Map<String, Long> feed,
        long allocatedBytes,
        long storedBytes,
        List<Step> steps,
        Map<String, Long> keptByRegion,
        Map<String, Long> rejectedByReason,
        boolean ended,
        RejectStatus rejectStatus,
        List<LateStatus> lateStatus,
        long rulesVersion,
        Map<String, String> tables,
        List<PartitionStatus> partitions) {

    /**
     * The progress of a partition.
     *
     * @param partition number of the partition, from 0
     * @param state state in lower case
     * @param owner the process that has the partition if this one has not, otherwise null
     * @param position feed position up to which it has taken records
     * @param lag part of its split of the feed that it has not taken yet
     * @param absent whether the source does not have the split
     * @param rulesVersion number of the version of its rules
     */
    public record PartitionStatus(
            int partition,
            String state,
            @Nullable String owner,
            long position,
            long lag,
            boolean absent,
            long rulesVersion) {

        static PartitionStatus of(Partition partition) {
            return new PartitionStatus(
                    partition.number(),
                    partition.state().tag(),
                    partition.loop().owner(),
                    partition.loop().position(),
                    partition.parts().feed().lag(),
                    partition.parts().feed().absent(),
                    partition.parts().rules().running().version().number());
        }
    }

    /** The counters of a step. */
    public record Step(String name, String kind, long in, long out, double nanosPerRecord) {

        /** Returns the current counters. */
        public static Step of(StepCounters counters) {
            return new Step(
                    counters.name(),
                    counters.kind(),
                    counters.in().get(),
                    counters.out().get(),
                    Math.round(counters.nanosPerRecord() * 100) / 100.0);
        }
    }

    /**
     * Returns the current counters. The state is read first: a pipeline that has ended does not count further records
     * of its feed, so a status that reports the end has the final counters. Outgoing records are read before incoming
     * ones, so that the number in flight is never negative.
     */
    public static PipelineStatus of(Pipeline pipeline) {
        boolean end = pipeline.ended();
        String state = pipeline.state().tag();
        List<Partition.Counts> counts =
                pipeline.partitions().stream().map(Partition::counts).toList();
        Map<String, Long> keptByRegion = new LinkedHashMap<>();
        Map<String, Long> rejectedByReason = new LinkedHashMap<>();
        for (Partition.Counts partition : counts) {
            partition.keptByRegion().forEach((region, kept) -> keptByRegion.merge(region, kept, Long::sum));
            partition.rejected().forEach((kind, rejected) -> rejectedByReason.merge(kind.tag(), rejected, Long::sum));
        }
        return new PipelineStatus(
                pipeline.name(),
                state,
                pipeline.error(),
                sum(counts, Partition.Counts::in),
                sum(counts, Partition.Counts::made),
                sum(counts, Partition.Counts::kept),
                sum(counts, Partition.Counts::dropped),
                sum(counts, Partition.Counts::rejectedRecords),
                sum(counts, Partition.Counts::inFlight),
                pipeline.position(),
                pipeline.feeds().lag(),
                pipeline.owner(),
                sum(counts, Partition.Counts::superseded),
                pipeline.plan().definition().feed().describe(),
                feedCounts(pipeline),
                pipeline.allocatedBytes(),
                pipeline.partitions().stream().mapToLong(Partition::storedBytes).sum(),
                pipeline.steps().stream().map(Step::of).toList(),
                keptByRegion,
                rejectedByReason,
                end,
                pipeline.rejectStatus(),
                pipeline.lateStatus(),
                pipeline.rules().newestVersion(),
                pipeline.rules().tables(),
                pipeline.partitions().stream().map(PartitionStatus::of).toList());
    }

    /** Returns the bytes allocated for each record in addition to stored values, or 0 before the first record. */
    public double allocatedPerRecord() {
        return in == 0 ? 0 : Math.max(0, (double) (allocatedBytes - storedBytes) / in);
    }

    private static Map<String, Long> feedCounts(Pipeline pipeline) {
        Map<String, Long> counts = new LinkedHashMap<>();
        pipeline.feeds().counts().forEach((name, counter) -> counts.put(name, counter.get()));
        return counts;
    }

    private static long sum(List<Partition.Counts> counts, ToLongFunction<Partition.Counts> number) {
        return counts.stream().mapToLong(number).sum();
    }
}
