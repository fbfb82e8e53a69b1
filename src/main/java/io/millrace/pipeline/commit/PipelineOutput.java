package io.millrace.pipeline.commit;

import io.millrace.feed.Feed;
import io.millrace.feed.Split;
import io.millrace.measure.run.MeasureProcessor;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.error.StoreException;
import io.millrace.store.reject.RejectBatch;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes everything that one partition of a pipeline produces, in an order from which another process can continue at
 * any point: records of regions and rejects, then records of outputs, then states of measures, and last the
 * {@link Commit} with the positions of all of them. Not thread-safe.
 */
public final class PipelineOutput {

    private final String pipeline;
    private final Split split;
    private final RegionWriters store;
    private final FormerPipelines former;
    private final Rejects rejects;
    private final OutputPart.@Nullable Records raw;
    private final List<MeasureProcessor> measures;
    private final PipelineCheckpoint checkpoint;
    /** Writers of the records of the current version, by target. */
    private final Map<String, OutputPart.Records> records = new LinkedHashMap<>();

    /** Everything that has a position of its own, in the order in which it is stored. */
    private final List<OutputPart> parts = new ArrayList<>();

    private final Retry retry;
    private boolean replayable;

    /**
     * The destinations of rejects.
     *
     * @param region region that stores rejects
     * @param writer writer of the region
     * @param held rejects that have not been passed to the writers yet
     * @param outputs writers of outputs that receive rejects too, by names that no target has
     */
    public record Rejects(String region, RegionWriter writer, RejectBatch held, Map<String, RegionWriter> outputs) {

        public Rejects {
            outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
        }
    }

    /**
     * @param split the part of the feed that the partition reads
     * @param raw region that stores records before the first step; null for none
     * @param rulesMayChange whether the pipeline may continue under different rules although some of its regions are
     *     ahead of others; some records may then be stored twice or not at all
     * @param retry retries store operations
     */
    public PipelineOutput(
            String pipeline,
            Split split,
            RegionWriters store,
            boolean rulesMayChange,
            FormerPipelines former,
            Rejects rejects,
            OutputPart.@Nullable Records raw,
            List<MeasureProcessor> measures,
            Retry retry) {
        this.pipeline = pipeline;
        this.split = split;
        this.store = store;
        this.former = former;
        this.rejects = rejects;
        this.raw = raw;
        this.measures = List.copyOf(measures);
        this.retry = retry;
        checkpoint = new PipelineCheckpoint(pipeline, store, rulesMayChange, retry);
    }

    /** Makes the regions of a version the current ones. Those that it shares with the former one stay open. */
    private void use(OutputVersion version) {
        Map<String, OutputPart.Records> before = Map.copyOf(records);
        records.clear();
        version.writers().forEach((region, writer) -> {
            if (!region.equals(rejects.region())) {
                OutputPart.Records known = before.get(region);
                records.put(region, known == null ? new OutputPart.Records(region, writer, retry) : known);
            }
        });
        before.values().stream()
                .filter(part -> !records.containsKey(part.region()))
                .forEach(OutputPart::close);
        parts.clear();
        records.values().stream().filter(part -> !part.isOutput()).forEach(parts::add);
        if (raw != null) {
            parts.add(raw);
        }
        parts.add(new OutputPart.Rejects(
                new OutputPart.Records(rejects.region(), rejects.writer(), retry), rejects.held()));
        rejects.outputs().forEach((name, writer) -> parts.add(new OutputPart.Records(name, writer, retry)));
        // After the rejects: an output does not get the records again that it has rejected.
        records.values().stream().filter(OutputPart.Records::isOutput).forEach(parts::add);
        measures.forEach(measure -> parts.add(new OutputPart.Measured(measure, retry)));
    }

    /**
     * Begins a term: determines the positions of all writers and measures, and opens the feed at the smallest of them.
     *
     * @param select returns the version of the rules that continues from the last commit, which is null if there is
     *     none
     * @return the position at which the feed was opened, or 0 for a feed without positions
     * @throws IOException if the feed cannot be opened or is not the one that was read before
     * @throws IllegalStateException if the rules have changed and must not, or a pipeline that is no longer configured
     *     has read the feed
     */
    public long open(Term begun, Feed feed, Function<@Nullable Commit, OutputVersion> select) throws IOException {
        replayable = feed.replayable();
        Commit onDisk = replayable ? checkpoint.last(begun, true) : null;
        Commit inMemory = replayable ? checkpoint.last(begun, false) : null;
        Commit last = begun.persistent() ? onDisk : inMemory;
        Commit other = begun.persistent() ? inMemory : onDisk;
        OutputVersion version = selected(last, select);
        if (last != null) {
            feed.verify(Split.unmarked(last.feed()));
        } else if (replayable) {
            former.requireUnread(pipeline, recordRegions(version), feed, checkpoint.all(begun.persistent()));
        }
        if (replayable) {
            checkpoint.requireSplits(begun, split, feed.addsSplits(), true);
        }
        openParts(begun, version, onDisk, inMemory);
        long startPosition = replayable ? start(last) : 0;
        if (last != null && last.clean() && !version.isOf(last) && startPosition < last.position()) {
            // A region has lost its data: the rules and rows that processed these records do so again.
            version = selected(last.unclean(), select);
            openParts(begun, version, onDisk, inMemory);
            startPosition = start(last);
        }
        feed.open(startPosition);
        checkpoint.begin(begun, startPosition, version, last, other);
        if (replayable) {
            // Until a batch begins, the commit says that nothing was stored.
            commit(begun, feed.identity(startPosition), last == null && startPosition == 0 && settled());
            checkpoint.requireSplits(begun, split, feed.addsSplits(), false);
        }
        return startPosition;
    }

    /** Opens the regions and measures of a version, each at its own position. */
    private void openParts(Term begun, OutputVersion version, @Nullable Commit onDisk, @Nullable Commit inMemory) {
        Commit last = begun.persistent() ? onDisk : inMemory;
        Commit other = begun.persistent() ? inMemory : onDisk;
        long discardFrom =
                last == null ? Long.MAX_VALUE : checkpoint.discardFrom(last, other, version, measures.isEmpty());
        if (discardFrom == Long.MAX_VALUE) {
            openParts(begun, version, onDisk, inMemory, discardFrom);
            return;
        }
        Commit rewoundOnDisk = checkpoint.rewind(begun, true, onDisk, discardFrom);
        Commit rewoundInMemory = checkpoint.rewind(begun, false, inMemory, discardFrom);
        openParts(begun, version, rewoundOnDisk, rewoundInMemory, discardFrom);
    }

    /** @param discardFrom position from which on regions discard their records; {@link Long#MAX_VALUE} for none */
    private void openParts(
            Term begun, OutputVersion version, @Nullable Commit onDisk, @Nullable Commit inMemory, long discardFrom) {
        Commit last = begun.persistent() ? onDisk : inMemory;
        // Where a version begins, what it sends to regions that the former one did not have begins there too.
        long begins = last != null && version.number() != last.version() ? last.position() : 0;
        use(version);
        rejects.held().clear();
        parts.forEach(part -> part.discardFrom(discardFrom));
        parts.forEach(part -> part.open(
                begun, name -> committed(part, name, checkpoint.isPersistent(name) ? onDisk : inMemory, begins)));
    }

    /**
     * Returns the position of a writer in a commit.
     *
     * @param begins position at which targets begin that the commit does not have
     */
    private long committed(OutputPart part, String name, @Nullable Commit commit, long begins) {
        if (commit == null) {
            return 0;
        }
        long missing = switch (part) {
            // They count rows, and not the feed.
            case OutputPart.Measured _ -> 0;
            // Added to the rejects, which are not part of a version of the rules.
            case OutputPart.Records _ when rejects.outputs().containsKey(name) -> commit.position();
            case OutputPart.Records _, OutputPart.Rejects _ -> begins;
        };
        return commit.regions().getOrDefault(name, missing);
    }

    private Set<String> recordRegions(OutputVersion version) {
        Set<String> regions = new HashSet<>(version.writers().keySet());
        if (raw != null) {
            regions.add(raw.region());
        }
        return regions;
    }

    private OutputVersion selected(@Nullable Commit last, Function<@Nullable Commit, OutputVersion> select) {
        AtomicReference<@Nullable OutputVersion> selected = new AtomicReference<>();
        retry.run(() -> selected.set(select.apply(last)));
        return Objects.requireNonNull(selected.get());
    }

    /** Returns the smallest position that all writers, measures and the last commit have reached. */
    private long start(@Nullable Commit last) {
        long first = covered().min().orElse(0);
        return last == null ? first : Math.min(first, last.position());
    }

    private LongStream covered() {
        return parts.stream().mapToLong(OutputPart::covered);
    }

    /**
     * Marks the start of processing a batch. If the last commit says that nothing follows, another one replaces it
     * before anything of the batch is stored.
     */
    public void begin() {
        String stoppedAt = checkpoint.stoppedAt();
        if (stoppedAt != null) {
            commit(term(), Split.unmarked(stoppedAt), false);
        }
        checkpoint.startBatch();
    }

    /** Marks a batch as completely processed: everything before the position has been passed to the writers. */
    public void cover(long position) {
        parts.forEach(part -> part.advance(position));
        checkpoint.complete(position);
    }

    /**
     * Stores everything that is pending.
     *
     * @param last whether no more records follow, so that the states of measures must be stored too
     * @param endBlocks whether what follows is to begin new blocks, as it does after the last flush
     * @throws IOException if the feed cannot be identified or has changed since it was read; then nothing is stored
     */
    public void flush(boolean last, boolean endBlocks, Feed feed) throws IOException {
        Term current = checkpoint.term();
        if (current == null) {
            return;
        }
        retry.run(() -> store.requireTerm(current));
        boolean commits = replayable && (last || checkpoint.isDue(endBlocks));
        String identity = commits ? feed.identity(checkpoint.completed()) : "";
        parts.forEach(part -> part.flush(last));
        if (last || endBlocks) {
            parts.forEach(OutputPart::endBlock);
        }
        if (commits) {
            commit(current, identity, last && settled());
        }
    }

    /** Requires that no other process has taken over, which only the next write would detect otherwise. */
    public void requireCurrent() {
        Term current = checkpoint.term();
        if (current == null || !replayable) {
            return;
        }
        try {
            store.requireCurrent(current);
        } catch (StoreException e) {
            // Unknown until the store answers; there is nothing to write that would have to wait for it.
        }
    }

    /**
     * Returns whether nothing behind the last batch is stored, as it is for a while after a crash. Only then may other
     * rules continue.
     */
    public boolean settled() {
        return checkpoint.isSettled(parts.stream().mapToLong(OutputPart::storedUpTo));
    }

    /**
     * Continues with another version of the rules, or with other rows of tables, from the end of the last batch on, and
     * commits that. Everything must be {@linkplain #settled settled} and {@linkplain #flush flushed}.
     *
     * @throws IOException if the feed cannot be identified
     */
    public void change(OutputVersion version, Feed feed) throws IOException {
        Term current = term();
        Set<String> open = Set.copyOf(records.keySet());
        use(version);
        records.values().stream().filter(part -> !open.contains(part.region())).forEach(part -> {
            part.discardFrom(Long.MAX_VALUE); // there may have been another position before
            part.open(current, _ -> 0);
            if (replayable) {
                part.advance(checkpoint.completed());
            }
            part.flush(false);
        });
        checkpoint.change(version);
        if (replayable) {
            commit(current, feed.identity(checkpoint.completed()), false);
        }
    }

    /** Returns the current term. There must be one. */
    public Term term() {
        return Objects.requireNonNull(checkpoint.term());
    }

    /** Returns the position from which the current version processes records; 0 for a feed without positions. */
    public long since() {
        return checkpoint.since();
    }

    private void commit(Term current, String feed, boolean clean) {
        Map<String, Long> positions = new HashMap<>();
        parts.forEach(part -> part.addPositions(positions));
        long completed = checkpoint.completed();
        boolean aligned = parts.stream().allMatch(part -> part.isAlignedAt(completed));
        checkpoint.store(current, split.mark(feed), clean, aligned, positions);
    }

    /** Ends the term. */
    public void close() {
        parts.forEach(OutputPart::close);
        checkpoint.end();
    }
}
