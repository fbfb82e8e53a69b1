package io.millrace.simulation;

import io.millrace.measure.MeasureKeeper;
import io.millrace.pipeline.PipelineState;
import io.millrace.store.Block;
import io.millrace.store.Layout;
import io.millrace.store.RegionDefinition;
import io.millrace.store.Trades;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.geode.SimulatedStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * One run: a pipeline on up to three processes, which start, stop, are killed, pause and wake up at random, with a feed
 * that ends. Then all is well again, one process completes the feed, and every record has to be where it belongs, once.
 */
final class Schedule {

    private static final int RECORDS = 400;
    private static final byte[] FEED = Trades.feed(RECORDS);
    private static final long STEPS_MAX = 400_000;
    private static final List<RegionDefinition> REGIONS = List.of(
            new RegionDefinition(SimulatedProcess.BLOCKS, Layout.BLOCKS, 0, true, Trades.SCHEMA, List.of("id"), 4),
            new RegionDefinition(SimulatedProcess.ENTRIES, Layout.ENTRIES, 0, true, Trades.SCHEMA, List.of("id"), 4),
            SimulatedMeasure.REGION);

    private final Simulation simulation;
    private final Mutant mutant;
    private final SimulatedCluster cluster;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<SimulatedProcess.Begun> begun = new ArrayList<>();
    private final Set<Long> sent = new HashSet<>();
    private final int[] expired = new int[RECORDS];
    private final boolean rulesChange;
    private final boolean endpointFails;
    private final boolean entries;
    private final boolean measuring;
    private final int putsInFlight;
    private int processCount;
    /** Of the process that ran last: what starts next continues by these, or by the next version. */
    private int version;

    private boolean healthy;

    Schedule(long seed, Mutant mutant) {
        this.simulation = new Simulation(seed);
        this.mutant = mutant;
        cluster = new SimulatedCluster(simulation, body -> simulation.start("server", null, body));
        mutant.prepare(cluster);
        rulesChange = simulation.oneIn(3);
        endpointFails = simulation.oneIn(3);
        entries = !simulation.oneIn(3);
        measuring = simulation.oneIn(2);
        putsInFlight = 1 + simulation.random().nextInt(16);
    }

    /** What a run came to. */
    record Outcome(long steps, long refused, int processes) {}

    /**
     * Runs it.
     *
     * @throws AssertionError where a promise was broken
     */
    Outcome run() {
        simulation.start("world", null, this::world);
        boolean finished = simulation.run(this::finished, STEPS_MAX);
        if (!finished) {
            throw new AssertionError("the feed was not completed within " + STEPS_MAX + " steps: "
                    + processes.stream()
                            .map(process -> process.loop.state() + " " + process.loop.error())
                            .toList());
        }
        verify();
        return new Outcome(simulation.steps(), cluster.refused(), processCount);
    }

    private boolean finished() {
        return healthy && processes.stream().anyMatch(process -> process.done() && !process.ended());
    }

    /** Lets faults happen for a while, then ends them. */
    private void world() {
        int faults = simulation.random().nextInt(14);
        start();
        for (int i = 0; i < faults; i++) {
            simulation.sleep(simulation.millis(simulation.oneIn(4) ? 6_000 : 120));
            fault();
        }
        cluster.heal();
        healthy = true;
        while (true) {
            tend();
            simulation.sleep(500_000_000L);
        }
    }

    private void fault() {
        SimulatedProcess any =
                processes.isEmpty() ? null : processes.get(simulation.random().nextInt(processes.size()));
        switch (simulation.random().nextInt(9)) {
            case 0, 1 -> {
                if (any != null) {
                    any.kill();
                    processes.remove(any);
                }
            }
            case 2 -> {
                if (any != null) {
                    any.pause(simulation.millis(15_000));
                }
            }
            case 3 -> {
                if (any != null) {
                    any.stop();
                    processes.remove(any);
                }
            }
            case 4 -> cluster.becomeUnavailable(simulation.millis(4_000));
            case 5 -> sweep();
            case 6 -> cluster.moveBucket(simulation.millis(4_000));
            default -> {
                if (processes.size() < 3) {
                    start();
                }
            }
        }
        tend();
    }

    private void sweep() {
        cluster.sweep(SimulatedProcess.BLOCKS, (key, value) -> ids(value).forEach(id -> expired[(int) (long) id]++));
    }

    /** As who operates the service does: what has failed is started again, by the old rules where that is asked for. */
    private void tend() {
        for (SimulatedProcess process : List.copyOf(processes)) {
            if (process.ended()) {
                processes.remove(process);
                String error = process.loop.error();
                if (error != null && error.contains("rules of pipeline")) {
                    version = cluster.committedRules("trades/0");
                    // Nobody deploys the new rules again before the old ones have caught up.
                    startByRules(version, false);
                    return;
                }
            } else if (process.loop.state() == PipelineState.DONE || process.loop.state() == PipelineState.RUNNING) {
                version = Math.max(version, process.rules.version());
            }
        }
        if (processes.isEmpty()) {
            start();
        }
    }

    private void start() {
        startByRules(version + (rulesChange && !healthy && simulation.oneIn(3) ? 1 : 0), endpointFails && !healthy);
    }

    private void startByRules(int rules, boolean failing) {
        int number = ++processCount;
        SimulatedProcess.StoreMaker maker =
                threads -> new SimulatedStore(simulation, cluster, REGIONS, threads, number, putsInFlight);
        processes.add(new SimulatedProcess(
                simulation, maker, mutant, new Rules(rules, entries), FEED, begun, sent, failing, measuring));
    }

    private static List<Long> ids(byte[] value) {
        Block block = Block.open(value, Trades.SCHEMA);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < block.count(); i++) {
            ids.add(Trades.id(value, Block.HEADER_LENGTH + i * Trades.LENGTH));
        }
        return ids;
    }

    private void verify() {
        int[] inBlocks = expired.clone();
        long covered = -1;
        for (byte[] value : cluster.region(SimulatedProcess.BLOCKS).values()) {
            Block block = Block.open(value, Trades.SCHEMA);
            if (covered >= 0 && block.count() > 0) {
                require(block.from() == covered, "a gap or an overlap at position " + block.from());
            }
            covered = block.count() > 0 ? block.to() : covered;
            ids(value).forEach(id -> inBlocks[(int) (long) id]++);
        }
        int[] inEntries = new int[RECORDS];
        cluster.region(SimulatedProcess.ENTRIES).values().forEach(value -> inEntries[(int) Trades.id(value, 0)]++);
        boolean[] inRejects = new boolean[RECORDS];
        cluster.region(SimulatedProcess.REJECTS)
                .keySet()
                .forEach(key -> inRejects[
                        Integer.parseInt(key.toString().substring("trades/0/".length())) / Trades.LENGTH] = true);
        for (int id = 0; id < RECORDS; id++) {
            String where = "record " + id + ": blocks=" + inBlocks[id] + " entries=" + inEntries[id] + " rejects="
                    + inRejects[id] + " channel=" + sent.contains((long) id);
            require(inBlocks[id] + inEntries[id] + (inRejects[id] ? 1 : 0) <= 1, "stored twice, " + where);
            int judging = version(id);
            require(
                    fits(new Rules(judging, entries).target(id), inBlocks[id], inEntries[id], inRejects[id], id),
                    "lost or misplaced, by rules " + judging + ": " + where);
        }
        for (SimulatedProcess process : processes) {
            if (process.done() && !process.ended()) {
                for (MeasureKeeper measure : process.measures) {
                    long counted = SimulatedMeasure.counted(
                            cluster.region(SimulatedMeasure.ROWS).values(), measure);
                    require(counted == RECORDS, "the measure has counted " + counted + " of " + RECORDS + " records");
                }
                require(
                        process.arrived == process.kept() + process.dropped + process.rejected,
                        "counters don't add up: " + process.arrived + " != " + process.kept() + " + " + process.dropped
                                + " + " + process.rejected);
            }
        }
    }

    /** The rules by which a record has been processed last: those of the last term that began at it or before. */
    private int version(long id) {
        return begun.stream()
                .filter(term -> term.from() <= id * Trades.LENGTH)
                .max(Comparator.comparingLong(SimulatedProcess.Begun::epoch))
                .orElseThrow()
                .version();
    }

    private boolean fits(Rules.Target target, int blocks, int entries, boolean rejected, long id) {
        return switch (target) {
            case BLOCKS -> blocks == 1;
            case ENTRIES -> entries == 1;
            case REJECTED -> rejected;
            case CHANNEL -> blocks + entries == 0 && !rejected && sent.contains(id);
            case DROPPED -> blocks + entries == 0 && !rejected;
        };
    }

    private void require(boolean good, String problem) {
        if (!good) {
            throw new AssertionError(problem + "; steps=" + simulation.steps() + " processes=" + processCount
                    + " puts in flight=" + putsInFlight + " rules change=" + rulesChange + " "
                    + Arrays.toString(Objects.requireNonNull(processes.stream()
                            .map(process -> process.loop.state())
                            .toArray())));
        }
    }
}
