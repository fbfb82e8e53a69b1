package io.millrace.pipeline;

import io.millrace.codec.Counter;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.feed.Feed;
import io.millrace.pipeline.step.BatchStep;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.store.write.WriterCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a pipeline at one moment. Always {@code in + made = kept + dropped + rejected + superseded +
 * inFlight}.
 *
 * @param name name of the pipeline
 * @param state state in lower case
 * @param error why it failed, or why its feed can't be read at the moment; null otherwise
 * @param in records received
 * @param made records that steps made of others, less those that they were made of
 * @param kept records stored in a region or sent to a channel of the application
 * @param dropped records that a filter or a route dropped
 * @param rejected records that could not be processed
 * @param inFlight records in flight
 * @param position feed position up to which records have been taken, in the units of the {@linkplain Feed feed}; 0 for
 *     a feed without positions
 * @param lag part of the feed that has not been taken yet, as {@link Feed#lag} counts it
 * @param owner the process that runs the pipeline if this one is on standby, otherwise null
 * @param superseded records received but not stored because another process took over or the store was reopened; they
 *     are read from the feed again
 * @param source description of the feed
 * @param feed counters of the feed other than records, by name
 * @param allocatedBytes bytes that the pipeline's thread has allocated
 * @param storedBytes part of {@code allocatedBytes}: bytes of stored values
 * @param steps counters of the steps, in order
 * @param keptByRegion records stored, by region
 * @param rejectedByReason records rejected, by reason
 * @param ended whether the pipeline takes no more records from its feed: the feed has ended, or the pipeline failed
 * @param rejectStatus share of rejected records
 * @param lateStatus share of late records of each measure that had any
 * @param rulesVersion number of the version of its rules; 0 before the first record
 * @param tables version of the rows of each table that its rules use
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
        Map<String, String> tables) {

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
        Map<String, Long> keptByRegion = new LinkedHashMap<>();
        pipeline.writers()
                .forEach((region, writer) ->
                        keptByRegion.put(region, writer.kept().get()));
        LiveRules.Running rules = pipeline.rules().running();
        List<BatchStep> steps = rules.version().steps();
        EndedSteps ended = rules.ended();
        long kept = keptByRegion.values().stream().mapToLong(Long::longValue).sum()
                + sum(steps.stream().flatMap(step -> step.sent().values().stream()))
                + ended.sentRecords();
        long dropped = sum(steps.stream().flatMap(step -> Stream.ofNullable(step.dropped()))) + ended.dropped();
        Map<String, Long> rejectedByReason = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            rejectedByReason.put(kind.tag(), pipeline.rejected(kind).get());
        }
        long rejected =
                rejectedByReason.values().stream().mapToLong(Long::longValue).sum();
        long superseded = pipeline.superseded().get();
        long made = rules.made();
        long in = pipeline.arrived().get();
        return new PipelineStatus(
                pipeline.name(),
                state,
                pipeline.error(),
                in,
                made,
                kept,
                dropped,
                rejected,
                in + made - kept - dropped - rejected - superseded,
                pipeline.position(),
                pipeline.feed().lag(),
                pipeline.owner(),
                superseded,
                pipeline.plan().definition().feed().describe(),
                feedCounts(pipeline.feed()),
                pipeline.allocatedBytes(),
                storedBytes(pipeline),
                steps.stream().map(Step::of).toList(),
                keptByRegion,
                rejectedByReason,
                end,
                pipeline.rejectStatus(),
                pipeline.lateStatus(),
                rules.version().number(),
                pipeline.rules().tables());
    }

    /** Returns the bytes allocated for each record in addition to stored values, or 0 before the first record. */
    public double allocatedPerRecord() {
        return in == 0 ? 0 : Math.max(0, (double) (allocatedBytes - storedBytes) / in);
    }

    private static Map<String, Long> feedCounts(Feed feed) {
        Map<String, Long> counts = new LinkedHashMap<>();
        feed.counts().forEach((name, counter) -> counts.put(name, counter.get()));
        return counts;
    }

    private static long storedBytes(Pipeline pipeline) {
        return sum(Stream.concat(pipeline.writers().values().stream(), Stream.ofNullable(pipeline.rawWriter()))
                .map(WriterCounters::bytes));
    }

    private static long sum(Stream<Counter> counters) {
        return counters.mapToLong(Counter::get).sum();
    }
}
