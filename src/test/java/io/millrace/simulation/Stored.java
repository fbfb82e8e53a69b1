package io.millrace.simulation;

import io.millrace.codec.RejectReason;
import io.millrace.schema.Schema;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.BlockKey;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import io.millrace.store.reject.Reject;
import io.millrace.store.write.Commit;
import io.millrace.store.write.WriterName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where records are in the cluster at the end of a run, and where they were until retention removed them. */
final class Stored {

    static final String BLOCKS = "blocks";
    static final String ENTRIES = "entries";
    static final String REJECTS = "rejects";
    static final String RAW = "raw";

    /** Created once: they are immutable, and there are thousands of schedules. */
    private static final Map<Form, List<RegionDefinition>> REGIONS = new ConcurrentHashMap<>();

    private final SimulatedCluster cluster;
    private final int blockRecords;
    private final boolean ordered;
    /** Ids of all entries that have expired. */
    private final Set<Long> everExpired = new HashSet<>();
    /** Ids of the last entries that have expired, by key. */
    private final Map<String, Long> expired = new HashMap<>();

    private final Rules rules;
    private final Set<Long> sent;
    private final boolean keepRaw;
    private final Map<Long, Integer> inBlocks = new HashMap<>();
    private final Map<String, Long> entries = new TreeMap<>();
    private final Set<Long> inEntries = new HashSet<>();
    private final Set<Long> inRejects = new HashSet<>();
    private final List<Long> incomplete = new ArrayList<>();
    private final List<Removed> removed = new ArrayList<>();

    private @Nullable Map<String, List<Commit>> commits;
    private final Map<Long, Integer> inRaw = new HashMap<>();

    /**
     * @param rules any version of the rules
     * @param sent what a user's endpoint has taken
     * @param keepRaw whether all records are also stored before the first step
     * @param blockRecords maximum number of records of a block
     * @param ordered whether entries are in the order of their ids, and none removes another
     */
    Stored(SimulatedCluster cluster, Rules rules, Set<Long> sent, boolean keepRaw, int blockRecords, boolean ordered) {
        this.blockRecords = blockRecords;
        this.ordered = ordered;
        this.keepRaw = keepRaw;
        this.cluster = cluster;
        this.rules = rules;
        this.sent = sent;
    }

    /**
     * What definitions of regions depend on.
     *
     * @param stored schema of the records in them
     * @param received schema of the records before the first step
     */
    private record Form(Schema stored, Schema received, int blockRecords, boolean ordered) {}

    List<RegionDefinition> regions() {
        return REGIONS.computeIfAbsent(
                new Form(rules.stored(), rules.received(), blockRecords, ordered), Stored::regions);
    }

    private static List<RegionDefinition> regions(Form form) {
        RegionDefinition entriesByKey = new RegionDefinition(
                ENTRIES,
                Layout.ENTRIES,
                0,
                true,
                form.stored,
                List.of(SharedKeys.FIELD),
                form.ordered ? null : SharedKeys.REMOVE,
                form.ordered ? "id" : null,
                4,
                BlockEncoding.ROWS,
                Retention.FOREVER,
                Memory.HEAP,
                List.of());
        return List.of(
                new RegionDefinition(BLOCKS, Layout.BLOCKS, 0, true, form.stored, List.of("id"), form.blockRecords),
                entriesByKey,
                Rejects.region(REJECTS, true),
                new RegionDefinition(RAW, Layout.BLOCKS, 0, true, form.received, List.of("id"), 4),
                SimulatedMeasure.REGION);
    }

    /** Notes an entry that retention has removed. */
    void addExpired(String key, byte[] value) {
        expired.put(key, Trades.id(value, 0));
        everExpired.add(Trades.id(value, 0));
    }

    /** Returns whether a record removes the entry of its key. */
    boolean removes(long id) {
        return !ordered && SharedKeys.removes(id);
    }

    /**
     * A block that retention has removed.
     *
     * @param at number of changes with its removal
     */
    private record Removed(byte[] block, int at) {}

    /** Notes a block that retention has removed. */
    void addRemoved(byte[] block) {
        removed.add(new Removed(block, cluster.changes()));
    }

    /** All changes behind so many are lost, also removals. */
    void lost(int changes) {
        while (!removed.isEmpty() && removed.getLast().at > changes) {
            removed.removeLast();
        }
    }

    private static void count(byte[] value, Schema records, Map<Long, Integer> counts) {
        var _ = read(value, records, id -> counts.merge(id, 1, Integer::sum));
    }

    private static Block read(byte[] value, Schema records, LongConsumer ids) {
        Block block = Block.open(value, records);
        boolean parted = !records.groups().isEmpty();
        int[] bounds = new int[block.count() + 1];
        if (parted) {
            block.bounds(bounds);
        }
        for (int i = 0; i < block.count(); i++) {
            long id = parted
                    ? Parts.id(value, bounds[i], bounds[i + 1])
                    : Trades.id(value, BlockFormat.HEADER_LENGTH + i * records.recordLength());
            ids.accept(id);
        }
        return block;
    }

    /** Counts all that the cluster has. */
    void addAll() {
        removed.forEach(each -> count(each.block, rules.stored(), inBlocks));
        cluster.region(BLOCKS).values().forEach(block -> count(block, rules.stored(), inBlocks));
        cluster.region(ENTRIES).forEach((key, value) -> entries.put((String) key, Trades.id(value, 0)));
        inEntries.addAll(entries.values());
        cluster.region(RAW).values().forEach(value -> count(value, rules.received(), inRaw));
        cluster.region(REJECTS).values().forEach(this::addRejects);
    }

    private void addRejects(byte[] value) {
        for (Reject reject : Rejects.inBlock(value)) {
            if (reject.kind() == RejectReason.Kind.TRUNCATED) {
                incomplete.add(reject.position());
                continue;
            }
            long id = Trades.id(reject.bytes(), 0);
            require(inRejects.add(id), "stored twice, as a reject: record " + id);
        }
    }

    /** Returns all commits of a partition that were accepted and are not lost, in order. */
    List<Commit> commits(int partition) {
        Map<String, List<Commit>> known = commits;
        if (known == null) {
            known = cluster.commits();
            commits = known;
        }
        return known.getOrDefault(WriterName.of(Rules.PIPELINE, partition).text(), List.of());
    }

    /** Returns any version of the rules. */
    Rules rules() {
        return rules;
    }

    /** Returns the positions of incomplete records that were rejected. */
    List<Long> incomplete() {
        return incomplete;
    }

    Collection<byte[]> region(String name) {
        return cluster.region(name).values();
    }

    /** A block, by the number of its writer and in the order in which the writer has stored it. */
    interface BlockVisitor {
        void visit(int writer, Block block, List<Long> ids);
    }

    /** Visits the blocks of a region of records. */
    void visitBlocks(String name, BlockVisitor visitor) {
        Schema schema = name.equals(RAW) ? rules.received() : rules.stored();
        cluster.region(name).forEach((key, value) -> {
            List<Long> ids = new ArrayList<>();
            Block block = read(value, schema, ids::add);
            visitor.visit(BlockKey.number((Long) key), block, ids);
        });
    }

    /** Returns the ids of the records in entries, by key. */
    Map<String, Long> entries() {
        return entries;
    }

    /** Returns the ids of the last entries that have expired, by key. */
    Map<String, Long> expired() {
        return expired;
    }

    /**
     * Requires that there are these entries and no others: of the records with a key, the last one, unless that has
     * expired. After that, one that was read later may be stored again in the place of the last one, if it is older.
     */
    void requireEntries(Map<String, Long> last) {
        if (ordered) {
            last.entrySet().removeIf(entry -> isGone(entry.getKey(), entry.getValue()));
            last.replaceAll((key, id) -> everExpired.contains(id) ? entries.getOrDefault(key, id) : id);
        }
        expired.forEach((key, id) -> {
            if (!entries.containsKey(key)) {
                last.remove(key, id);
            }
        });
        require(
                entries.equals(last),
                "not the last record of an entry's key: " + entries + " instead of " + new TreeMap<>(last));
    }

    private boolean isGone(String key, long last) {
        return everExpired.contains(last) && !entries.containsKey(key);
    }

    /**
     * Requires that what is made of a record of the feed is where rules and a table send it, once, and nowhere else,
     * unless that is an entry, which other records may have replaced.
     *
     * @param made receives the ids of these records, in order, and where each is sent
     */
    void requireStored(long record, Applied applied, BiConsumer<Long, Rules.Target> made) {
        require(inRaw.getOrDefault(record, 0) <= 1, () -> "stored twice, before the first step: record " + record);
        require(!keepRaw || inRaw.containsKey(record), () -> "not stored before the first step: record " + record);
        rules.made(record).forEach(id -> made.accept(id, requireAvailable(id, applied)));
    }

    private Rules.Target requireAvailable(long id, Applied applied) {
        Rules.Target target = requireInPlace(id, applied);
        boolean there = switch (target) {
            case BLOCKS -> inBlocks.containsKey(id);
            case ENTRIES -> true;
            case REJECTED -> inRejects.contains(id);
            case CHANNEL -> sent.contains(id);
            case DROPPED -> true;
        };
        require(there, () -> "lost or misplaced, by " + applied + ": " + where(id));
        return target;
    }

    /** Requires that a record is nowhere but where rules and a table send it, and there at most once. */
    Rules.Target requireInPlace(long id, Applied applied) {
        int blocks = inBlocks.getOrDefault(id, 0);
        boolean entry = inEntries.contains(id);
        boolean reject = inRejects.contains(id);
        require(blocks + (entry ? 1 : 0) + (reject ? 1 : 0) <= 1, () -> "stored twice, " + where(id));
        Rules.Target target = target(id, applied);
        require(
                (blocks == 0 || target == Rules.Target.BLOCKS)
                        && (!entry || target == Rules.Target.ENTRIES)
                        && (!reject || target == Rules.Target.REJECTED),
                () -> "lost or misplaced, by " + applied + ": " + where(id));
        return target;
    }

    /** Returns where rules and rows of the table send a record. */
    Rules.Target target(long id, Applied applied) {
        return rules.version(applied.rules()).target(id, applied.table());
    }

    /** All records that are stored. */
    Set<Long> ids() {
        Set<Long> all = new HashSet<>(inBlocks.keySet());
        all.addAll(inEntries);
        all.addAll(inRejects);
        return all;
    }

    private String where(long id) {
        return "record " + id + ": blocks=" + inBlocks.getOrDefault(id, 0) + " entry=" + inEntries.contains(id)
                + " reject=" + inRejects.contains(id) + " channel=" + sent.contains(id);
    }

    /** @throws AssertionError where a promise was broken */
    static void require(boolean good, String problem) {
        if (!good) {
            throw new AssertionError(problem);
        }
    }

    /** @throws AssertionError where a promise was broken */
    static void require(boolean good, Supplier<String> problem) {
        if (!good) {
            throw new AssertionError(problem.get());
        }
    }
}
