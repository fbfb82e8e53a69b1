package io.millrace.store.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriterNameTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trades/0",
                "calls@host-1/0",
                "trades#turnover/3",
                "trades#turnover#high/0",
                "a.b_c-d#m@h.example.org/17"
            })
    void shouldBeReadAsItIsWritten(String text) {
        assertThat(WriterName.parse(text).text()).isEqualTo(text);
    }

    @Test
    void shouldKnowItsParts() {
        WriterName calls = new WriterName("calls", "host-1", 2, null);
        WriterName high = calls.part("turnover").part("high");

        assertThat(high.text()).isEqualTo("calls#turnover#high@host-1/2");
        assertThat(high.whole()).isEqualTo(calls);
        assertThat(calls.whole()).isSameAs(calls);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "trades", "trades/", "/0", "trades/x", "trades@/0", "a/0/1", "#next"})
    void shouldRefuseInvalidNames(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WriterName.parse(text))
                .withMessageContaining("Invalid writer '" + text + "'");
    }
}
