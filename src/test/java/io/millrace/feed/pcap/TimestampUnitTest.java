package io.millrace.feed.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TimestampUnitTest {

    private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    @Property
    void shouldReportNanosecondsOfEveryUnit(@ForAll long units, @ForAll @IntRange(max = 255) int tsresol) {
        BigInteger base = BigInteger.valueOf((tsresol & 0x80) == 0 ? 10 : 2);
        BigInteger exact = new BigInteger(Long.toUnsignedString(units))
                .multiply(NANOS_PER_SECOND)
                .divide(base.pow(tsresol & 0x7f));

        long nanos = TimestampUnit.ofOption(tsresol).nanos(units);

        // The fraction of a power of two is cut to 32 bits, a quarter of a nanosecond.
        assertThat(BigInteger.valueOf(nanos))
                .isBetween(exact.min(LARGEST).subtract(BigInteger.ONE), exact.min(LARGEST));
    }
}
