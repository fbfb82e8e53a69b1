package io.millrace.regex;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextPatternTest {

    @Test
    void shouldMatchTheWholeOfARange() {
        TextPattern pattern = TextPattern.of("[A-Z]{3}-\\d+", UTF_8);
        byte[] bytes = "x GBP-42 x".getBytes(UTF_8);

        assertThat(pattern.matches(bytes, 2, 8)).isTrue();
        assertThat(pattern.matches(bytes, 2, 9)).isFalse();
        assertThat(pattern.matches(bytes, 1, 8)).isFalse();
        assertThat(pattern.matches(bytes, 2, 2)).isFalse();
    }

    @Test
    void shouldMatchNoBytesWhereTheEmptyTextMatches() {
        assertThat(TextPattern.of("a*", UTF_8).matches(new byte[3], 2, 2)).isTrue();
        assertThat(TextPattern.of("", US_ASCII).matches(new byte[3], 2, 2)).isTrue();
        assertThat(TextPattern.of("", US_ASCII).matches(new byte[3], 2, 3)).isFalse();
    }

    @Test
    void shouldKeepTheRegex() {
        assertThat(TextPattern.of("a|b", UTF_8).regex()).isEqualTo("a|b");
    }

    @Test
    void shouldMatchATextThatItsCharacterSetEncodes() {
        assertThat(TextPattern.of(".", UTF_8).matches("€")).isTrue();
        assertThat(TextPattern.of(".", US_ASCII).matches("€")).isFalse();
        assertThat(TextPattern.of("[?]", US_ASCII).matches("€")).isFalse();
        assertThat(TextPattern.of(".", UTF_8).matches("\ud800")).isFalse();
    }

    @Test
    void shouldEqualAPatternOfTheSameExpressionAndCharacterSet() {
        assertThat(TextPattern.of("a|b", UTF_8))
                .isEqualTo(TextPattern.of("a|b", UTF_8))
                .hasSameHashCodeAs(TextPattern.of("a|b", UTF_8))
                .isNotEqualTo(TextPattern.of("a|b", US_ASCII))
                .isNotEqualTo(TextPattern.of("b|a", UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "é, UTF-8, true",
        "é, ISO-8859-1, true",
        ".., UTF-8, false",
        "\\p{Ll}, ISO-8859-1, true",
        "\\p{Ll}, UTF-8, true",
        "\\w, ISO-8859-1, false",
        "(?i)É, UTF-8, false",
    })
    void shouldMatchCharactersNotBytes(String regex, String charset, boolean expected) {
        assertThat(matches(regex, "é", Charset.forName(charset))).isEqualTo(expected);
    }

    @Test
    void shouldNeverMatchACharacterThatTheCharacterSetLacks() {
        assertThat(matches("é|a", "a", US_ASCII)).isTrue();
        assertThat(matches("é?a", "a", US_ASCII)).isTrue();
        assertThat(matches("éa", "a", US_ASCII)).isFalse();
        assertThat(matches("[^é]", "a", US_ASCII)).isTrue();
        assertThat(matches("é", "a", US_ASCII)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"80", "C3", "C328", "C080", "E28228", "EDA080", "F4908080", "FF", "F09F98"})
    void shouldNotMatchMalformedUtf8(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThat(TextPattern.of("(?s).*", UTF_8).matches(bytes, 0, bytes.length))
                .isFalse();
        assertThat(TextPattern.of("[^a]*", UTF_8).matches(bytes, 0, bytes.length))
                .isFalse();
    }

    @Test
    void shouldNotMatchBytesThatAreNoAscii() {
        assertThat(TextPattern.of("(?s).", US_ASCII).matches(new byte[] {(byte) 0xE9}, 0, 1))
                .isFalse();
    }

    /** Java's tries go up with the square of the text's length, or its power. */
    @ParameterizedTest
    @ValueSource(strings = {"(a+)+b", "(a|aa)+b$", "(a*a*)*y", "(.*)*b", "([a-z]+)*=", "(a?){30}a{30}b"})
    @Timeout(60)
    void shouldTakeLinearTime(String regex) {
        byte[] bytes = "a".repeat(1_000_000).getBytes(UTF_8);

        assertThat(TextPattern.of(regex, UTF_8).matches(bytes, 0, bytes.length)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a|b)*a(a|b){30}",
                "((a{1,100}){1,100}){1,100}",
                "a{2147483647}",
                "(a{0,2147483647}){2147483647,}",
                "(.{0,9}){100}",
                ".*a.{14}"
            })
    @Timeout(60)
    void shouldRefuseWhatWouldBeTooLarge(String regex) {
        PatternException refused = refused(regex, UTF_8);

        assertThat(refused.problem()).isEqualTo("its automaton would be too large");
        assertThat(refused.hint()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {".*", "a?", "[^\u0430]*", "(", "a|", ".*a"})
    @Timeout(60)
    void shouldCompileOrRefuseManyOfAKind(String part) {
        int count = 1000 / part.length();
        String regex = part.equals("(") ? "(".repeat(count / 2) + ")".repeat(count / 2) : part.repeat(count);
        try {
            assertThat(TextPattern.of(regex, UTF_8).regex()).isEqualTo(regex);
        } catch (PatternException e) {
            assertThat(e.problem()).isEqualTo("its automaton would be too large");
        }
    }

    @Test
    void shouldTakeAThousandCharactersAndNoMore() {
        assertThat(TextPattern.of("a".repeat(1000), UTF_8).regex()).hasSize(1000);
        assertThat(refused("a".repeat(1001), UTF_8).index()).isEqualTo(1000);
    }

    @Test
    void shouldRefuseManyDifferentProperties() {
        String eight = "\\p{Lu}\\p{Ll}\\p{Lt}\\p{Lm}\\p{Lo}\\p{Nd}\\p{Nl}\\p{No}";

        assertThat(matches(eight + "?\\p{Lu}*", "Aa", UTF_8)).isFalse();
        assertThat(refused(eight + "\\p{Sc}", UTF_8).index()).isEqualTo(eight.length());
    }

    @ParameterizedTest
    @CsvSource({
        "ab(?=c), 2",
        "é€(a)\\1, 5",
        "\uD83D\uDE00\\G, 2",
        "\\Qab\\E\\G, 6",
        "a\\b{g}, 1",
        "'a(?:.*\\b.*){2,}', 11",
        "(?:\\B|.){3}, 8",
        "[\\v-Z], 1",
        "[a\\v-], 2",
        "[&&a], 1",
        "[^&&a], 2",
        "[a&&]], 4",
        "[a&&&b], 4",
        "[a&&&&b], 4",
        "[a&&[b]&c], 7",
        "[a&&[b]c&&d], 8",
        "a^, 1",
        "(a$)b, 2",
        "a++, 2",
        "a{1}{2}, 4",
        "[a, 1",
        "(ab, 3",
        "a), 0",
        "\uD83D\uDE00*+?, 3",
    })
    void shouldReportWhere(String regex, int index) {
        assertThat(refused(regex, UTF_8).index()).isEqualTo(index);
    }

    @Test
    void shouldReportWhatToDo() {
        assertThat(refused("(a)\\1", UTF_8))
                .hasMessage("back reference \\1, which can't be matched in linear time at index 3; "
                        + "write out what may be repeated, as alternatives");
    }

    @Test
    void shouldKnowThreeCharacterSets() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextPattern.of("a", UTF_16BE))
                .withMessage("Invalid charset 'UTF-16BE'. Use one of: US-ASCII, ISO-8859-1, UTF-8.");
    }

    @Test
    void shouldAllocateNothing() {
        TextPattern pattern = TextPattern.of("(\\p{L}+ ?)*", UTF_8);
        byte[] bytes = "Tokyo Majors Zürich".getBytes(UTF_8);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int matched = 0;
        long before = 0;
        for (int i = 0; i < 20_000; i++) {
            if (i == 10_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            matched += pattern.matches(bytes, 0, bytes.length) ? 1 : 0;
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(matched).isEqualTo(20_000);
        assertThat(allocated).isLessThan(10_000);
    }

    private static boolean matches(String regex, String text, Charset charset) {
        byte[] bytes = text.getBytes(charset);
        return TextPattern.of(regex, charset).matches(bytes, 0, bytes.length);
    }

    private static PatternException refused(String regex, Charset charset) {
        return catchThrowableOfType(PatternException.class, () -> TextPattern.of(regex, charset));
    }
}
