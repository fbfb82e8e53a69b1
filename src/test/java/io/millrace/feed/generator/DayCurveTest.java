package io.millrace.feed.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class DayCurveTest {

    private static final ZoneId ISTANBUL = ZoneId.of("Europe/Istanbul");
    private static final long DAY = DayCurve.EVENTS_A_DAY;

    @Property
    void shouldGiveTheSameTimeFromWhereverItMovesAndNeverAnEarlierOneLater(
            @ForAll @LongRange(max = 5_000_000_000L) long event,
            @ForAll @LongRange(max = 5_000_000_000L) long other,
            @ForAll @LongRange(max = 1000) long further) {
        DayCurve moved = new DayCurve();
        moved.moveTo(other);
        long before = moved.epochNanos();
        moved.moveTo(event);

        assertThat(moved.epochNanos()).isEqualTo(nanos(event));
        assertThat(Long.compare(before, moved.epochNanos())).isEqualTo(Long.compare(other, event));
        moved.moveTo(event + further);
        assertThat(moved.epochNanos()).isGreaterThanOrEqualTo(nanos(event)).isEqualTo(nanos(event + further));
        assertThat(moved.epochNanos() / 1_000_000_000).isEqualTo(moved.epochSecond());
    }

    @Test
    void shouldFillADayOfIstanbul() {
        assertThat(Instant.ofEpochSecond(0, nanos(0)).atZone(ISTANBUL))
                .hasToString("2014-11-08T00:00+02:00[Europe/Istanbul]");
        assertThat(Instant.ofEpochSecond(0, nanos(DAY)).atZone(ISTANBUL))
                .hasToString("2014-11-09T00:00+02:00[Europe/Istanbul]");
        assertThat(nanos(DAY) - nanos(DAY - 1)).isBetween(1L, 1_000_000_000L);
    }

    @Test
    void shouldBeQuietAtNightAndBusyAtMiddayAndInTheEvening() {
        long[] byHour = new long[24];
        DayCurve curve = new DayCurve();
        LongStream.range(0, DAY / 100).forEach(i -> {
            curve.moveTo(i * 100);
            byHour[curve.secondOfDay() / 3600]++;
        });
        double mean = Arrays.stream(byHour).average().orElseThrow();

        for (int hour : new int[] {1, 2, 3, 4, 5}) {
            assertThat(byHour[hour] / mean).isBetween(0.1, 0.3);
        }
        assertThat(byHour[12]).isGreaterThan(byHour[10]).isGreaterThan(byHour[14]);
        assertThat(byHour[12] / mean).isBetween(1.4, 1.6);
        assertThat(byHour[20]).isGreaterThan(byHour[18]).isGreaterThan(byHour[22]);
        assertThat(byHour[20] / mean).isBetween(1.6, 2.0);
    }

    @Test
    void shouldHaveTheRatesThatAreWrittenOfIt() {
        DayCurve curve = new DayCurve();
        int[] bySecond = new int[86_400];
        for (int event = 0; event < DAY; event++) {
            curve.moveTo(event);
            bySecond[curve.secondOfDay()]++;
        }

        assertThat(Arrays.stream(bySecond).min()).hasValue(27);
        assertThat(Arrays.stream(bySecond).max().orElseThrow()).isBetween(451, 452);
    }

    private static long nanos(long event) {
        DayCurve curve = new DayCurve();
        curve.moveTo(event);
        return curve.epochNanos();
    }
}
