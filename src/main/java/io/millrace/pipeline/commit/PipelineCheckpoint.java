package io.millrace.pipeline.commit;

import io.millrace.background.FailureCode;
import io.millrace.feed.Split;
import io.millrace.pipeline.step.Retry;
import io.millrace.pipeline.step.Target;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * How far a pipeline has processed its feed in a term, and the {@link Commit} that stores it: one on disk with the
 * regions there, and one in memory. Operations of the store are retried. Not thread-safe.
 */
final class PipelineCheckpoint {

    private final String pipeline;
    private final RegionWriters store;
    private final boolean rulesMayChange;
    private @Nullable OutputVersion version;
    private long since;
    private final Retry retry;
    private final CommittedTables tables;
    private @Nullable Term term;
    /** Whether a batch is being processed, or was processed only in part. */
    private boolean partial;
    /** The end of the last batch that was processed completely. */
    private long completed;

    /** The position of the last commit. */
    private long committed;
    /** As {@link Commit#aligned()}. */
    private long aligned;
    /** Identity of the feed in the last commit if that lets different rules continue, else null. */
    private @Nullable String stoppedAt;

    /**
     * @param rulesMayChange whether the pipeline may continue under different rules although some of its regions are
     *     ahead of others; some records may then be stored twice or not at all
     */
    PipelineCheckpoint(String pipeline, RegionWriters store, boolean rulesMayChange, Retry retry) {
        this.pipeline = pipeline;
        this.store = store;
        this.rulesMayChange = rulesMayChange;
        this.retry = retry;
        tables = new CommittedTables(store, retry);
    }

    /** Returns the last commit of a term's writer, or null if there is none. */
    @Nullable
    Commit last(Term begun, boolean persistent) {
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

    /** Returns whether the position of a target belongs to the commit on disk. */
    boolean isPersistent(String target) {
        return target.startsWith(Target.OUTPUT_PREFIX)
                || store.definition(target).persistent();
    }

    /** Returns the commits of all writers, by the texts of their names. */
    Map<String, Commit> all(boolean persistent) {
        Map<String, Commit> known = new HashMap<>();
        retry.run(() -> known.putAll(store.commits(persistent).all()));
        return known;
    }

    /**
     * Verifies that all partitions read the feed in the same number of splits, unless they have stored nothing. Called
     * before the first commit of a term and after it, so that of two processes which begin at the same time with
     * different numbers one finds the commit of the other.
     *
     * @param before whether the partition has not committed yet; then the commits of others that have stored nothing do
     *     not count, nor do those of partitions that do not exist with this number
     */
    void requireSplits(Term begun, Split split, boolean addsSplits, boolean before) {
        all(begun.persistent()).forEach((writer, commit) -> {
            WriterName name = WriterName.parse(writer);
            boolean unused = commit.clean() && commit.position() == 0;
            if (name.pipeline().equals(pipeline)
                    && Objects.equals(name.instance(), begun.writer().instance())
                    && !(unused && (before || name.partition() >= split.count()))) {
                requireSplits(commit, split, addsSplits);
            }
        });
    }

    private void requireSplits(Commit commit, Split split, boolean addsSplits) {
        int before = Split.count(commit.feed());
        if (before != split.count() && !(addsSplits && before < split.count())) {
            throw new IllegalStateException(FailureCode.CHANGED_PARTITIONS.message("Pipeline '" + pipeline
                    + "' has read its feed with partitions=" + before + ", but is configured with partitions="
                    + split.count() + ". The number can't change, because each partition continues at its own position."
                    + " Set partitions: " + before + "."));
        }
    }

    /**
     * Verifies that a version has the rules of the last commit if records were written after it: different rules might
     * send the same records to other regions. The same rules with a later version of the schema send them to the same
     * regions, but may accept some that were rejected; so regions have to discard what they have behind the
     * {@linkplain Commit#aligned aligned} position of the commits, and receive it again.
     *
     * @param other the last commit of the regions that are not where the term is, null if there is none
     * @param discards whether everything but regions can be brought back to the commit
     * @return the position from which on they have to; {@link Long#MAX_VALUE} if they don't
     * @throws IllegalStateException if the rules are different, or something can't be discarded
     */
    long discardFrom(Commit last, @Nullable Commit other, OutputVersion next, boolean discards) {
        if (last.clean() || last.rules().equals(next.rules())) {
            return Long.MAX_VALUE;
        }
        long aligned = alignedOf(last, other);
        if (discards && next.earlier().contains(last.rules()) && aligned != Commit.UNALIGNED) {
            return aligned;
        }
        if (!rulesMayChange) {
            throw new IllegalStateException(FailureCode.UNCLEAN_STOP.message(
                    "The rules of pipeline '" + pipeline + "' have changed, but it was not stopped"
                            + " in an orderly way: records behind position " + last.position()
                            + " may be stored by the old rules."
                            + " Start it once with the old rules and stop it, or set on-rules-change: continue; some of these"
                            + " records may be stored twice or not at all then."));
        }
        return Long.MAX_VALUE;
    }

    /**
     * Returns the aligned position of both commits, or -1 if there is none. If the process ended before it had stored
     * both, one of them is an earlier one: then all blocks ended at its position too.
     */
    private static long alignedOf(Commit last, @Nullable Commit other) {
        if (other == null || other.aligned() == last.aligned()) {
            return last.aligned();
        }
        boolean same = other.version() == last.version()
                && other.rules().equals(last.rules())
                && other.tables().equals(last.tables());
        return same ? Math.min(last.aligned(), other.aligned()) : Commit.UNALIGNED;
    }

    /**
     * Stores a commit at the position to which its regions go back, before they do. If the process ends before all of
     * them have, the version of the commit can still continue.
     *
     * @return the stored commit, or null if there is none
     */
    @Nullable
    Commit rewind(Term begun, boolean persistent, @Nullable Commit last, long position) {
        if (last == null) {
            return null;
        }
        Commit rewound = last.rewound(position);
        retry.run(() -> store.commits(persistent).put(begun, rewound));
        return rewound;
    }

    /**
     * Begins a term at a position of the feed.
     *
     * @param last the last commit, or null if there is none
     * @param other as for {@link #discardFrom}
     */
    void begin(Term begun, long position, OutputVersion current, @Nullable Commit last, @Nullable Commit other) {
        version = current;
        since = last != null && last.version() == current.number() ? last.since() : position;
        aligned = last != null && current.isOf(last) ? alignedOf(last, other) : Commit.UNALIGNED;
        aligned = aligned <= position ? aligned : Commit.UNALIGNED;
        completed = position;
        committed = position;
        stoppedAt = null;
        partial = false;
        tables.begin(last);
        term = begun;
    }

    /** Continues with another version of the rules, or other rows of tables, from the end of the last batch. */
    void change(OutputVersion next) {
        since = version != null && version.number() == next.number() ? since : completed;
        version = next;
        aligned = Commit.UNALIGNED; // nothing may be taken again that other rules or rows have processed
    }

    /** Returns the position from which the current version processes records. */
    long since() {
        return since;
    }

    /** Returns the end of the last batch that was processed completely. */
    long completed() {
        return completed;
    }

    /** Ends the term. */
    void end() {
        term = null;
    }

    /** Returns the current term, or null if there is none. */
    @Nullable
    Term term() {
        return term;
    }

    /** Marks the start of processing a batch. */
    void startBatch() {
        partial = true;
    }

    /** Marks a batch as completely processed. */
    void complete(long position) {
        completed = Math.max(completed, position);
        partial = false;
    }

    /** Returns the identity of the feed in the last commit if that lets different rules continue, else null. */
    @Nullable
    String stoppedAt() {
        return stoppedAt;
    }

    /**
     * Returns whether batches were processed after the last commit, or it does not contain yet that all blocks end.
     *
     * @param blocksEnd whether they do
     */
    boolean isDue(boolean blocksEnd) {
        return completed > committed || (blocksEnd && aligned < completed && stoppedAt == null);
    }

    /**
     * Returns whether different rules may continue: these rules have stored no record after the commit.
     *
     * @param stored positions up to which the parts of the output may contain something
     */
    boolean isSettled(LongStream stored) {
        return !partial && stored.allMatch(position -> position <= completed);
    }

    /**
     * Stores the commits.
     *
     * @param feed identity of the feed at the {@linkplain #completed() end of the last batch}
     * @param stopped whether nothing follows, so that different rules may continue from it
     * @param alignedHere whether each region has everything before the end of the last batch and nothing else, and all
     *     blocks end there
     * @param positions positions up to which the targets are covered, by the names of their writers
     */
    void store(Term owner, String feed, boolean stopped, boolean alignedHere, Map<String, Long> positions) {
        if (alignedHere) {
            aligned = completed;
        }
        OutputVersion current = Objects.requireNonNull(version);
        tables.beforeCommit(owner, current);
        for (boolean persistent : new boolean[] {true, false}) {
            Map<String, Long> regions = new HashMap<>(positions);
            regions.keySet().removeIf(target -> isPersistent(target) != persistent);
            if (persistent == owner.persistent() || !regions.isEmpty()) {
                Commit commit = new Commit(
                        completed,
                        current.rules(),
                        current.number(),
                        since,
                        feed,
                        stopped,
                        aligned,
                        regions,
                        current.tableVersions());
                retry.run(() -> store.commits(persistent).put(owner, commit));
            }
        }
        tables.afterCommit(owner, current, completed);
        committed = completed;
        stoppedAt = stopped ? feed : null;
    }
}
