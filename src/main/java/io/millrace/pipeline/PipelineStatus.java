package io.millrace.pipeline;

import io.millrace.codec.RejectReason.Kind;
import io.millrace.feed.Feed;
import io.millrace.pipeline.step.DropsRecords;
import io.millrace.pipeline.step.RouteStep;
import io.millrace.pipeline.step.StepCounters;
import io.millrace.store.RegionWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline's numbers at one moment. {@code in = kept + dropped + rejected + superseded + inFlight}, always.
 *
 * @param name of the pipeline
 * @param state what it is doing
 * @param error why it failed, or null
 * @param in records that came in
 * @param kept records stored in a region, or sent to a channel of the user's
 * @param dropped records that a filter or a route let go
 * @param rejected records that could not be processed
 * @param inFlight records on their way
 * @param position in the feed up to which records have been taken, as the {@linkplain Feed feed} counts it; 0 where it
 *     has none
 * @param lag what of the feed waits to be taken, as {@link Feed#lag} counts it
 * @param owner the process that runs it, where this one is on standby, or null
 * @param superseded records that came in here and were not stored in that turn: another process has taken over
 *     meanwhile, or the store was opened again, and they are read from the feed once more
 * @param feed what the feed counts in addition to records, by name
 * @param allocatedBytes bytes that the pipeline's thread has allocated
 * @param storedBytes of those, the values that the store keeps
 * @param steps each step's counts, in order
 * @param keptByRegion records stored, by region
 * @param rejectedByReason records rejected, by reason
 * @param ended whether it takes no more records from its feed: the feed has ended, or the pipeline failed
 * @param rejectStatus what share of the records it rejects
 */
public record PipelineStatus(
        String name,
        String state,
        @Nullable String error,
        long in,
        long kept,
        long dropped,
        long rejected,
        long inFlight,
        long position,
        long lag,
        @Nullable String owner,
        long superseded,
        Map<String, Long> feed,
        long allocatedBytes,
        long storedBytes,
        List<Step> steps,
        Map<String, Long> keptByRegion,
        Map<String, Long> rejectedByReason,
        boolean ended,
        RejectStatus rejectStatus) {

    /** One step's counts. */
    public record Step(String name, String kind, long in, long out, double nanosPerRecord) {

        /** The counts of now. */
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
     * Returns the counts of now. The state is read first: a pipeline that has ended counts no more of its feed, so a
     * status that says so has the final counts. What went out is read before what came in, so that what is in flight is
     * never negative.
     */
    public static PipelineStatus of(Pipeline pipeline) {
        boolean ended = pipeline.ended();
        String state = pipeline.state().tag();
        PipelineParts parts = pipeline.parts();
        Map<String, Long> keptByRegion = new LinkedHashMap<>();
        parts.writers()
                .forEach((region, writer) ->
                        keptByRegion.put(region, writer.counters().kept().get()));
        long kept = keptByRegion.values().stream().mapToLong(Long::longValue).sum()
                + parts.steps().stream()
                        .mapToLong(step -> step instanceof RouteStep route ? route.kept() : 0)
                        .sum();
        long dropped = parts.steps().stream()
                .mapToLong(step ->
                        step instanceof DropsRecords drops ? drops.dropped().get() : 0)
                .sum();
        Map<String, Long> rejectedByReason = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            rejectedByReason.put(kind.tag(), parts.rejects().count(kind).get());
        }
        long rejected =
                rejectedByReason.values().stream().mapToLong(Long::longValue).sum();
        long superseded = pipeline.superseded().get();
        long in = parts.entry().arrived().get();
        return new PipelineStatus(
                pipeline.name(),
                state,
                pipeline.error(),
                in,
                kept,
                dropped,
                rejected,
                in - kept - dropped - rejected - superseded,
                pipeline.position(),
                parts.feed().lag(),
                pipeline.owner(),
                superseded,
                feedCounts(parts.feed()),
                pipeline.allocatedBytes(),
                storedBytes(parts),
                parts.steps().stream().map(step -> Step.of(step.counters())).toList(),
                keptByRegion,
                rejectedByReason,
                ended,
                pipeline.rejectStatus());
    }

    /** Bytes allocated for each record beyond the values that the store keeps; 0 before the first record. */
    public double allocatedPerRecord() {
        return in == 0 ? 0 : Math.max(0, (double) (allocatedBytes - storedBytes) / in);
    }

    private static Map<String, Long> feedCounts(Feed feed) {
        Map<String, Long> counts = new LinkedHashMap<>();
        feed.counts().forEach((name, counter) -> counts.put(name, counter.get()));
        return counts;
    }

    private static long storedBytes(PipelineParts parts) {
        return parts.writers().values().stream()
                .map(RegionWriter::counters)
                .mapToLong(counters -> counters.bytes().get())
                .sum();
    }
}
