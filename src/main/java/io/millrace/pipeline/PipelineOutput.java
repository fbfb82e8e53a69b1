package io.millrace.pipeline;

import io.millrace.feed.Feed;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes everything that one partition of a pipeline produces, in an order from which another process can continue at
 * any point: records and rejects, then states of measures, and last the {@link Commit} with the positions of all of
 * them. Not thread-safe.
 */
public final class PipelineOutput {

    private final String pipeline;
    private final RegionWriters store;
    private final FormerPipelines former;
    private final Rejects rejects;
    private final Map<String, RegionWriter> writers;
    private final PipelineCheckpoint checkpoint;
    /** The writers of records and of rejects. */
    private final Map<String, RegionWriter> all = new LinkedHashMap<>();

    /** Everything that has a position of its own, in the order in which it is stored. */
    private final List<OutputPart> parts = new ArrayList<>();

    private final Retry retry;
    private boolean replayable;

    /**
     * Identifies the rules by which a pipeline processes records.
     *
     * @param fingerprint equal for equal rules
     * @param mayChange whether the pipeline may continue under different rules although some of its regions are ahead
     *     of others; some records may then be stored twice or not at all
     */
    public record Rules(String fingerprint, boolean mayChange) {}

    /**
     * The destination of rejects.
     *
     * @param region region that stores rejects
     * @param writer writer of the region
     * @param held rejects that have not been passed to the writer yet
     */
    public record Rejects(String region, RegionWriter writer, RejectBatch held) {}

    /**
     * @param writers writers by region
     * @param retry retries store operations
     */
    public PipelineOutput(
            String pipeline,
            RegionWriters store,
            Rules rules,
            FormerPipelines former,
            Rejects rejects,
            Map<String, RegionWriter> writers,
            List<MeasureProcessor> measures,
            Retry retry) {
        this.pipeline = pipeline;
        this.store = store;
        this.former = former;
        this.rejects = rejects;
        this.writers = writers;
        this.retry = retry;
        checkpoint = new PipelineCheckpoint(pipeline, store, rules, retry);
        all.putAll(writers);
        all.remove(rejects.region());
        all.forEach((region, writer) -> parts.add(new OutputPart.Records(region, writer, retry)));
        all.put(rejects.region(), rejects.writer());
        parts.add(new OutputPart.Rejects(
                new OutputPart.Records(rejects.region(), rejects.writer(), retry), rejects.held()));
        measures.forEach(measure -> parts.add(new OutputPart.Measured(measure, retry)));
    }

    /**
     * Begins a term: determines the positions of all writers and measures, and opens the feed at the smallest of them.
     *
     * @return the position at which the feed was opened, or 0 for a feed without positions
     * @throws IOException if the feed cannot be opened or is not the one that was read before
     * @throws IllegalStateException if the rules have changed and must not, or a pipeline that is no longer configured
     *     has read the feed
     */
    public long open(Term begun, Feed feed) throws IOException {
        replayable = feed.replayable();
        Commit onDisk = replayable ? checkpoint.last(begun, true) : null;
        Commit inMemory = replayable ? checkpoint.last(begun, false) : null;
        Commit last = begun.persistent() ? onDisk : inMemory;
        if (last != null) {
            checkpoint.requireSameRules(last);
            feed.verify(last.feed());
        } else if (replayable) {
            former.requireUnread(pipeline, writers.keySet(), feed, checkpoint.all(begun.persistent()));
        }
        rejects.held().clear();
        parts.forEach(part -> part.open(begun, region -> {
            Commit commit = store.definition(region).persistent() ? onDisk : inMemory;
            return commit == null ? 0 : commit.covers(region);
        }));
        long startPosition = replayable ? start(last) : 0;
        feed.open(startPosition);
        checkpoint.begin(begun, startPosition);
        if (replayable) {
            commit(begun, feed, false);
        }
        return startPosition;
    }

    /** Returns the smallest position that all writers, measures and the last commit have reached. */
    private long start(@Nullable Commit last) {
        long first = covered().min().orElse(0);
        return last == null ? first : Math.min(first, last.position());
    }

    private LongStream covered() {
        return parts.stream().mapToLong(OutputPart::covered);
    }

    /** Marks the start of processing a batch. */
    public void begin() {
        checkpoint.startBatch();
    }

    /** Marks a batch as completely processed: everything before the position has been passed to the writers. */
    public void cover(long position) {
        parts.forEach(part -> part.coverUpTo(position));
        checkpoint.complete(position);
    }

    /**
     * Stores everything that is pending.
     *
     * @param last whether no more records follow, so that the states of measures must be stored too
     * @throws IOException if the feed cannot be identified
     */
    public void flush(boolean last, Feed feed) throws IOException {
        Term current = checkpoint.term();
        if (current == null) {
            return;
        }
        retry.run(() -> store.requireTerm(current));
        parts.forEach(part -> part.flush(last));
        if (replayable && (last || checkpoint.isDue())) {
            commit(current, feed, last && checkpoint.isClean(covered()));
        }
    }

    private void commit(Term current, Feed feed, boolean clean) throws IOException {
        Map<String, Long> regions = new HashMap<>();
        all.forEach((region, writer) -> regions.put(region, writer.covered()));
        checkpoint.store(current, feed, clean, regions);
    }

    /** Ends the term. */
    public void close() {
        checkpoint.end();
    }
}
