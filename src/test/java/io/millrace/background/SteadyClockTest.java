package io.millrace.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A clock of the machine that is set to other times, compared with the time that really passes. */
class SteadyClockTest {

    private static final long START = 1_795_000_000_000L;

    /** The time that really passes, in milliseconds. */
    private long passed;

    private long wrong;
    private final SteadyClock clock = new SteadyClock(machine(), () -> passed * 1_000_000 - Long.MAX_VALUE / 3);

    private InstantSource machine() {
        return new InstantSource() {
            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(START + passed + wrong);
            }
        };
    }

    private void pass(Duration time) {
        passed += time.toMillis();
    }

    @Test
    void shouldNotFollowAClockThatIsAnHourAheadForAWhile() {
        pass(Duration.ofHours(3));
        wrong = Duration.ofHours(1).toMillis();
        assertThat(clock.millis()).isEqualTo(START + passed);
        assertThat(clock.jump()).isEqualTo(Duration.ofHours(1));
        pass(Duration.ofSeconds(8));
        assertThat(clock.millis()).isEqualTo(START + passed);
        wrong = 0;
        assertThat(clock.millis()).isEqualTo(START + passed);
        assertThat(clock.jump()).isZero();
    }

    @Test
    void shouldFollowAClockThatStaysWhereItWasSet() {
        wrong = -Duration.ofHours(1).toMillis();
        assertThat(clock.millis()).isEqualTo(START);
        pass(SteadyClock.ACCEPTED_AFTER.minusMillis(1));
        assertThat(clock.millis()).isEqualTo(START + passed);
        pass(Duration.ofMillis(1));
        assertThat(clock.millis()).isEqualTo(START + passed + wrong);
        assertThat(clock.jump()).isZero();
    }

    @Test
    void shouldWaitAgainForAClockThatJumpsAgain() {
        for (int i = 1; i < 100; i++) {
            wrong = Duration.ofMinutes(i).toMillis();
            assertThat(clock.millis()).isEqualTo(START + passed);
            pass(Duration.ofMinutes(9));
            assertThat(clock.millis()).isEqualTo(START + passed);
        }
    }

    /** Else values that were stored meanwhile would expire too early. */
    @Test
    void shouldKnowWhatTheClockMayHaveShownWhileItWasBehind() {
        clock.millis();
        long hour = Duration.ofHours(1).toMillis();
        wrong = -hour;
        pass(Duration.ofMinutes(1));
        clock.millis();
        long behind = machine().millis();
        pass(Duration.ofMinutes(1));
        wrong = hour;
        clock.millis();
        pass(Duration.ofMinutes(1));
        long ahead = machine().millis();
        wrong = 0;
        clock.millis();
        assertThat(clock.latest(behind)).isEqualTo(behind + hour);
        assertThat(clock.latest(ahead)).isEqualTo(ahead);
        assertThat(clock.latest(START)).isEqualTo(START);
        assertThat(clock.latest(behind - hour)).isEqualTo(behind - hour);
    }

    @Test
    void shouldFollowCorrectionsAtOnce() {
        wrong = SteadyClock.TOLERANCE.toMillis();
        assertThat(clock.millis()).isEqualTo(START + wrong);
        pass(Duration.ofDays(30));
        wrong += Duration.ofMinutes(40).toMillis(); // a clock that is slewed, or not asked for a month
        assertThat(clock.millis()).isEqualTo(START + passed + wrong);
        assertThat(clock.jump()).isZero();
    }

    /** However often a clock jumps, it is followed only where it drifts, or after it has kept a time. */
    @Property(seed = "20261126", tries = 200)
    void shouldStayNearTheTimeThatPasses(@ForAll long seed) {
        Random random = new Random(seed);
        passed = 0;
        wrong = 0;
        SteadyClock steady = new SteadyClock(machine(), () -> passed * 1_000_000);
        for (int i = 0; i < 200; i++) {
            wrong = random.nextInt(3) == 0 ? 0 : random.nextLong(-100_000_000_000L, 100_000_000_000L);
            passed += random.nextInt(60_000);
            assertThat(Math.abs(steady.millis() - START - passed)).isLessThanOrEqualTo(2 * drift(passed));
        }
    }

    private static long drift(long passed) {
        return SteadyClock.TOLERANCE.toMillis() + passed / 1_000;
    }
}
