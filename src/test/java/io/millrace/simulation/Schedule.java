package io.millrace.simulation;

import io.millrace.pipeline.PipelineState;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.geode.SimulatedStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One run: a pipeline on up to three processes, which start, stop, are killed, pause and wake up at random. Then all is
 * well again, what is left of the records is delivered, and each has to be where it belongs, once.
 */
final class Schedule {

    private static final long STEPS_MAX = 400_000;
    /** Longer than any request is under way. */
    private static final long SETTLING = 30_000_000_000L;

    private final Simulation simulation;
    private final Mutant mutant;
    private final SimulatedCluster cluster;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Source source;
    private final Set<Long> sent = new HashSet<>();
    private final Stored stored;
    private final Weights weights;
    private int processCount;
    /**
     * Of the process that ran last: what starts next continues by these, or by the next version. If the rules change
     * while processes run, the version that is asked for.
     */
    private int version;

    private boolean healthy;
    /** Whether all is delivered, and nothing is under way any more. */
    private boolean settled;

    Schedule(long seed, Mutant mutant, Weights.Chooser chooser) {
        this.simulation = new Simulation(seed);
        this.mutant = mutant;
        cluster = new SimulatedCluster(simulation, body -> simulation.start("server", null, body));
        mutant.prepare(cluster);
        weights = chooser.choose(simulation);
        stored = new Stored(cluster, rules(0), sent);
        source = weights.senders()
                ? new Senders(simulation, mutant == Mutant.ANSWERED_BEFORE_STORED)
                : new FileSource(simulation, cluster);
    }

    private Rules rules(int number) {
        return new Rules(number, weights.entries(), weights.liveChanges());
    }

    /** What a run came to. */
    record Outcome(long steps, long refused, int processes) {

        Outcome plus(Outcome other) {
            return new Outcome(steps + other.steps, refused + other.refused, processes + other.processes);
        }
    }

    /**
     * Runs it.
     *
     * @throws AssertionError where a promise was broken
     */
    Outcome run() {
        simulation.start("world", null, this::world);
        boolean finished = simulation.run(() -> settled, STEPS_MAX);
        if (!finished) {
            throw new AssertionError("not everything was delivered within " + STEPS_MAX + " steps: "
                    + processes.stream()
                            .map(process -> process.loop.state() + " " + process.loop.error())
                            .toList());
        }
        verify();
        return new Outcome(simulation.steps(), cluster.refused(), processCount);
    }

    /** Lets faults happen for a while, then ends them. */
    private void world() {
        int faults = weights.least() + simulation.random().nextInt(weights.more());
        start();
        for (int i = 0; i < faults; i++) {
            simulation.sleep(simulation.millis(simulation.oneIn(4) ? 6_000 : 120));
            fault();
        }
        cluster.heal();
        healthy = true;
        while (!source.finished(processes)) {
            tend();
            simulation.sleep(500_000_000L);
        }
        simulation.sleep(SETTLING);
        settled = true;
    }

    private void fault() {
        if (weights.liveChanges() && simulation.oneIn(2)) {
            version++;
        }
        SimulatedProcess any =
                processes.isEmpty() ? null : processes.get(simulation.random().nextInt(processes.size()));
        switch (weights.next(simulation)) {
            case KILL -> {
                if (any != null) {
                    any.kill();
                    processes.remove(any);
                }
            }
            case PAUSE -> {
                if (any != null) {
                    any.pause(simulation.millis(15_000));
                }
            }
            case STOP -> {
                if (any != null) {
                    any.stop();
                    processes.remove(any);
                }
            }
            case RESTART -> {
                if (any != null) {
                    any.restart();
                }
            }
            case UNAVAILABLE -> cluster.becomeUnavailable(simulation.millis(4_000));
            case SWEEP -> sweep();
            case MOVE -> cluster.moveBucket(simulation.millis(4_000));
            case START -> {
                if (processes.size() < 3) {
                    start();
                }
            }
        }
        tend();
    }

    private void sweep() {
        cluster.sweep(Stored.BLOCKS, (_, value) -> stored.addBlock(value));
    }

    /** As who operates the service does: what has failed is started again, by the old rules where that is asked for. */
    private void tend() {
        for (SimulatedProcess process : List.copyOf(processes)) {
            if (process.ended()) {
                String error = process.loop.error();
                int required = error == null ? -1 : source.requiredVersion(error);
                if (error != null && required < 0 && weights.restarting() && simulation.oneIn(2)) {
                    process.restart();
                    continue;
                }
                processes.remove(process);
                if (required >= 0) {
                    version = required;
                    // Nobody deploys the new rules again before the old ones have caught up.
                    startByRules(version, false);
                    return;
                }
            } else if (process.loop.state() == PipelineState.DONE || process.loop.state() == PipelineState.RUNNING) {
                version = Math.max(version, process.version());
            }
        }
        if (processes.isEmpty()) {
            start();
        }
    }

    private void start() {
        startByRules(
                version + (weights.rulesChange() && !healthy && simulation.oneIn(3) ? 1 : 0),
                weights.endpointFails() && !healthy);
    }

    private void startByRules(int rules, boolean failing) {
        int number = ++processCount;
        SimulatedProcess.StoreMaker maker = threads ->
                new SimulatedStore(simulation, cluster, Stored.REGIONS, threads, number, weights.putsInFlight());
        processes.add(new SimulatedProcess(
                simulation,
                maker,
                mutant,
                rules(rules),
                weights.liveChanges() ? () -> version : null,
                source,
                sent,
                failing,
                weights.measuring(),
                weights.restarting()));
    }

    private void verify() {
        try {
            stored.addAll();
            source.verify(stored, processes);
            for (SimulatedProcess process : processes) {
                if (process.leads()) {
                    Stored.require(
                            process.arrived == process.kept() + process.dropped + process.rejected,
                            "counters don't add up: " + process.arrived + " != " + process.kept() + " + "
                                    + process.dropped + " + " + process.rejected);
                }
            }
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "; steps=" + simulation.steps() + " processes=" + processCount + " " + weights
                            + " "
                            + processes.stream()
                                    .map(process -> process.loop.state() + " " + process.loop.error())
                                    .toList(),
                    e);
        }
    }
}
