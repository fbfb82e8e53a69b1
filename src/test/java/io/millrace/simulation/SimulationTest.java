package io.millrace.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.management.OperatingSystemMXBean;
import io.millrace.TestBudget;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * The promises of the write path in thousands of runs, each in an order of events that its seed decides.
 *
 * <p>{@code -Dmillrace.simulation.schedules=1000000} runs longer, {@code -Dmillrace.simulation.seed=N} repeats one.
 * {@code -Dmillrace.simulation.searches=10} prints the means of so many searches for each fault.
 */
class SimulationTest {

    private static final int SCHEDULES = Integer.getInteger("millrace.simulation.schedules", TestBudget.of(4_000));
    /** A run of a thousand schedules has more. */
    private static final int PAIRS_OF_EVENTS = 280;

    private static final int CHANGES_OF_STATES = 28;
    private static final int PAIRS_OF_STATES = 42;

    private static final int SEARCHES = Integer.getInteger("millrace.simulation.searches", 1);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.millrace");
    private static Level level = Level.INFO;

    @BeforeAll
    static void beQuiet() {
        level = LOG.getEffectiveLevel();
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(level);
    }

    private static Schedule.Outcome run(long seed, Mutant mutant, Weights.Chooser weights) {
        try {
            return new Schedule(seed, mutant, weights).run();
        } catch (Throwable e) {
            throw new AssertionError("-Dmillrace.simulation.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    /** As many at a time as there are processors; each schedule runs on one thread. */
    @Test
    void shouldKeepEachRecordOnceInEveryOrderOfEvents() {
        Long only = Long.getLong("millrace.simulation.seed");
        long first = only == null ? TestBudget.seed() : only;
        int schedules = only == null ? SCHEDULES : 1;
        long start = System.nanoTime();
        long startCpu = PROCESS.getProcessCpuTime();
        Schedule.Outcome all = LongStream.range(first, first + schedules)
                .parallel()
                .mapToObj(seed -> run(seed, Mutant.NONE, Weights::any))
                .reduce(new Schedule.Outcome(0, 0, 0, new Coverage()), Schedule.Outcome::plus);
        System.out.printf(
                "%d schedules from seed %d in %d ms, %.2f ms of CPU each: %d steps, %d processes, %d writes refused%n",
                schedules,
                first,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                (PROCESS.getProcessCpuTime() - startCpu) / 1e6 / schedules,
                all.steps(),
                all.processes(),
                all.refused());
        requirePairs("pairs of events", all.coverage().events(), schedules >= 1_000 ? PAIRS_OF_EVENTS : 0);
        requirePairs("changes of states", all.coverage().changes(), schedules >= 1_000 ? CHANGES_OF_STATES : 0);
        requirePairs("pairs of states", all.coverage().meetings(), schedules >= 1_000 ? PAIRS_OF_STATES : 0);
        assertThat(all.refused()).isGreaterThanOrEqualTo(schedules > 100 ? 1 : 0);
    }

    private static void requirePairs(String name, Pairs<?> pairs, int least) {
        System.out.printf("%d of %d %s:%s%n", pairs.seen(), pairs.possible(), name, pairs);
        assertThat(pairs.seen()).as(name).isGreaterThanOrEqualTo(least);
    }

    /** Each process has lanes that turn the partitions which it shares with the others. */
    @Test
    void shouldKeepEachRecordOnceInSeveralPartitions() {
        Long only = Long.getLong("millrace.simulation.seed");
        long first = only == null ? TestBudget.seed() : only;
        LongStream.range(first, first + (only == null ? SCHEDULES / 4 : 1))
                .parallel()
                .forEach(seed -> run(seed, Mutant.NONE, Weights::partitions));
    }

    /** Whichever partition reads them first. */
    @Test
    void shouldKeepTheLatestEntryOfEachKeyInSeveralPartitions() {
        long first = TestBudget.seed();
        LongStream.range(first, first + SCHEDULES / 8)
                .parallel()
                .forEach(seed -> run(seed, Mutant.NONE, Weights::latestEntries));
    }

    @Test
    void shouldKeepEachRecordOnceThoughPipelinesAreRestarted() {
        long first = TestBudget.seed();
        LongStream.range(first, first + SCHEDULES / 4)
                .parallel()
                .forEach(seed -> run(seed, Mutant.NONE, Weights::restarts));
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                4392458705180L,
                6251241833797L,
                6826745547450L,
                30031446981083L,
                30305081147943L,
                72837826833028L,
                73178901205050L,
                75407006659676L
            })
    void shouldKeepEachRecordOnceInOrdersThatFailedBefore(long seed) {
        run(seed, Mutant.NONE, Weights::swarm);
    }

    @ParameterizedTest
    @ValueSource(longs = {4354630598882L, 4507111954186L, 4861090521369L, 5495861265301L})
    void shouldKeepEachRecordOnceInOrdersOfPartitionsThatFailedBefore(long seed) {
        run(seed, Mutant.NONE, Weights::partitions);
    }

    /** Each process has partitions whose records the other one processes. */
    @ParameterizedTest
    @ValueSource(longs = {2, 8, 13})
    void shouldUseTheNewestRulesInPartitionsThatProcessesShare(long seed) {
        run(seed, Mutant.NONE, Weights::partitions);
    }

    /** A request fails between the last entry of a partition and the question whether there are more. */
    @Test
    void shouldCloseTheLastWindowsThoughAReadFails() {
        run(1189592405147L, Mutant.NONE, Weights::swarmOfPartitions);
    }

    /** A slow put, then the end of the file. */
    @Test
    void shouldCountEachRecordThoughAMeasureWaitsAfterASlowPut() {
        run(20267354, Mutant.NONE, Weights::restarts);
    }

    /** Else a seed that fails could not be repeated. */
    @Test
    void shouldDoTheSameWithTheSameSeed() {
        for (long seed = 1; seed <= TestBudget.of(100); seed++) {
            assertThat(run(seed, Mutant.NONE, Weights::any))
                    .as("seed " + seed)
                    .isEqualTo(run(seed, Mutant.NONE, Weights::any));
        }
    }

    /** A search with other seeds takes longer or less long: see the table in docs/benchmarks/tests.md. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @Tag("long")
    void shouldFindEachFaultThatItOnceHad(Mutant mutant) {
        List<Found> found = LongStream.range(0, SEARCHES)
                .parallel()
                .mapToObj(search -> search(mutant, 1 + search * mutant.schedules()))
                .toList();
        System.out.printf(
                "%-28s mean of %d searches: %6.1f schedules %8.1f ms of CPU; %s%n",
                mutant,
                SEARCHES,
                found.stream().mapToInt(Found::schedules).average().orElseThrow(),
                found.stream().mapToLong(Found::cpuNanos).average().orElseThrow() / 1e6,
                found.getFirst().message());
    }

    /**
     * A fault that was found.
     *
     * @param cpuNanos CPU time of the search
     */
    private record Found(int schedules, long cpuNanos, String message) {}

    private static Found search(Mutant mutant, long first) {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < mutant.schedules(); i++) {
            try {
                new Schedule(first + i, mutant, Weights::any).run();
            } catch (AssertionError found) {
                long cpuNanos = THREADS.getCurrentThreadCpuTime() - start;
                assertThat(found).hasMessageMatching("(?s)(" + mutant.problem() + ").*");
                run(first + i, Mutant.NONE, Weights::any);
                return new Found(i + 1, cpuNanos, String.valueOf(found.getMessage()));
            }
        }
        throw new AssertionError(mutant + " was not found in " + mutant.schedules() + " schedules");
    }
}
