package io.millrace.nemesis.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PositionsTest {

    private final Positions positions = new Positions();

    @Test
    void shouldRefuseAPositionThatGoesBack() {
        positions.add("stored", positions.before("stored"), 39);
        positions.add("stored", positions.before("stored"), 39);
        long before = positions.before("stored");
        assertThatThrownBy(() -> positions.add("stored", before, 0))
                .isInstanceOf(AssertionError.class)
                .hasMessage("The position of stored goes back from 39 to 0");
        assertThat(positions.count()).isEqualTo(2);
    }

    @Test
    void shouldAcceptALowerPositionOfAnotherSourceAndOfAReadThatBeganBefore() {
        long before = positions.before("stored");
        positions.add("stored", before, 78);
        positions.add("stored", before, 39);
        positions.add("other", positions.before("other"), 0);
        assertThat(positions.before("stored")).isEqualTo(78);
    }
}
