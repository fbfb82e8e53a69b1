package io.millrace.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GcPressureTest {

    private static final long PIECE = GcPressure.LEAST / 8;

    private int collections;
    private long garbage;

    @Test
    void shouldAskForACollectionBeforeGarbageOutgrowsWhatIsInUse() {
        GcPressure pressure = new GcPressure(() -> collections++);
        for (int i = 0; i < 8; i++) {
            pressure.taking(PIECE);
        }
        assertThat(collections).isZero();

        pressure.taking(PIECE);
        assertThat(collections).isEqualTo(1);

        pressure.taking(PIECE);
        assertThat(collections).as("the first one is still at work").isEqualTo(1);

        pressure.released(9 * PIECE);
        for (int i = 0; i < 8; i++) {
            pressure.taking(PIECE);
        }
        assertThat(collections).isEqualTo(2);
    }

    @Test
    void shouldAskSeldomWhereAllIsInUse() {
        GcPressure pressure = new GcPressure(() -> collections++);
        for (int i = 0; i < 8 * 1024; i++) {
            pressure.taking(PIECE);
        }
        assertThat(collections).isEqualTo(10);
    }

    @Test
    void shouldBoundGarbageHoweverLongItGoesOn() {
        GcPressure[] pressure = new GcPressure[1];
        pressure[0] = new GcPressure(() -> {
            pressure[0].released(garbage);
            garbage = 0;
        });
        long inUse = 100 * PIECE;
        pressure[0].taking(inUse);
        for (int i = 0; i < 100_000; i++) {
            pressure[0].taking(PIECE);
            garbage += PIECE;
            assertThat(garbage).isLessThanOrEqualTo(inUse + 2 * PIECE);
        }
    }
}
