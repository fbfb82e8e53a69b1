package io.millrace.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogLimitTest {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @Test
    void shouldLogOneEventAMinuteWithTheNumberOfTheOthers() {
        LogLimit limit = new LogLimit();
        long start = Long.MAX_VALUE - MINUTE / 2; // a clock of any origin may pass its end
        assertThat(limit.next(start)).isZero();
        assertThat(limit.next(start)).isEqualTo(LogLimit.LEFT_OUT);
        assertThat(limit.next(start + MINUTE - 1)).isEqualTo(LogLimit.LEFT_OUT);
        assertThat(limit.next(start + MINUTE)).isEqualTo(2);
        assertThat(limit.next(start + MINUTE + 1)).isEqualTo(LogLimit.LEFT_OUT);
        assertThat(limit.next(start + 3 * MINUTE)).isEqualTo(1);
    }
}
