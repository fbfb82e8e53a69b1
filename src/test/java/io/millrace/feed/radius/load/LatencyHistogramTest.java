package io.millrace.feed.radius.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class LatencyHistogramTest {

    @Property(tries = 200)
    void shouldBeWithinThreePercent(@ForAll Random random) {
        LatencyHistogram histogram = new LatencyHistogram();
        long[] values = new long[1 + random.nextInt(500)];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextLong() >>> (2 + random.nextInt(62));
            histogram.record(values[i]);
        }
        Arrays.sort(values);
        for (double share : new double[] {0.01, 0.5, 0.99, 1}) {
            long exact = values[(int) Math.ceil(share * values.length) - 1];
            assertThat(histogram.percentile(share)).isBetween(exact, exact + exact / 32);
        }
        assertThat(histogram.total()).isEqualTo(values.length);
    }
}
