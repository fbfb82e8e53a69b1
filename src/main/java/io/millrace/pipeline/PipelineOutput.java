package io.millrace.pipeline;

import io.millrace.codec.RecordBatch;
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
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes everything that one partition of a pipeline produces, in an order from which another process can continue at
 * any point: records and rejects, then states of measures, and last the {@link Commit} with the positions of all of
 * them. Not thread-safe.
 */
public final class PipelineOutput {

    private final String pipeline;
    private final RegionWriters store;
    private final Rules rules;
    private final FormerPipelines former;
    private final Rejects rejects;
    private final Map<String, RegionWriter> writers;
    /** The writers of records and of rejects. */
    private final Map<String, RegionWriter> all = new LinkedHashMap<>();

    private final List<MeasureProcessor> measures;
    private final Retry retry;

    private @Nullable Term term;
    private boolean replayable;
    /** Whether a batch is being processed, or was processed only in part. */
    private boolean partial;
    /** The end of the last batch that was processed completely. */
    private long completed;

    /** The position of the last commit. */
    private long committed;

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
        this.rules = rules;
        this.former = former;
        this.rejects = rejects;
        this.writers = writers;
        all.putAll(writers);
        all.put(rejects.region(), rejects.writer());
        this.measures = measures;
        this.retry = retry;
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
        Commit onDisk = replayable ? commit(begun, true) : null;
        Commit inMemory = replayable ? commit(begun, false) : null;
        Commit last = begun.persistent() ? onDisk : inMemory;
        if (last != null) {
            requireSameRules(last);
            feed.verify(last.feed());
        } else if (replayable) {
            Map<String, Commit> known = new HashMap<>();
            retry.run(() -> known.putAll(store.commits(begun.persistent()).all()));
            former.requireUnread(pipeline, writers.keySet(), feed, known);
        }
        rejects.held().clear();
        all.forEach((region, writer) -> {
            Commit commit = persistent(region) ? onDisk : inMemory;
            long position = commit == null ? 0 : commit.covers(region);
            retry.run(() -> writer.open(begun, position));
        });
        measures.forEach(measure -> retry.run(() -> measure.open(begun)));
        long startPosition = replayable ? start(last) : 0;
        feed.open(startPosition);
        completed = startPosition;
        committed = startPosition;
        partial = false;
        term = begun;
        if (replayable) {
            commit(feed, false);
        }
        return startPosition;
    }

    private @Nullable Commit commit(Term begun, boolean persistent) {
        if (persistent && !begun.persistent()) {
            return null; // none of its data is on disk
        }
        List<Commit> found = new ArrayList<>();
        retry.run(() -> {
            Commit commit = store.commits(persistent).get(begun.writer());
            if (commit != null) {
                found.add(commit);
            }
        });
        return found.isEmpty() ? null : found.getFirst();
    }

    private boolean persistent(String region) {
        return store.definition(region).persistent();
    }

    /** Returns the smallest position that all writers, measures and the last commit have reached. */
    private long start(@Nullable Commit last) {
        LongStream covered = LongStream.concat(
                all.values().stream().mapToLong(RegionWriter::covered),
                measures.stream().mapToLong(MeasureProcessor::covered));
        long first = covered.min().orElse(0);
        return last == null ? first : Math.min(first, last.position());
    }

    /**
     * Verifies that the rules have not changed if records were written after the last commit: different rules might
     * send the same records to other regions.
     */
    private void requireSameRules(Commit last) {
        if (!last.clean() && !last.rules().equals(rules.fingerprint()) && !rules.mayChange()) {
            throw new IllegalStateException(
                    "The rules of pipeline '" + pipeline + "' have changed, but it was not stopped"
                            + " in an orderly way: records behind position " + last.position()
                            + " may be stored by the old rules."
                            + " Start it once with the old rules and stop it, or set on-rules-change: continue; some of these"
                            + " records may be stored twice or not at all then.");
        }
    }

    /** Marks the start of processing a batch. */
    public void begin() {
        partial = true;
    }

    /** Marks a batch as completely processed: everything before the position has been passed to the writers. */
    public void cover(long position) {
        all.values().forEach(writer -> writer.coverUpTo(position));
        measures.forEach(measure -> measure.coverUpTo(position));
        completed = Math.max(completed, position);
        partial = false;
    }

    /**
     * Stores everything that is pending.
     *
     * @param last whether no more records follow, so that the states of measures must be stored too
     * @throws IOException if the feed cannot be identified
     */
    public void flush(boolean last, Feed feed) throws IOException {
        Term current = term;
        if (current == null) {
            return;
        }
        retry.run(() -> store.requireTerm(current));
        for (RegionWriter writer : all.values()) {
            retry.run(writer::flush);
        }
        if (last) {
            RecordBatch uncovered = rejects.held().uncovered();
            if (uncovered.count() > 0) {
                retry.run(() -> rejects.writer().putProvisional(uncovered));
            }
        }
        for (MeasureProcessor measure : measures) {
            retry.run(() -> measure.flush(last));
        }
        if (replayable && (last || completed > committed)) {
            commit(feed, last && isClean());
        }
    }

    /** Returns whether different rules may continue: these rules have stored no record after the commit. */
    private boolean isClean() {
        return !partial
                && all.values().stream().allMatch(writer -> writer.covered() <= completed)
                && measures.stream().allMatch(measure -> measure.covered() <= completed);
    }

    private void commit(Feed feed, boolean clean) throws IOException {
        Term current = Objects.requireNonNull(term);
        String identity = feed.identity(completed);
        Stream.of(true, false).forEach(persistent -> {
            Map<String, Long> regions = new HashMap<>();
            all.forEach((region, writer) -> {
                if (persistent(region) == persistent) {
                    regions.put(region, writer.covered());
                }
            });
            if (persistent == current.persistent() || !regions.isEmpty()) {
                Commit commit = new Commit(completed, rules.fingerprint(), identity, clean, regions);
                retry.run(() -> store.commits(persistent).put(current, commit));
            }
        });
        committed = completed;
    }

    /** Ends the term. */
    public void close() {
        term = null;
    }
}
