package io.millrace.simulation;

import io.millrace.store.Rejects;
import io.millrace.store.Trades;
import io.millrace.store.block.Block;
import io.millrace.store.block.BlockFormat;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where records are in the cluster at the end of a run, and where they were until retention removed them. */
final class Stored {

    static final String BLOCKS = "blocks";
    static final String ENTRIES = "entries";
    static final String REJECTS = "rejects";
    static final List<RegionDefinition> REGIONS = List.of(
            new RegionDefinition(BLOCKS, Layout.BLOCKS, 0, true, Trades.SCHEMA, List.of("id"), 4),
            new RegionDefinition(ENTRIES, Layout.ENTRIES, 0, true, Trades.SCHEMA, List.of("id"), 4),
            Rejects.region(REJECTS, true),
            SimulatedMeasure.REGION);

    private final SimulatedCluster cluster;
    private final Rules rules;
    private final Set<Long> sent;
    private final Map<Long, Integer> inBlocks = new HashMap<>();
    private final Set<Long> inEntries = new HashSet<>();
    private final Set<Long> inRejects = new HashSet<>();

    /**
     * @param rules any version of the rules
     * @param sent what a user's endpoint has taken
     */
    Stored(SimulatedCluster cluster, Rules rules, Set<Long> sent) {
        this.cluster = cluster;
        this.rules = rules;
        this.sent = sent;
    }

    /** Counts the records of a block that is, or was, stored. */
    void addBlock(byte[] value) {
        Block block = Block.open(value, Trades.SCHEMA);
        for (int i = 0; i < block.count(); i++) {
            inBlocks.merge(Trades.id(value, BlockFormat.HEADER_LENGTH + i * Trades.LENGTH), 1, Integer::sum);
        }
    }

    /** Counts all that the cluster has. */
    void addAll() {
        cluster.region(BLOCKS).values().forEach(this::addBlock);
        cluster.region(ENTRIES).values().forEach(value -> inEntries.add(Trades.id(value, 0)));
        cluster.region(REJECTS).values().forEach(this::addRejects);
    }

    private void addRejects(byte[] value) {
        for (Reject reject : Rejects.inBlock(value)) {
            long id = Trades.id(reject.bytes(), 0);
            require(inRejects.add(id), "stored twice, as a reject: record " + id);
        }
    }

    Collection<byte[]> region(String name) {
        return cluster.region(name).values();
    }

    /** Requires that a record is where a version of the rules sends it, once, and nowhere else. */
    void requireStored(long id, int version) {
        boolean there = switch (requireInPlace(id, version)) {
            case BLOCKS -> inBlocks.containsKey(id);
            case ENTRIES -> inEntries.contains(id);
            case REJECTED -> inRejects.contains(id);
            case CHANNEL -> sent.contains(id);
            case DROPPED -> true;
        };
        require(there, "lost or misplaced, by rules " + version + ": " + where(id));
    }

    /** Requires that a record is nowhere but where a version of the rules sends it, and there at most once. */
    Rules.Target requireInPlace(long id, int version) {
        int blocks = inBlocks.getOrDefault(id, 0);
        boolean entry = inEntries.contains(id);
        boolean reject = inRejects.contains(id);
        require(blocks + (entry ? 1 : 0) + (reject ? 1 : 0) <= 1, "stored twice, " + where(id));
        Rules.Target target = rules.version(version).target(id);
        require(
                (blocks == 0 || target == Rules.Target.BLOCKS)
                        && (!entry || target == Rules.Target.ENTRIES)
                        && (!reject || target == Rules.Target.REJECTED),
                "lost or misplaced, by rules " + version + ": " + where(id));
        return target;
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
}
