package io.millrace.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceNetworkTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7, 192.0.2.7",
        "::ffff:192.0.2.7, 192.0.2.7, 192.0.2.7",
        "2001:db8::1, 2001:db8::ffff:ffff:ffff:ffff, 2001:db8::/64",
        "::1, ::2, ::/64"
    })
    void shouldTakeTheseForOneSender(String one, String other, String text) {
        assertThat(network(one)).isEqualTo(network(other)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.7, 192.0.2.8", "2001:db8::1, 2001:db8:0:1::1", "::1, 127.0.0.1", "0.0.0.0, ::"})
    void shouldDistinguishThese(String one, String other) {
        assertThat(network(one)).isNotEqualTo(network(other));
    }

    @Test
    void shouldFindTheSameNetworkFromBits() {
        assertThat(SourceNetwork.low(0, 0xFFFF_C000_0207L))
                .isEqualTo(network("192.0.2.7").low());
        assertThat(SourceNetwork.low(0x2001_0DB8L << 32, 1)).isZero();
        assertThat(SourceNetwork.low(0, 1)).isZero();
    }

    private static SourceNetwork network(String literal) {
        return SourceNetwork.of(InetAddress.ofLiteral(literal));
    }
}
