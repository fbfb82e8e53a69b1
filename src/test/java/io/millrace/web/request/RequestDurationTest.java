package io.millrace.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDurationTest {

    @Test
    void shouldReadDurationsWithUnits() {
        assertThat(RequestDuration.parse("timeout", "10s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(RequestDuration.parse("timeout", "PT1M")).isEqualTo(Duration.ofMinutes(1));
        assertThat(RequestDuration.parse("timeout", "0")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"6x", "60", "", "s", "99999999999999999999s", "9223372036854775807d"})
    void shouldRefuseOtherTexts(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestDuration.parse("timeout", text))
                .withMessage("Invalid duration '" + text + "' for 'timeout'. Use a number and a unit, such as 10s.");
    }
}
