package io.millrace.simulation;

import io.millrace.pipeline.PipelineStatus;
import io.millrace.pipeline.rules.RuleHistory;
import io.millrace.store.geode.SimulatedCluster;
import io.millrace.store.geode.SimulatedStore;
import io.millrace.store.geode.cache.ProcessName;
import io.millrace.store.region.Retention;
import io.millrace.store.write.Commit;
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
    private static final long STEPS_PER_RECORD = 100;
    private static final long MORE_STEPS = 60_000;
    /** Longer than any request is under way or any process pauses. */
    private static final long SETTLING = 60_000_000_000L;

    private static final long SLOW_PUT = 20_000_000_000L;

    /** Longer than a process takes to use what another one has added. */
    private static final long FOLLOWING = 20_000_000_000L;
    /** After a slow put, a partition stores its panes some minutes later only, and so does what merges them. */
    private static final long MERGING = 1_000_000_000_000L;

    /** Longer than most takeovers take. */
    private static final long TAKEOVER = 6_000_000_000L;

    private final Simulation simulation;
    private final Mutant mutant;
    private final SimulatedCluster cluster;
    private final SimulatedClock serverClock;
    private final Map<String, SimulatedClock> clocks = new HashMap<>();
    private final Map<Long, SimulatedProcess> byNumber = new HashMap<>();
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

    /** Number of the rows in the table's file by the node that has it. */
    private final Map<String, Integer> tables = new HashMap<>();

    private int processCount;
    /** The newest rules, configured or asked for while processes run. */
    private int newestRules;

    private int newestConfigured;
    /** Whether it was lost which configurations are known. */
    private boolean configurationsLost;

    private int newestTable;
    private boolean healthy;
    /** Whether all is delivered, and nothing is under way any more. */
    private boolean settled;

    Schedule(long seed, Mutant mutant, Weights.Chooser chooser) {
        this.simulation = new Simulation(seed);
        this.mutant = mutant;
        serverClock = new SimulatedClock(simulation);
        cluster = new SimulatedCluster(simulation, new ServerThreads(), serverClock);
        mutant.prepare(cluster);
        weights = chooser.choose(simulation);
        if (weights.losesPuts()) {
            cluster.losePuts();
        }
        stored = new Stored(cluster, rules(0), sent, weights.keepRaw(), weights.blockRecords(), weights.ordered());
        if (mutant != Mutant.IN_ANY_ORDER) {
            cluster.order(stored.regions());
        }
        source = weights.senders()
                ? new Senders(simulation, weights.records(), cluster::changes, mutant == Mutant.ANSWERED_BEFORE_STORED)
                : new FileSource(
                        simulation,
                        weights.records(),
                        weights.splits(),
                        weights.trickle(),
                        weights.measuring(),
                        mutant,
                        cluster::changes);
    }

    /** Threads of the servers, until none of them runs. */
    private final class ServerThreads implements SimulatedCluster.Threads {

        private Servers running = new Servers();

        @Override
        public void startAfter(long nanos, Runnable body) {
            simulation.startAfter(nanos, "server", running, body);
        }

        @Override
        public void endAll() {
            running.ended = true;
            running = new Servers();
        }
    }

    /** The servers from a start of the first one to the end of the last one. */
    private static final class Servers implements Fiber.Host {

        private boolean ended;

        @Override
        public long runsFrom() {
            return ended ? Long.MAX_VALUE : 0;
        }
    }

    private Rules rules(int number) {
        return new Rules(number, weights.entries(), weights.liveChanges(), weights.table(), weights.parts());
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
        long maxSteps = MORE_STEPS + STEPS_PER_RECORD * weights.records();
        boolean finished = simulation.run(() -> settled, maxSteps);
        if (!finished) {
            throw new AssertionError("not everything was delivered within " + maxSteps + " steps: "
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
        if (weights.splits().partitions() > 1 && simulation.oneIn(2)) {
            start(); // processes that start together share the partitions
        }
        for (int i = 0; i < faults; i++) {
            if (simulation.oneIn(2)) {
                // A takeover takes longer than most faults are apart, so most would hit processes that wait for it.
                simulation.await(this::works, TAKEOVER);
            }
            simulation.sleep(simulation.millis(simulation.oneIn(4) ? 6_000 : 120));
            fault();
        }
        cluster.heal();
        source.restore();
        healthy = true;
        deliver();
        settle();
        // One that had all may have lost its term before, also to one that has ended.
        while (!source.finished(processes)) {
            deliver();
            settle();
        }
        if (weights.measuring()) {
            simulation.sleep(SLOW_PUT); // after one, a measure keeps closed windows for a while
            settle();
            for (long end = simulation.now() + MERGING; simulation.now() < end && !source.measured(stored); ) {
                settle();
            }
            Stored.require(
                    source.measured(stored),
                    () -> "rows of the measure are missing or wrong: "
                            + SimulatedMeasure.rows(stored.region(SimulatedMeasure.ROWS)));
        }
        if (weights.splits().partitions() > 1 && weights.liveChanges()) {
            simulation.await(this::followsNewest, FOLLOWING);
            Stored.require(
                    followsNewest(),
                    () -> "a partition does not use the newest version of the rules: " + processes + " of "
                            + newestVersion());
        }
        serverClock.correct();
        sweep();
        settled = true;
    }

    private long newestVersion() {
        return cluster.ruleVersions().all(Rules.PIPELINE).getLast().number();
    }

    /** Whether all partitions use the newest version of the rules. */
    private boolean followsNewest() {
        long newest = newestVersion();
        for (SimulatedProcess process : processes) {
            for (int partition = 0; partition < weights.splits().partitions(); partition++) {
                if (process.leads(partition) && process.version(partition) != newest) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Has all processes store everything, and waits until nothing is under way. */
    private void settle() {
        simulation.sleep(300_000_000L); // so that each has something to do in its next turn
        processes.forEach(SimulatedProcess::settle);
        long end = simulation.now() + SETTLING;
        for (int quiet = 0; quiet < 2 && simulation.now() < end; quiet = isQuiet() ? quiet + 1 : 0) {
            simulation.sleep(300_000_000L);
        }
    }

    private void deliver() {
        while (!source.finished(processes)) {
            tend();
            source.complete(processes);
            simulation.sleep(500_000_000L);
        }
    }

    /** Whether nothing is under way any more that could change what is stored. */
    private boolean isQuiet() {
        return cluster.isQuiet() && started.stream().allMatch(SimulatedProcess::isQuiet);
    }

    /** Whether a process processes records. */
    private boolean works() {
        for (SimulatedProcess process : processes) {
            if (process.works()) {
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
        if (weights.table() && simulation.oneIn(3)) {
            changeTable();
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
            case FEED_FAILURE -> source.interrupt(simulation.millis(simulation.oneIn(2) ? 100 : 6_000));
            case FEED_CHANGE -> source.change();
            case UNAVAILABLE -> cluster.becomeUnavailable(simulation.millis(4_000));
            case SWEEP -> sweep();
            case MOVE -> cluster.moveBucket(simulation.millis(4_000));
            case CLOCK -> {
                (any == null || simulation.oneIn(2) ? serverClock : clock(any.instance())).change();
                cluster.compareClocks();
            }
            case SERVER_END -> cluster.crash();
            case SERVER_START -> {
                cluster.startServer();
                if (!cluster.online() && simulation.oneIn(2)) {
                    revoke();
                }
            }
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

    /** A node gets a newer file, and the others may keep theirs. */
    private void changeTable() {
        coverage.add(Coverage.Event.TABLE);
        String instance = instance();
        tables.put(instance, ++newestTable);
        started.stream()
                .filter(process -> process.instance().equals(instance))
                .forEach(process -> process.load(newestTable));
    }

    private String instance() {
        return "host-" + simulation.random().nextInt(INSTANCES);
    }

    /** An operator who gives up the newest copy starts the processes again: what they have read may be lost. */
    private void revoke() {
        List<Integer> configuredBefore = configuredVersions();
        int kept = cluster.revoke();
        if (kept < 0) {
            return;
        }
        configurationsLost |= !configuredVersions().equals(configuredBefore);
        coverage.add(Coverage.Event.REVOKE);
        started.forEach(SimulatedProcess::kill);
        started.clear();
        processes.clear();
        source.lost(kept);
        stored.lost(kept);
    }

    /** Retention removes what is too old, or of the blocks also what is too much. */
    private void sweep() {
        if (!cluster.online()) {
            return;
        }
        Retention retention =
                simulation.oneIn(2) ? new Retention(SimulatedCluster.MAX_AGE, null) : new Retention(null, 1L);
        cluster.expireBlocks(Stored.BLOCKS, retention, (_, block) -> stored.addRemoved(block));
        cluster.expireEntries(Stored.ENTRIES, (key, value) -> stored.addExpired((String) key, value));
    }

    private SimulatedClock clock(String instance) {
        return clocks.computeIfAbsent(instance, _ -> new SimulatedClock(simulation));
    }

    /** Whether another process on this host can see that a process has ended. */
    private boolean hasEnded(ProcessName name, String host) {
        SimulatedProcess process = byNumber.get(name.pid());
        return process != null && process.instance().equals(host) && process.killed();
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
        String instance = instance();
        if (weights.rulesChange() && !healthy && simulation.oneIn(3) && isKnown(newestConfigured)) {
            coverage.add(Coverage.Event.CONFIGURE);
            newestConfigured = ++newestRules;
            configured.put(instance, newestConfigured);
            // A node has one configuration at a time.
            started.stream()
                    .filter(process -> process.instance().equals(instance))
                    .forEach(SimulatedProcess::kill);
            started.removeIf(SimulatedProcess::killed);
            processes.removeIf(SimulatedProcess::killed);
        }
        int number = ++processCount;
        SimulatedProcess.StoreMaker maker = threads -> new SimulatedStore(
                simulation,
                cluster,
                stored.regions(),
                threads,
                number,
                weights.putsInFlight(),
                name -> hasEnded(name, instance));
        SimulatedProcess process = new SimulatedProcess(
                simulation,
                maker,
                mutant,
                new SimulatedProcess.Node(instance, number, clock(instance)),
                new SimulatedProcess.Options(
                        rules(configured.getOrDefault(instance, 0)),
                        tables.getOrDefault(instance, 0),
                        source,
                        sent,
                        weights.endpointFails() && !healthy,
                        weights.measuring(),
                        weights.keepRaw(),
                        weights.splits().parallelism(),
                        weights.liveChanges(),
                        weights.restarting(),
                        coverage));
        byNumber.put((long) number, process);
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

    /** The numbers of the rows that processed records of a partition, in this order. */
    private List<Integer> tablesUsed(int partition) {
        List<Integer> used = new ArrayList<>();
        for (Commit commit : stored.commits(partition)) {
            String version = commit.tables().get(SimulatedTable.NAME);
            if (version != null && (used.isEmpty() || used.getLast() != SimulatedTable.number(version))) {
                used.add(SimulatedTable.number(version));
            }
        }
        return used;
    }

    private void verify() {
        try {
            stored.addAll();
            source.verify(stored, processes);
            for (SimulatedProcess process : processes) {
                if (process.leads()) {
                    PipelineStatus status = PipelineStatus.of(process.pipeline);
                    Stored.require(status.inFlight() == 0, () -> "counters don't add up: " + status);
                }
            }
            List<Integer> versions = weights.rulesChange() && !configurationsLost ? configuredVersions() : List.of();
            Stored.require(
                    versions.equals(new TreeSet<>(versions).stream().toList()),
                    "a node has brought back the configuration that it had before: " + versions);
            for (int partition = 0; partition < weights.splits().partitions(); partition++) {
                List<Integer> used = tablesUsed(partition);
                Stored.require(
                        used.size() == Set.copyOf(used).size(),
                        "a node has brought back the table that it had before: " + used);
            }
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
