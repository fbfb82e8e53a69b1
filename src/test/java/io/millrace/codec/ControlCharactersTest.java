package io.millrace.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlCharactersTest {

    @ParameterizedTest
    @CsvSource({
        "'a\nb', a\\nb",
        "'a\r\nb', a\\r\\nb",
        "'\tb', \\tb",
        "'\u001b[2J', \\u001b[2J",
        "'\u0000', \\u0000",
        "'\u007f', \\u007f",
        "'a\u0085', a\\u0085",
        "'\u009b1m', \\u009b1m",
        "'\u2028', \\u2028",
        "'\u202eb', \\u202eb",
        "'é €😀', é €😀",
        "'C:\\n', C:\\n",
    })
    void shouldEscapeWhatALogOrATerminalWouldInterpret(String text, String escaped) {
        assertThat(ControlCharacters.escaped(text)).isEqualTo(escaped);
    }

    @Test
    void shouldLeaveNoControlCharacter() {
        String all =
                IntStream.rangeClosed(0, 0xffff).mapToObj(Character::toString).collect(Collectors.joining());
        assertThat(ControlCharacters.escaped(all).chars())
                .noneMatch(Character::isISOControl)
                .noneMatch(c -> Character.getDirectionality(c) == Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE)
                .noneMatch(c -> Character.getType(c) == Character.LINE_SEPARATOR);
    }

    @Test
    void shouldReturnAPlainTextItself() {
        String plain = "Invalid value 'x' of 'a'.";
        assertThat(ControlCharacters.escaped(plain)).isSameAs(plain);
    }

    @Test
    void shouldEscapeDetailsOfRejects() {
        String forged = "Invalid value 'x\n2026-11-27 INFO changed: user=admin' of 'a'.";
        assertThat(new RejectReason(RejectReason.Kind.INVALID_VALUE, forged).detail())
                .isEqualTo("Invalid value 'x\\n2026-11-27 INFO changed: user=admin' of 'a'.");
    }
}
