package io.millrace.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * The promises of the write path in thousands of runs, each in an order of events that its seed decides.
 *
 * <p>{@code -Dmillrace.simulation.schedules=1000000} runs longer, {@code -Dmillrace.simulation.seed=N} repeats one.
 */
class SimulationTest {

    private static final int SCHEDULES = Integer.getInteger("millrace.simulation.schedules", 4_000);
    private static final int MUTANT_SCHEDULES = 20_000;
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

    private static Schedule.Outcome run(long seed, Mutant mutant) {
        try {
            return new Schedule(seed, mutant).run();
        } catch (Throwable e) {
            throw new AssertionError("-Dmillrace.simulation.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    @Test
    void shouldKeepEachRecordOnceInEveryOrderOfEvents() {
        Long only = Long.getLong("millrace.simulation.seed");
        long first = only == null ? System.nanoTime() : only;
        int schedules = only == null ? SCHEDULES : 1;
        long steps = 0;
        long refused = 0;
        long processes = 0;
        long start = System.nanoTime();
        for (int i = 0; i < schedules; i++) {
            Schedule.Outcome outcome = run(first + i, Mutant.NONE);
            steps += outcome.steps();
            refused += outcome.refused();
            processes += outcome.processes();
        }
        System.out.printf(
                "%d schedules from seed %d in %d ms: %d steps, %d processes, %d writes refused%n",
                schedules, first, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start), steps, processes, refused);
        assertThat(refused).isGreaterThanOrEqualTo(schedules > 100 ? 1 : 0);
    }

    /** Each finds its fault within this many schedules, which take less than a minute. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindEachFaultThatItOnceHad(Mutant mutant) {
        for (int seed = 1; seed <= MUTANT_SCHEDULES; seed++) {
            try {
                new Schedule(seed, mutant).run();
            } catch (AssertionError found) {
                System.out.println(mutant + " found by schedule " + seed + ": " + found.getMessage());
                assertThat(found).hasMessageMatching("(?s)(" + mutant.problem() + ").*");
                run(seed, Mutant.NONE);
                return;
            }
        }
        assertThat(mutant)
                .as("was not found in " + MUTANT_SCHEDULES + " schedules")
                .isNull();
    }
}
