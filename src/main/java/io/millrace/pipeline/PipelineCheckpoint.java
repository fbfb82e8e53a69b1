package io.millrace.pipeline;

import io.millrace.background.FailureCode;
import io.millrace.pipeline.step.Retry;
import io.millrace.store.write.Commit;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
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
    private PipelineOutput.@Nullable Version version;
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

    /** Returns the commits of all writers, by the texts of their names. */
    Map<String, Commit> all(boolean persistent) {
        Map<String, Commit> known = new HashMap<>();
        retry.run(() -> known.putAll(store.commits(persistent).all()));
        return known;
    }

    /**
     * Verifies that a version has the rules of the last commit if records were written after it: different rules might
     * send the same records to other regions. The same rules with a later version of the schema send them to the same
     * regions, but may accept some that were rejected; so regions have to discard what they have behind the commit, and
     * receive it again.
     *
     * @param other the last commit of the regions that are not where the term is, null if there is none
     * @param discards whether everything but regions can be brought back to the commit
     * @return whether they have to
     * @throws IllegalStateException if the rules are different, or something can't be discarded
     */
    boolean takesAgain(Commit last, @Nullable Commit other, PipelineOutput.Version next, boolean discards) {
        boolean same = last.clean() || last.rules().equals(next.rules());
        boolean again = !same
                && discards
                && next.earlier().contains(last.rules())
                && hasAllAt(last.position(), last)
                && (other == null || hasAllAt(last.position(), other));
        if (!same && !again && !rulesMayChange) {
            throw new IllegalStateException(FailureCode.UNCLEAN_STOP.message(
                    "The rules of pipeline '" + pipeline + "' have changed, but it was not stopped"
                            + " in an orderly way: records behind position " + last.position()
                            + " may be stored by the old rules."
                            + " Start it once with the old rules and stop it, or set on-rules-change: continue; some of these"
                            + " records may be stored twice or not at all then."));
        }
        return again;
    }

    /**
     * Returns whether a commit was made when each of its regions had everything before a position, and nothing else.
     * Then all records in blocks that end behind it come after it.
     */
    private static boolean hasAllAt(long position, Commit commit) {
        return commit.position() == position
                && commit.regions().values().stream().allMatch(covered -> covered == position);
    }

    /**
     * Begins a term at a position of the feed.
     *
     * @param last the last commit, or null if there is none
     */
    void begin(Term begun, long position, PipelineOutput.Version current, @Nullable Commit last) {
        version = current;
        since = last != null && last.version() == current.number() ? last.since() : position;
        completed = position;
        committed = position;
        stoppedAt = null;
        partial = false;
        tables.begin();
        term = begun;
    }

    /** Continues with another version of the rules, or other rows of tables, from the end of the last batch. */
    void change(PipelineOutput.Version next) {
        since = version != null && version.number() == next.number() ? since : completed;
        version = next;
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

    /** Returns whether batches were processed after the last commit. */
    boolean isDue() {
        return completed > committed;
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
     * @param covered position up to which each region is covered
     */
    void store(Term owner, String feed, boolean stopped, Map<String, Long> covered) {
        PipelineOutput.Version current = Objects.requireNonNull(version);
        tables.beforeCommit(owner, current);
        for (boolean persistent : new boolean[] {true, false}) {
            Map<String, Long> regions = new HashMap<>(covered);
            regions.keySet().removeIf(region -> store.definition(region).persistent() != persistent);
            if (persistent == owner.persistent() || !regions.isEmpty()) {
                Commit commit = new Commit(
                        completed,
                        current.rules(),
                        current.number(),
                        since,
                        feed,
                        stopped,
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
