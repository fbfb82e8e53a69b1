package io.millrace.simulation;

import io.millrace.codec.RejectReason;
import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Where records are in the cluster at the end of a run, and where they were until retention removed them. */
final class Stored {

    static final String BLOCKS = "blocks";
    static final String ENTRIES = "entries";
    static final String REJECTS = "rejects";
    static final String RAW = "raw";
    private static final List<RegionDefinition> REGIONS = List.of(
            new RegionDefinition(
                    ENTRIES,
                    Layout.ENTRIES,
                    0,
                    true,
                    Trades.SCHEMA,
                    List.of(SharedKeys.FIELD),
                    SharedKeys.REMOVE,
                    4,
                    BlockEncoding.ROWS),
            Rejects.region(REJECTS, true),
            new RegionDefinition(RAW, Layout.BLOCKS, 0, true, Trades.SCHEMA, List.of("id"), 4),
            SimulatedMeasure.REGION);

    private final SimulatedCluster cluster;
    private final int blockRecords;
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

    private final Map<Long, Integer> inRaw = new HashMap<>();

    /**
     * @param rules any version of the rules
     * @param sent what a user's endpoint has taken
     * @param keepRaw whether all records are also stored before the first step
     * @param blockRecords maximum number of records of a block
     */
    Stored(SimulatedCluster cluster, Rules rules, Set<Long> sent, boolean keepRaw, int blockRecords) {
        this.blockRecords = blockRecords;
        this.keepRaw = keepRaw;
        this.cluster = cluster;
        this.rules = rules;
        this.sent = sent;
    }

    List<RegionDefinition> regions() {
        List<RegionDefinition> regions = new ArrayList<>(REGIONS);
        regions.add(new RegionDefinition(BLOCKS, Layout.BLOCKS, 0, true, Trades.SCHEMA, List.of("id"), blockRecords));
        return regions;
    }

    /** Notes an entry that retention has removed. */
    void addExpired(String key, byte[] value) {
        expired.put(key, Trades.id(value, 0));
    }

    /**
     * A block that retention has removed. A late put may store it once more, as long as its writer's term has not
     * ended.
     *
     * @param at number of changes with its removal
     */
    private record Removed(Object key, byte[] block, int at) {}

    /** Notes a block that retention has removed. */
    void addRemoved(Object key, byte[] block) {
        removed.add(new Removed(key, block, cluster.changes()));
    }

    /** All changes behind so many are lost, also removals. */
    void lost(int changes) {
        while (!removed.isEmpty() && removed.getLast().at > changes) {
            removed.removeLast();
        }
    }

    private static void count(byte[] value, Map<Long, Integer> counts) {
        Block block = Block.open(value, Trades.SCHEMA);
        for (int i = 0; i < block.count(); i++) {
            counts.merge(Trades.id(value, BlockFormat.HEADER_LENGTH + i * Trades.LENGTH), 1, Integer::sum);
        }
    }

    private static void addVersion(Map<Object, Map<Long, Integer>> blocks, Object key, byte[] block) {
        Map<Long, Integer> counts = new HashMap<>();
        count(block, counts);
        Map<Long, Integer> most = blocks.computeIfAbsent(key, _ -> new HashMap<>());
        counts.forEach((id, count) -> most.merge(id, count, Math::max));
    }

    /** Counts all that the cluster has. */
    void addAll() {
        Map<Object, Map<Long, Integer>> blocks = new HashMap<>();
        removed.forEach(each -> addVersion(blocks, each.key, each.block));
        cluster.region(BLOCKS).forEach((key, block) -> addVersion(blocks, key, block));
        blocks.values().forEach(counts -> counts.forEach((id, count) -> inBlocks.merge(id, count, Integer::sum)));
        cluster.region(ENTRIES).forEach((key, value) -> entries.put((String) key, Trades.id(value, 0)));
        inEntries.addAll(entries.values());
        cluster.region(RAW).values().forEach(value -> count(value, inRaw));
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

    /** Returns the positions of incomplete records that were rejected. */
    List<Long> incomplete() {
        return incomplete;
    }

    Collection<byte[]> region(String name) {
        return cluster.region(name).values();
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
     * expired.
     */
    void requireEntries(Map<String, Long> last) {
        expired.forEach((key, id) -> {
            if (!entries.containsKey(key)) {
                last.remove(key, id);
            }
        });
        require(
                entries.equals(last),
                "not the last record of an entry's key: " + entries + " instead of " + new TreeMap<>(last));
    }

    /**
     * Requires that a record is where a version of the rules sends it, once, and nowhere else, unless that is an entry,
     * which other records may have replaced. Returns where it is sent.
     */
    Rules.Target requireStored(long id, int version) {
        Rules.Target target = requireInPlace(id, version);
        boolean there = switch (target) {
            case BLOCKS -> inBlocks.containsKey(id);
            case ENTRIES -> true;
            case REJECTED -> inRejects.contains(id);
            case CHANNEL -> sent.contains(id);
            case DROPPED -> true;
        };
        require(!keepRaw || inRaw.containsKey(id), () -> "not stored before the first step: record " + id);
        require(there, () -> "lost or misplaced, by rules " + version + ": " + where(id));
        return target;
    }

    /** Requires that a record is nowhere but where a version of the rules sends it, and there at most once. */
    Rules.Target requireInPlace(long id, int version) {
        int blocks = inBlocks.getOrDefault(id, 0);
        boolean entry = inEntries.contains(id);
        boolean reject = inRejects.contains(id);
        require(inRaw.getOrDefault(id, 0) <= 1, () -> "stored twice, before the first step: record " + id);
        require(blocks + (entry ? 1 : 0) + (reject ? 1 : 0) <= 1, () -> "stored twice, " + where(id));
        Rules.Target target = target(id, version);
        require(
                (blocks == 0 || target == Rules.Target.BLOCKS)
                        && (!entry || target == Rules.Target.ENTRIES)
                        && (!reject || target == Rules.Target.REJECTED),
                () -> "lost or misplaced, by rules " + version + ": " + where(id));
        return target;
    }

    /** Returns where a version of the rules sends a record. */
    Rules.Target target(long id, int version) {
        return rules.version(version).target(id);
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

    private static void require(boolean good, Supplier<String> problem) {
        if (!good) {
            throw new AssertionError(problem.get());
        }
    }
}
