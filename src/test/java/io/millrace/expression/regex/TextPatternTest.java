package io.millrace.expression.regex;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextPatternTest {

    @Test
    void shouldMatchTheWholeText() {
        TextPattern pattern = TextPattern.of("[A-Z]{3}-\\d+", UTF_8);
        byte[] bytes = "x GBP-42 x".getBytes(UTF_8);
        assertThat(pattern.matches(bytes, 2, 8)).isTrue();
        assertThat(pattern.matches(bytes, 2, 9)).isFalse();
        assertThat(pattern.matches(bytes, 1, 8)).isFalse();
    }
}
