package io.millrace.simulation;

import io.millrace.pipeline.definition.Parallelism;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/**
 * What can happen in a schedule, and how often.
 *
 * @param rulesChange whether the rules change when a process starts
 * @param liveChanges whether the rules change while processes run
 * @param table whether the rules also depend on a table, whose file changes while processes run
 * @param parts whether the rules make records of the parts of others
 * @param endpointFails whether a user's endpoint throws now and then
 * @param entries whether some records are stored as entries
 * @param measuring whether the pipeline has a measure
 * @param keepRaw whether records are stored before the first step
 * @param putsInFlight of each process
 * @param records of the file; senders send in proportion
 * @param blockRecords maximum number of records of a block
 * @param senders whether the records come from senders that wait for a confirmation; else from a file
 * @param trickle whether each read of the file returns few records, so that it has not ended when most faults happen
 * @param losesPuts whether puts of blocks are lost more often than other requests
 * @param least number of faults
 * @param more how many faults there are at most in addition, exclusive
 * @param faults each element is as likely as any other
 * @param splits how the feed is split among the partitions of the pipeline
 */
record Weights(
        boolean rulesChange,
        boolean liveChanges,
        boolean table,
        boolean parts,
        boolean endpointFails,
        boolean entries,
        boolean measuring,
        boolean keepRaw,
        int putsInFlight,
        int records,
        int blockRecords,
        boolean senders,
        boolean trickle,
        boolean losesPuts,
        int least,
        int more,
        List<Fault> faults,
        Splits splits) {

    /** One of these decides what a schedule of {@link #any} has. */
    private static final int SHARES = 20;

    private static final int MAX_IN_FLIGHT = 16;
    private static final int RECORDS = 400;
    private static final int FEW_RECORDS = 60;
    private static final int BLOCK_RECORDS = 4;
    private static final int LONG_BLOCK_RECORDS = 32;
    private static final int FEW_FAULTS = 7;
    private static final int[] FREQUENCIES = {0, 0, 1, 2, 4, 8};
    private static final List<Fault> EVEN_FAULTS = List.of(
            Fault.KILL,
            Fault.KILL,
            Fault.PAUSE,
            Fault.STOP,
            Fault.UNAVAILABLE,
            Fault.SWEEP,
            Fault.MOVE,
            Fault.CLOCK,
            Fault.START,
            Fault.START);
    private static final List<Fault> PAUSES = List.of(
            Fault.KILL,
            Fault.KILL,
            Fault.KILL,
            Fault.PAUSE,
            Fault.PAUSE,
            Fault.PAUSE,
            Fault.PAUSE,
            Fault.STOP,
            Fault.START,
            Fault.START,
            Fault.START);

    private static final List<Fault> EXPIRIES =
            List.of(Fault.SWEEP, Fault.SWEEP, Fault.SWEEP, Fault.SWEEP, Fault.START);

    private static final List<Fault> TAKEOVERS =
            List.of(Fault.KILL, Fault.KILL, Fault.PAUSE, Fault.PAUSE, Fault.START, Fault.START, Fault.START);

    private static final List<Fault> GAPS = List.of(Fault.KILL, Fault.START, Fault.START);

    private static final List<Fault> SERVER_ENDS = List.of(
            Fault.KILL,
            Fault.START,
            Fault.SERVER_END,
            Fault.SERVER_END,
            Fault.SERVER_END,
            Fault.SERVER_START,
            Fault.SERVER_START);

    private static final List<Fault> RESTARTS = List.of(
            Fault.KILL,
            Fault.PAUSE,
            Fault.STOP,
            Fault.UNAVAILABLE,
            Fault.UNAVAILABLE,
            Fault.MOVE,
            Fault.START,
            Fault.START,
            Fault.RESTART,
            Fault.RESTART,
            Fault.RESTART,
            Fault.RESTART);

    /**
     * How the feed is split.
     *
     * @param partitions of the pipeline
     * @param lanes of each process
     * @param stripeRecords number of records of a stripe of the feed
     */
    record Splits(int partitions, int lanes, int stripeRecords) {

        static final Splits NONE = new Splits(1, 1, 1);
        private static final int[] STRIPE_RECORDS = {3, 8, 20};

        private static Splits choose(Random random) {
            int partitions = 2 + random.nextInt(3);
            return new Splits(partitions, 1 + random.nextInt(2), STRIPE_RECORDS[random.nextInt(STRIPE_RECORDS.length)]);
        }

        Parallelism parallelism() {
            return new Parallelism(partitions, lanes);
        }
    }

    /** What happens at a time. */
    enum Fault {
        KILL,
        PAUSE,
        STOP,
        UNAVAILABLE,
        SWEEP,
        MOVE,
        CLOCK,
        SERVER_END,
        SERVER_START,
        START,
        RESTART,
        /** The feed can't be read for a while. */
        FEED_FAILURE,
        /** What the feed reads is replaced, overwritten or truncated, or restored. */
        FEED_CHANGE
    }

    /** Decides how often what happens in a schedule. */
    interface Chooser {
        Weights choose(Simulation simulation);
    }

    /** Everything in each schedule, by fixed odds. */
    static Weights even(Simulation simulation) {
        boolean rulesChange = simulation.oneIn(3);
        boolean liveChanges = simulation.oneIn(2);
        boolean table = simulation.oneIn(3);
        boolean parts = simulation.oneIn(4);
        boolean endpointFails = simulation.oneIn(3);
        boolean entries = !simulation.oneIn(3);
        boolean measuring = simulation.oneIn(2);
        boolean keepRaw = simulation.oneIn(3);
        int putsInFlight = 1 + simulation.random().nextInt(MAX_IN_FLIGHT);
        boolean senders = simulation.oneIn(3);
        return new Weights(
                rulesChange,
                liveChanges,
                table,
                parts,
                endpointFails,
                entries,
                measuring,
                keepRaw,
                putsInFlight,
                RECORDS,
                simulation.oneIn(2) ? 1 : BLOCK_RECORDS,
                senders,
                false,
                false,
                0,
                14,
                EVEN_FAULTS,
                Splits.NONE);
    }

    /** A file whose rules change while processes pause often: what is superseded wakes up and goes on. */
    static Weights pauses(Simulation simulation) {
        int putsInFlight = 1 + simulation.random().nextInt(MAX_IN_FLIGHT);
        return new Weights(
                false,
                true,
                simulation.oneIn(4),
                simulation.oneIn(8),
                false,
                true,
                false,
                false,
                putsInFlight,
                RECORDS,
                BLOCK_RECORDS,
                false,
                false,
                false,
                5,
                30,
                PAUSES,
                Splits.NONE);
    }

    /** Blocks of one record expire soon after they are stored: a request that arrives late stores one again. */
    static Weights expiries(Simulation simulation) {
        return new Weights(
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                1 + simulation.random().nextInt(MAX_IN_FLIGHT),
                RECORDS,
                1,
                false,
                false,
                false,
                10,
                20,
                EXPIRIES,
                Splits.NONE);
    }

    /**
     * Processes that extend blocks are killed or paused again and again: another one takes over while a put is in
     * progress.
     */
    static Weights takeovers(Simulation simulation) {
        return new Weights(
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                false,
                1 + simulation.random().nextInt(MAX_IN_FLIGHT),
                RECORDS,
                LONG_BLOCK_RECORDS,
                false,
                true,
                false,
                10,
                20,
                TAKEOVERS,
                Splits.NONE);
    }

    /**
     * Puts of blocks are lost while processes are killed and the rules change: a takeover finds gaps, and blocks of
     * other versions around them.
     */
    static Weights gaps(Simulation simulation) {
        return new Weights(
                false,
                true,
                false,
                false,
                false,
                true,
                false,
                false,
                MAX_IN_FLIGHT,
                RECORDS,
                1,
                false,
                true,
                true,
                20,
                30,
                GAPS,
                Splits.NONE);
    }

    /** Servers end one after the other, and start in any order. */
    static Weights serverEnds(Simulation simulation) {
        Weights even = even(simulation);
        return new Weights(
                even.rulesChange,
                even.liveChanges,
                even.table,
                even.parts,
                even.endpointFails,
                even.entries,
                even.measuring,
                even.keepRaw,
                even.putsInFlight,
                FEW_RECORDS,
                even.blockRecords,
                even.senders,
                true,
                false,
                5,
                20,
                SERVER_ENDS,
                Splits.NONE);
    }

    /** Pipelines are restarted while they run, on standby, after a failure, and while the store fails. */
    static Weights restarts(Simulation simulation) {
        Weights even = even(simulation);
        return new Weights(
                even.rulesChange,
                even.liveChanges,
                even.table,
                even.parts,
                simulation.oneIn(2),
                even.entries,
                even.measuring,
                even.keepRaw,
                even.putsInFlight,
                even.records,
                even.blockRecords,
                even.senders,
                false,
                false,
                4,
                30,
                RESTARTS,
                Splits.NONE);
    }

    /** Returns whether pipelines are restarted. */
    boolean restarting() {
        return faults.contains(Fault.RESTART);
    }

    /**
     * Swarm testing (Groce et al., ISSTA 2012): each schedule leaves out some kinds of faults and has others often, so
     * that one kind does not hide what another one would find. In some of them processes pause while the rules change,
     * which takes most schedules to find faults. Most are small: a fault that is found at all is nearly always found
     * with few records and few events, for a fraction of the CPU time.
     */
    static Weights swarm(Simulation simulation) {
        Weights weights = ofAnySize(simulation);
        return simulation.oneIn(4) ? weights : weights.small();
    }

    /**
     * What builds and searches run. A third of the schedules are those of {@link #swarm}, a quarter those of
     * {@link #partitions} and {@link #latestEntries}. The others have often what a swarm has seldom, so that each
     * {@link Mutant} is found. In a quarter of the schedules that read a file, the file can't be read now and then, or
     * changes.
     */
    static Weights any(Simulation simulation) {
        Random choices = simulation.choices();
        Weights weights = switch (choices.nextInt(SHARES)) {
            case 0, 1 -> expiries(simulation);
            case 2, 3 -> takeovers(simulation);
            case 4, 5 -> gaps(simulation);
            case 6 -> serverEnds(simulation);
            case 7 -> restarts(simulation);
            case 8, 9, 10, 11, 12 -> partitions(simulation, choices, choices.nextBoolean());
            default -> swarm(simulation);
        };
        return choices.nextInt(4) == 0 && !weights.senders ? weights.withFaultsOfFeeds() : weights;
    }

    /** As {@link #swarm}, but some schedules have several partitions. The others are the same. */
    static Weights swarmOfPartitions(Simulation simulation) {
        Weights weights = swarm(simulation);
        Random choices = simulation.choices();
        if (choices.nextInt(4) > 0) {
            return weights;
        }
        Splits splits = Splits.choose(choices);
        boolean measured = choices.nextInt(3) == 0;
        return weights.split(splits, measured, weights.entries && choices.nextBoolean());
    }

    /** As {@link #swarm}, but all schedules have several partitions, and no entries. */
    static Weights partitions(Simulation simulation) {
        return partitions(simulation, simulation.choices(), false);
    }

    /** As {@link #swarm}, but all schedules have several partitions, and entries. */
    static Weights latestEntries(Simulation simulation) {
        return partitions(simulation, simulation.choices(), true);
    }

    private static Weights partitions(Simulation simulation, Random choices, boolean ordered) {
        Weights weights = swarm(simulation);
        return weights.split(Splits.choose(choices), choices.nextInt(3) == 0, ordered);
    }

    /** Returns whether entries are in the order of a field, since the partitions have none. */
    boolean ordered() {
        return entries && splits.partitions() > 1;
    }

    /** Returns the same with several partitions, without what these can't have, and perhaps without a measure. */
    private Weights split(Splits of, boolean measured, boolean ordered) {
        return new Weights(
                rulesChange,
                liveChanges,
                table,
                parts,
                endpointFails,
                ordered,
                measured && !parts,
                keepRaw,
                putsInFlight,
                records,
                blockRecords,
                false,
                trickle,
                losesPuts,
                least,
                more,
                faults,
                of);
    }

    /** Returns the same with faults of the feed. */
    private Weights withFaultsOfFeeds() {
        List<Fault> more = new ArrayList<>(faults);
        int each = Math.max(1, faults.size() / 6);
        more.addAll(Collections.nCopies(each, Fault.FEED_FAILURE));
        more.addAll(Collections.nCopies(each, Fault.FEED_CHANGE));
        return new Weights(
                rulesChange,
                liveChanges,
                table,
                parts,
                endpointFails,
                entries,
                measuring,
                keepRaw,
                putsInFlight,
                records,
                blockRecords,
                senders,
                trickle,
                losesPuts,
                least,
                this.more,
                List.copyOf(more),
                splits);
    }

    /** Returns the same with few records and few faults. */
    private Weights small() {
        return new Weights(
                rulesChange,
                liveChanges,
                table,
                parts,
                endpointFails,
                entries,
                measuring,
                keepRaw,
                putsInFlight,
                FEW_RECORDS,
                BLOCK_RECORDS,
                senders,
                trickle,
                losesPuts,
                Math.min(least, 2),
                FEW_FAULTS,
                faults,
                splits);
    }

    private static Weights ofAnySize(Simulation simulation) {
        if (simulation.oneIn(3)) {
            return pauses(simulation);
        }
        Weights even = even(simulation);
        List<Fault> faults = new ArrayList<>(List.of(Fault.START));
        EnumSet<Fault> kinds = EnumSet.complementOf(EnumSet.of(Fault.FEED_FAILURE, Fault.FEED_CHANGE));
        if (!simulation.oneIn(4)) {
            kinds.remove(Fault.RESTART);
        }
        for (Fault fault : kinds) {
            int frequency = FREQUENCIES[simulation.random().nextInt(FREQUENCIES.length)];
            faults.addAll(Collections.nCopies(frequency, fault));
        }
        return new Weights(
                even.rulesChange,
                even.liveChanges,
                even.table,
                even.parts,
                even.endpointFails,
                even.entries,
                even.measuring,
                even.keepRaw,
                even.putsInFlight,
                even.records,
                even.blockRecords,
                even.senders,
                false,
                false,
                simulation.random().nextInt(6),
                simulation.oneIn(2) ? 14 : 34,
                List.copyOf(faults),
                Splits.NONE);
    }

    /** Returns what happens next. */
    Fault next(Simulation simulation) {
        return faults.get(simulation.random().nextInt(faults.size()));
    }
}
