package io.millrace.simulation;

import io.millrace.pipeline.PipelineState;
import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.geode.SimulatedStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * One run: a pipeline on up to three processes, which start, stop, are killed, pause and wake up at random. Then all is
 * well again, what is left of the records is delivered, and each has to be where it belongs, once.
 */
final class Schedule {

    private static final int INSTANCES = 2;
    private static final long STEPS_MAX = 400_000;
    /** Longer than any request is under way. */
    private static final long SETTLING = 30_000_000_000L;

    /** Longer than most takeovers take. */
    private static final long TAKEOVER = 6_000_000_000L;

    private final Simulation simulation;
    private final Mutant mutant;
    private final SimulatedCluster cluster;
    /** Those that were not killed or asked to stop. */
    private final List<SimulatedProcess> processes = new ArrayList<>();

    private final List<SimulatedProcess> started = new ArrayList<>();
    private final Source source;
    private final Set<Long> sent = new HashSet<>();
    private final Stored stored;
    private final Weights weights;
    private final Coverage coverage = new Coverage();
    /** Number of the configured rules by the node that has them. */
    private final Map<String, Integer> configured = new HashMap<>();

    private int processCount;
    /** The newest rules, configured or asked for while processes run. */
    private int newestRules;

    private int newestConfigured;
    private boolean healthy;
    /** Whether all is delivered, and nothing is under way any more. */
    private boolean settled;

    Schedule(long seed, Mutant mutant, Weights.Chooser chooser) {
        this.simulation = new Simulation(seed);
        this.mutant = mutant;
        cluster = new SimulatedCluster(simulation, body -> simulation.start("server", null, body));
        mutant.prepare(cluster);
        weights = chooser.choose(simulation);
        stored = new Stored(cluster, rules(0), sent, weights.keepRaw());
        source = weights.senders()
                ? new Senders(simulation, mutant == Mutant.ANSWERED_BEFORE_STORED)
                : new FileSource(simulation);
    }

    private Rules rules(int number) {
        return new Rules(number, weights.entries(), weights.liveChanges());
    }

    /** What a run came to. */
    record Outcome(long steps, long refused, int processes, Coverage coverage) {

        Outcome plus(Outcome other) {
            return new Outcome(
                    steps + other.steps,
                    refused + other.refused,
                    processes + other.processes,
                    coverage.plus(other.coverage));
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
                            .map(process -> process.pipeline.state() + " " + process.error())
                            .toList());
        }
        verify();
        return new Outcome(simulation.steps(), cluster.refused(), processCount, coverage);
    }

    /** Lets faults happen for a while, then ends them. */
    private void world() {
        int faults = weights.least() + simulation.random().nextInt(weights.more());
        start();
        for (int i = 0; i < faults; i++) {
            if (simulation.oneIn(2)) {
                // A takeover takes longer than most faults are apart, so most would hit processes that wait for it.
                simulation.await(this::works, TAKEOVER);
            }
            simulation.sleep(simulation.millis(simulation.oneIn(4) ? 6_000 : 120));
            fault();
        }
        cluster.heal();
        healthy = true;
        while (!source.finished(processes)) {
            tend();
            simulation.sleep(500_000_000L);
        }
        processes.forEach(SimulatedProcess::settle);
        simulation.sleep(SETTLING);
        settled = true;
    }

    /** Whether a process processes records. */
    private boolean works() {
        for (SimulatedProcess process : processes) {
            if (process.pipeline.state() == PipelineState.RUNNING) {
                return true;
            }
        }
        return false;
    }

    private void fault() {
        SimulatedProcess any =
                processes.isEmpty() ? null : processes.get(simulation.random().nextInt(processes.size()));
        if (weights.liveChanges() && simulation.oneIn(2)) {
            changeRules();
        }
        Weights.Fault fault = weights.next(simulation);
        coverage.add(Coverage.Event.valueOf(fault.name()));
        switch (fault) {
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

    /** Asks the process that leads, or another one. */
    private void changeRules() {
        coverage.add(Coverage.Event.CHANGE);
        processes.stream()
                .filter(SimulatedProcess::leads)
                .findFirst()
                .or(() -> processes.stream().findFirst())
                .ifPresent(process -> process.change(++newestRules));
    }

    private void sweep() {
        cluster.sweep(Stored.BLOCKS, (_, value) -> stored.addBlock(value));
    }

    /** As who operates the service does: what has ended is started again. */
    private void tend() {
        List<SimulatedProcess> ended = processes.stream()
                .filter(process -> process.ended() && !restarted(process))
                .toList();
        ended.forEach(SimulatedProcess::stop);
        processes.removeAll(ended);
        if (processes.isEmpty()) {
            start();
        }
    }

    private boolean restarted(SimulatedProcess process) {
        boolean restarts = process.error() != null && weights.restarting() && simulation.oneIn(2);
        if (restarts) {
            process.restart();
        }
        return restarts;
    }

    private void start() {
        String instance = "host-" + simulation.random().nextInt(INSTANCES);
        if (weights.rulesChange() && !healthy && simulation.oneIn(3) && isKnown(newestConfigured)) {
            coverage.add(Coverage.Event.CONFIGURE);
            newestConfigured = ++newestRules;
            configured.put(instance, newestConfigured);
            // A node has one configuration at a time.
            started.stream()
                    .filter(process -> process.instance().equals(instance))
                    .forEach(SimulatedProcess::kill);
            started.removeIf(SimulatedProcess::killed);
            processes.removeIf(SimulatedProcess::ended);
        }
        int number = ++processCount;
        SimulatedProcess.StoreMaker maker = threads ->
                new SimulatedStore(simulation, cluster, Stored.REGIONS, threads, number, weights.putsInFlight());
        SimulatedProcess process = new SimulatedProcess(
                simulation,
                maker,
                mutant,
                new SimulatedProcess.Node(instance, number),
                new SimulatedProcess.Options(
                        rules(configured.getOrDefault(instance, 0)),
                        source,
                        sent,
                        weights.endpointFails() && !healthy,
                        weights.measuring(),
                        weights.keepRaw(),
                        weights.liveChanges(),
                        weights.restarting(),
                        coverage));
        processes.add(process);
        started.add(process);
    }

    /** Whether a process has started with these rules: else nobody can know which of two configurations is newer. */
    private boolean isKnown(int rules) {
        return configuredVersions().contains(rules);
    }

    /** The numbers of the rules that came from configurations, in the order of their versions. */
    private List<Integer> configuredVersions() {
        return cluster.ruleVersions().all(Rules.PIPELINE).stream()
                .filter(version -> version.origin().equals(RuleHistory.FILE))
                .map(version -> ProcessRules.number(version.text()))
                .toList();
    }

    private void verify() {
        try {
            stored.addAll();
            source.verify(stored, processes);
            for (SimulatedProcess process : processes) {
                if (process.leads()) {
                    PipelineStatus status = PipelineStatus.of(process.pipeline);
                    Stored.require(status.inFlight() == 0, "counters don't add up: " + status);
                }
            }
            List<Integer> versions = weights.rulesChange() ? configuredVersions() : List.of();
            Stored.require(
                    versions.equals(new TreeSet<>(versions).stream().toList()),
                    "a node has brought back the configuration that it had before: " + versions);
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "; steps=" + simulation.steps() + " processes=" + processCount + " " + weights
                            + " "
                            + processes.stream()
                                    .map(process -> process.pipeline.state() + " " + process.error())
                                    .toList(),
                    e);
        }
    }
}
