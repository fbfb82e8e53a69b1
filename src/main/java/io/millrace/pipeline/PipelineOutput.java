package io.millrace.pipeline;

import io.millrace.codec.RecordBatch;
import io.millrace.feed.Feed;
import io.millrace.measure.MeasureProcessor;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.Commit;
import io.millrace.store.RegionWriter;
import io.millrace.store.RejectBatch;
import io.millrace.store.Store;
import io.millrace.store.Term;
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
 * All that one partition of a pipeline writes, in the order that lets another process continue wherever this one ends:
 * records and rejects, states of measures, and last the {@link Commit} that says how far all of these are. Not
 * thread-safe.
 */
public final class PipelineOutput {

    private final String pipeline;
    private final Store store;
    private final Rules rules;
    private final FormerPipelines former;
    private final Rejects rejects;
    private final Map<String, RegionWriter> writers;
    /** Of records and of rejects. */
    private final Map<String, RegionWriter> all = new LinkedHashMap<>();

    private final List<MeasureProcessor> measures;
    private final Retry retry;

    private @Nullable Term term;
    private boolean replayable;
    /** Whether a batch is being processed, or was processed in part. */
    private boolean partial;
    /** End of the last batch that was processed completely, and the last position committed. */
    private long completed;

    private long committed;

    /**
     * Identifies the rules that a pipeline judges records by.
     *
     * @param fingerprint equal for equal rules
     * @param mayChange whether the pipeline may continue where some of its regions are ahead of others and were written
     *     by other rules; some records may be stored twice or not at all then
     */
    public record Rules(String fingerprint, boolean mayChange) {}

    /**
     * Where rejects go.
     *
     * @param region of rejects
     * @param writer to it
     * @param held rejects that are not given to the writer yet
     */
    public record Rejects(String region, RegionWriter writer, RejectBatch held) {}

    /**
     * @param writers by region
     * @param retry runs all that waits for the store
     */
    public PipelineOutput(
            String pipeline,
            Store store,
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
     * Begins a term: finds how far everything is, and opens the feed there.
     *
     * @return the position at which the feed was opened, 0 where it has none
     * @throws IOException where the feed can't be opened, or is another one than was read before
     * @throws IllegalStateException where the rules have changed and may not, or a pipeline that is no longer
     *     configured has read the feed
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
            Commit of = persistent(region) ? onDisk : inMemory;
            long known = of == null ? 0 : of.covers(region);
            retry.run(() -> writer.open(begun, known));
        });
        measures.forEach(measure -> retry.run(() -> measure.open(begun)));
        long from = replayable ? start(last) : 0;
        feed.open(from);
        completed = from;
        committed = from;
        partial = false;
        term = begun;
        if (replayable) {
            commit(feed, false);
        }
        return from;
    }

    private @Nullable Commit commit(Term begun, boolean persistent) {
        if (persistent && !begun.persistent()) {
            return null; // nothing of it is on disk
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

    /** The smallest position that all have reached. */
    private long start(@Nullable Commit last) {
        LongStream covered = LongStream.concat(
                all.values().stream().mapToLong(RegionWriter::covered),
                measures.stream().mapToLong(MeasureProcessor::covered));
        long first = covered.min().orElse(0);
        return last == null ? first : Math.min(first, last.position());
    }

    /** Where something was written after the last commit, other rules might send the same records elsewhere. */
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

    /** Notes that a batch is about to be processed. */
    public void begin() {
        partial = true;
    }

    /**
     * Notes that a batch has been processed completely: everything before the position has been given to the writers.
     */
    public void cover(long position) {
        all.values().forEach(writer -> writer.coverUpTo(position));
        measures.forEach(measure -> measure.coverUpTo(position));
        completed = Math.max(completed, position);
        partial = false;
    }

    /**
     * Stores everything that is pending.
     *
     * @param last whether nothing comes any more, so that what measures know has to be stored too
     * @throws IOException where the feed can't say what it is
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

    /** Returns whether other rules may continue: no record behind the commit has been stored by these. */
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
