package io.millrace.feed.radius;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.0/8, 127.0.0.1, true",
        "127.0.0.0/8, 127.255.255.255, true",
        "127.0.0.0/8, 128.0.0.0, false",
        "127.0.0.0/8, 126.255.255.255, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.2, false",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/32, 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff, true",
        "2001:db8::/32, 2001:db9::, false",
        "2001:db8::/32, 10.0.0.1, false",
        "2001:db8::8000:0:0:0/65, 2001:db8::8000:0:0:7, true",
        "2001:db8::8000:0:0:0/65, 2001:db8::7000:0:0:7, false",
        "::1, ::1, true",
        "::/0, 10.0.0.1, true"
    })
    void shouldHoldTheAddressesOfItsPrefix(String range, String address, boolean expected) {
        byte[] bytes = InetAddress.ofLiteral(address).getAddress();

        assertThat(AddressRange.parse(range).contains(AddressRange.high(bytes), AddressRange.low(bytes)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.0/8", "10.1.2.3/32", "0.0.0.0/0", "2001:db8::/32", "::1/128", "::/0"})
    void shouldShowAddressAndPrefix(String text) {
        assertThat(AddressRange.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "localhost; Invalid address",
                "10.0.0; Invalid address",
                "10.0.0.256; Invalid address",
                "/8; Invalid address",
                "10.0.0.0/33; Invalid prefix '33' of",
                "10.0.0.0/; Invalid prefix '' of",
                "10.0.0.0/-1; Invalid prefix '-1' of",
                "2001:db8::/129; Use 0 to 128.",
                "10.0.0.1/8; Set all bits behind the prefix to 0."
            })
    void shouldSayWhatIsWrong(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressRange.parse(text))
                .withMessageContaining("address '" + text + "'")
                .withMessageContaining(message);
    }
}
