package io.millrace.simulation;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.schema.Schema;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.geode.SimulatedStore;
import io.millrace.store.write.Commit;
import io.millrace.store.write.Commits;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.RuleVersion;
import io.millrace.store.write.RuleVersions;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.TableVersions;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Faults that the write path once had. The simulation has to find each of them. */
enum Mutant {
    /** The write path as it is. */
    NONE(""),
    /** An empty block takes the place of one that never arrived. */
    HOLLOW_BLOCKS("a gap or an overlap|lost or misplaced|a position of another partition|a partition does not use"
            + "|partitions have written"),
    /** Two processes write under one name, and nobody refuses the older one. */
    NO_FENCING("lost or misplaced|stored twice|a gap or an overlap|the measure has counted|not everything"
            + "|.* has begun twice"
            + "|not the last record|overwritten or lost|not stored before|rejects of incomplete records"
            + "|stored again after it had expired|a partition does not use|partitions have written"
            + "|rows of the measure|position \\d+ after|no version of the rules"),
    /** After a failure in the middle of a batch, the feed continues behind what one region took of it. */
    PART_OF_A_BATCH_COMMITTED("lost or misplaced"),
    /** The key of a writer's first block is the smallest number, which has none before it. */
    SMALLEST_KEY("not everything was delivered"),
    /**
     * States of measures are acknowledged and not stored, so that windows are counted again, and the feed is read from
     * its beginning, perhaps by other rules.
     */
    STATES_NOT_STORED("the measure has counted|lost or misplaced|stored twice|not everything|rows of the measure"),
    /** The commit does not contain the version of the rules that processes the next records. */
    VERSION_NOT_STORED(
            "lost or misplaced|stored twice|not everything|.* has begun twice|position \\d+ after|not the last record"),
    /** The commit does not contain the rows of the table that process the next records. */
    TABLE_NOT_COMMITTED(
            "lost or misplaced|stored twice|overwritten or lost|not the last record|a node has brought back"),
    /** A node whose file of the table is not new uses it. */
    STALE_TABLE("a node has brought back"),
    /** The rules change while blocks hold records that the former rules have to process again. */
    CHANGED_WHILE_BEHIND("lost or misplaced|stored twice|not the last record"),
    /** The rules change while entries hold records that the former rules have to process again. */
    CHANGED_WHILE_ENTRIES_BEHIND("lost or misplaced|stored twice|not the last record"),
    /** A node whose configuration is not new adds it as a version. */
    STALE_CONFIGURATION("a node has brought back"),
    /** Senders get their confirmation once their records are read. */
    ANSWERED_BEFORE_STORED("lost or misplaced"),
    /** Of two records with the same key in a batch, the earlier one is stored. */
    ENTRIES_OUT_OF_ORDER("not the last record|overwritten or lost"),
    /** The position of the records before the first step is taken as further than it is. */
    RAW_COVERED("not stored before the first step"),
    /** The servers carry out an earlier request of a client's thread after a later one. */
    LATE_REQUESTS("not the last record|overwritten or lost|lost or misplaced|stored twice|the measure has counted"
            + "|rejects of incomplete records|stored again after it had expired|not stored before"
            + "|position \\d+ after|a node has brought back"),
    /** The reject of an incomplete record stays although the record is completed. */
    INCOMPLETE_THOUGH_COMPLETED("rejects of incomplete records|stored twice, as a reject"),
    /** A change is accepted before all servers that run have it. */
    ACCEPTED_BEFORE_COPIED(
            "lost or misplaced|not stored before|not the last record|overwritten or lost|a gap or an overlap"
                    + "|not everything|the measure has counted"),
    /** A server starts from its copy although another one has a newer one. */
    STARTED_FROM_AN_OLD_COPY(
            "lost or misplaced|not stored before|not the last record|overwritten or lost|a gap or an overlap"
                    + "|not everything|a node has brought back|rejects of incomplete records"
                    + "|the measure has counted|stored twice"),
    /** Values that were stored while a clock was behind count as older than they are. */
    STORED_WHILE_BEHIND("expired too early"),
    /** A process that takes over reads a block while the former owner extends it. */
    READ_DURING_EXTENSION(
            "a gap or an overlap|lost or misplaced|stored twice|not stored before|the measure has counted"),
    /** A block is extended although an earlier put of it may still arrive. */
    EXTENDED_AFTER_A_FAILURE(
            "a gap or an overlap|lost or misplaced|stored twice|not stored before|the measure has counted"
                    + "|stored again after it had expired"),
    /** A put of a block that failed is retried by another thread, so that the failed one may arrive later. */
    RETRIED_BY_ANOTHER_THREAD("stored again after it had expired"),
    /** A gap among the newest blocks makes the region's writer forget the commit: records are processed again. */
    COMMIT_FORGOTTEN_AT_A_GAP("lost or misplaced|stored twice|not the last record|position \\d+ after"),
    /** A process whose term has ended can still write commits, and how far entries are ahead of them. */
    COMMITS_NOT_FENCED(
            "lost or misplaced|stored twice|not the last record|.* has begun twice|position \\d+ after|not everything"),
    /** A feed that could not be read continues where it was opened before. */
    FEED_READ_AGAIN_AFTER_A_FAILURE("a feed is wrong|stored twice|out of order|lost or misplaced|a gap or an overlap"),
    /** Nobody notices that the source of a feed has changed. */
    CHANGED_FEED_CONTINUED("a feed is wrong"),
    /** A lane takes over a partition while another one turns it. */
    TURNED_BY_TWO_LANES("lost or misplaced|stored twice|a gap or an overlap|.* has begun twice|out of order"
            + "|not everything|not stored before|counters don't add up|position \\d+ after"
            + "|rejects of incomplete records|a partition does not use|not the last record"
            + "|rows of the measure|a feed is wrong"),
    /** A partition continues at the position of another one. */
    POSITION_OF_ANOTHER_PARTITION(
            "lost or misplaced|a position of another partition|position \\d+ after|a gap or an overlap"
                    + "|not stored before|a partition does not use"),
    /** A partition continues by the version of the rules that the commit of another one names. */
    VERSION_OF_ANOTHER_PARTITION("lost or misplaced|stored twice|.* has begun twice|not everything|position \\d+ after"
            + "|a partition does not use"),
    /** Of two entries with the same key, the one that arrives last is stored, though another field orders them. */
    IN_ANY_ORDER("not the last record");

    private final String problem;

    /** @param problem as which the simulation finds it, a regular expression */
    Mutant(String problem) {
        this.problem = problem;
    }

    /**
     * Returns the maximum number of schedules of a search for it. A gap matters if the first block behind a commit is
     * lost, a later one is not, the process ends at that moment, and the rules have changed just before.
     */
    int schedules() {
        return this == COMMIT_FORGOTTEN_AT_A_GAP ? 12_000 : 4_000;
    }

    String problem() {
        return problem;
    }

    void prepare(SimulatedCluster cluster) {
        switch (this) {
            case NO_FENCING -> cluster.acceptEverything();
            case LATE_REQUESTS -> cluster.carryOutLateRequests();
            case INCOMPLETE_THOUGH_COMPLETED -> cluster.keepProvisional();
            case ACCEPTED_BEFORE_COPIED -> cluster.acceptBeforeCopying();
            case STARTED_FROM_AN_OLD_COPY -> cluster.startWithoutTheNewest();
            case STORED_WHILE_BEHIND -> cluster.trustTheClock();
            case READ_DURING_EXTENSION -> cluster.answerDuringWrites();
            case EXTENDED_AFTER_A_FAILURE -> cluster.hideFailures();
            case RETRIED_BY_ANOTHER_THREAD -> cluster.retryOnOtherThreads();
            case COMMITS_NOT_FENCED -> cluster.acceptCommits();
            default -> {}
        }
    }

    /** Returns a writer to a region. */
    RegionWriter writer(SimulatedStore store, String region, WriterName name, Schema records, RejectSink rejects) {
        return switch (region) {
            case Stored.BLOCKS -> blockWriter(store, region, name, records, rejects);
            case Stored.ENTRIES -> entryWriter(store.writer(region, name, records, rejects));
            case Stored.RAW -> rawWriter(store.writer(region, name, records, rejects));
            default -> store.writer(region, name, records, rejects);
        };
    }

    private RegionWriter blockWriter(
            SimulatedStore store, String region, WriterName name, Schema records, RejectSink rejects) {
        return switch (this) {
            case HOLLOW_BLOCKS -> store.hollowWriter(region, records, 2L << 36);
            case SMALLEST_KEY -> store.hollowWriter(region, records, Long.MIN_VALUE);
            case CHANGED_WHILE_BEHIND -> hidingItsPosition(store.writer(region, name, records, rejects));
            case COMMIT_FORGOTTEN_AT_A_GAP -> store.forgetfulWriter(region, name, records);
            default -> store.writer(region, name, records, rejects);
        };
    }

    private RegionWriter entryWriter(RegionWriter writer) {
        return switch (this) {
            case CHANGED_WHILE_ENTRIES_BEHIND -> hidingItsPosition(writer);
            case ENTRIES_OUT_OF_ORDER -> changing(writer, Mutant::reverse, (_, result) -> result);
            default -> writer;
        };
    }

    private RegionWriter rawWriter(RegionWriter writer) {
        return this == RAW_COVERED
                ? changing(
                        writer,
                        _ -> {},
                        (method, result) -> method.equals("covered") ? (Object) Long.MAX_VALUE : result)
                : writer;
    }

    /** Returns the versions of rules. */
    RuleVersions versions(RuleVersions versions) {
        return this == STALE_CONFIGURATION
                ? changing(
                        RuleVersions.class,
                        versions,
                        _ -> {},
                        (method, result) -> method.equals("configured") ? lastConfigured(versions) : result)
                : versions;
    }

    private static @Nullable String lastConfigured(RuleVersions versions) {
        return versions.all(Rules.PIPELINE).stream()
                .filter(version -> version.origin().equals(RuleHistory.FILE))
                .map(RuleVersion::fingerprint)
                .reduce(null, (_, later) -> later);
    }

    private static void reverse(@Nullable Object @Nullable [] arguments) {
        if (arguments != null && arguments[0] instanceof RecordBatch batch) {
            int[] selection = batch.selection();
            for (int i = 0, j = batch.selected() - 1; i < j; i++, j--) {
                int ordinal = selection[i];
                selection[i] = selection[j];
                selection[j] = ordinal;
            }
        }
    }

    private static RegionWriter hidingItsPosition(RegionWriter writer) {
        return changing(writer, _ -> {}, (method, result) -> method.equals("storedUpTo") ? (Object) 0L : result);
    }

    private static RegionWriter changing(
            RegionWriter writer,
            Consumer<@Nullable Object @Nullable []> before,
            BiFunction<String, @Nullable Object, @Nullable Object> after) {
        return changing(RegionWriter.class, writer, before, after);
    }

    /**
     * @param before receives the arguments of each call
     * @param after receives the name of the method and the result, and returns another one
     */
    private static <T> T changing(
            Class<T> type,
            T changed,
            Consumer<@Nullable Object @Nullable []> before,
            BiFunction<String, @Nullable Object, @Nullable Object> after) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    try {
                        before.accept(arguments);
                        return after.apply(method.getName(), method.invoke(changed, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    RegionWriters store(RegionWriters store) {
        return switch (this) {
            case PART_OF_A_BATCH_COMMITTED -> withCommits(store, Careless::new);
            case VERSION_NOT_STORED -> withCommits(store, Forgetful::new);
            case POSITION_OF_ANOTHER_PARTITION -> withCommits(store, commits -> withNeighbors(commits, Mutant::at));
            case VERSION_OF_ANOTHER_PARTITION -> withCommits(store, commits -> withNeighbors(commits, Mutant::by));
            case TABLE_NOT_COMMITTED ->
                withCommits(
                        store,
                        commits -> changing(
                                Commits.class,
                                commits,
                                _ -> {},
                                (_, result) -> result instanceof Commit commit ? withoutTables(commit) : result));
            case STALE_TABLE ->
                changing(
                        RegionWriters.class,
                        store,
                        _ -> {},
                        (_, result) -> result instanceof TableVersions versions ? neverUsed(versions) : result);
            default -> store;
        };
    }

    private static RegionWriters withCommits(RegionWriters store, UnaryOperator<Commits> changed) {
        return changing(
                RegionWriters.class,
                store,
                _ -> {},
                (_, result) -> result instanceof Commits commits ? changed.apply(commits) : result);
    }

    /** @param mixed returns a commit made of that of a partition and that of the one before */
    private static Commits withNeighbors(Commits commits, BinaryOperator<Commit> mixed) {
        return (Commits) Proxy.newProxyInstance(
                Commits.class.getClassLoader(), new Class<?>[] {Commits.class}, (_, method, arguments) -> {
                    try {
                        Object result = method.invoke(commits, arguments);
                        if (!(result instanceof Commit commit) || !(arguments[0] instanceof WriterName writer)) {
                            return result;
                        }
                        Commit other = writer.partition() == 0
                                ? null
                                : commits.get(WriterName.of(writer.pipeline(), writer.partition() - 1));
                        return other == null ? result : mixed.apply(commit, other);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Commit at(Commit commit, Commit position) {
        return new Commit(
                position.position(),
                commit.rules(),
                commit.version(),
                commit.since(),
                commit.feed(),
                commit.clean(),
                position.aligned(),
                position.regions(),
                commit.tables());
    }

    private static Commit by(Commit commit, Commit version) {
        return new Commit(
                commit.position(),
                version.rules(),
                version.version(),
                version.since(),
                commit.feed(),
                commit.clean(),
                commit.aligned(),
                commit.regions(),
                commit.tables());
    }

    private static TableVersions neverUsed(TableVersions versions) {
        return changing(
                TableVersions.class, versions, _ -> {}, (method, result) -> method.equals("uses") ? List.of() : result);
    }

    private static Commit withoutTables(Commit commit) {
        return new Commit(
                commit.position(),
                commit.rules(),
                commit.version(),
                commit.since(),
                commit.feed(),
                commit.clean(),
                commit.aligned(),
                commit.regions());
    }

    StateStore states(StateStore states) {
        return this == STATES_NOT_STORED
                ? new StateStore() {
                    @Override
                    public byte @Nullable [] get(String key) {
                        return states.get(key);
                    }

                    @Override
                    public void put(String key, byte[] value, Term term) {
                        // forgotten
                    }

                    @Override
                    public void remove(String key, Term term) {
                        // forgotten
                    }

                    @Override
                    public boolean lasting() {
                        return true;
                    }
                }
                : states;
    }

    /** Commits that keep the first version of the rules. */
    private record Forgetful(Commits commits) implements Commits {

        @Override
        public @Nullable Commit get(WriterName writer) {
            return commits.get(writer);
        }

        @Override
        public void put(Term term, Commit commit) {
            Commit last = commits.get(term.writer());
            commits.put(
                    term,
                    last == null
                            ? commit
                            : new Commit(
                                    commit.position(),
                                    last.rules(),
                                    last.version(),
                                    last.since(),
                                    commit.feed(),
                                    commit.clean(),
                                    commit.aligned(),
                                    commit.regions(),
                                    commit.tables()));
        }

        @Override
        public Map<String, Commit> all() {
            return commits.all();
        }

        @Override
        public long storedUpTo(WriterName writer, String region) {
            return commits.storedUpTo(writer, region);
        }

        @Override
        public void setStoredUpTo(Term term, String region, long position) {
            commits.setStoredUpTo(term, region, position);
        }
    }

    /** Commits that only say how far regions of records are, not how far the pipeline and its rejects are. */
    private record Careless(Commits commits) implements Commits {

        @Override
        public @Nullable Commit get(WriterName writer) {
            Commit commit = commits.get(writer);
            if (commit == null) {
                return null;
            }
            Map<String, Long> regions = new HashMap<>(commit.regions());
            regions.remove(Stored.REJECTS);
            regions.put(
                    Stored.REJECTS, regions.values().stream().max(Long::compare).orElse(0L));
            return new Commit(
                    Long.MAX_VALUE,
                    commit.rules(),
                    commit.version(),
                    commit.since(),
                    commit.feed(),
                    commit.clean(),
                    commit.aligned(),
                    regions,
                    commit.tables());
        }

        @Override
        public void put(Term term, Commit commit) {
            commits.put(term, commit);
        }

        @Override
        public Map<String, Commit> all() {
            return commits.all();
        }

        @Override
        public long storedUpTo(WriterName writer, String region) {
            return commits.storedUpTo(writer, region);
        }

        @Override
        public void setStoredUpTo(Term term, String region, long position) {
            commits.setStoredUpTo(term, region, position);
        }
    }
}
