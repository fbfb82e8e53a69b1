package io.millrace.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.pipeline.definition.Problem;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RulesReaderTest {

    private static void assertRefused(String text, String place, String message) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> RulesReader.read("trades", text))
                .satisfies(refusal -> assertThat(refusal.problems())
                        .singleElement()
                        .satisfies(problem -> assertThat(problem.property()).isEqualTo(place))
                        .extracting(Problem::message)
                        .asString()
                        .startsWith(message));
    }

    /** Each step refers ten times to the next one: the last one would be 10^40 characters. */
    @Test
    @Timeout(60)
    void shouldRefusePlaceholdersThatGrowExponentially() {
        String text = IntStream.range(0, 40)
                .mapToObj(i -> "  - filter: \""
                        + ("${millrace.pipelines.trades.steps[" + (i + 1) + "].filter}").repeat(10) + "\"\n")
                .collect(Collectors.joining("", "steps:\n", "  - filter: id > 5\n"));
        assertRefused(text, "rules:2:13", "Unexpected placeholder '${'. Write the value out");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "steps:\n  - filter: id > ${HOME}\n",
                "steps:\n  - filter: id > ${user.home:5}\n",
                "steps:\n  - ${step}: id > 5\n",
                "comment: ${HOME}\nsteps:\n  - filter: id > 5\n",
                "steps:\n  - filter: \"id > \\u0024{HOME}\"\n",
            })
    void shouldRefuseVariablesOfTheProcess(String text) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> RulesReader.read("trades", text))
                .withMessageContaining("Unexpected placeholder '${'");
    }

    @Test
    void shouldRefuseMoreFieldsThanAreCompiledInAMoment() {
        String text = IntStream.range(0, 5_000)
                .mapToObj(i -> "      field" + i + ": id + " + i + "\n")
                .collect(Collectors.joining("", "steps:\n  - set:\n", ""));
        assertRefused(text, "rules:1000:7", "Too many keys and values. Rules of their own may have 2000 at most.");
    }

    @Test
    void shouldRefuseMoreListsThanAreCheckedInAMoment() {
        assertRefused(
                "steps: [" + "[],".repeat(80_000) + "]",
                "rules:1:6000",
                "Too many keys and values. Rules of their own may have 2000 at most.");
    }

    /** The parser takes time for each level in proportion to the number of levels around it. */
    @Test
    void shouldRefuseManyLevels() {
        String message = "Too many levels. Rules of their own may have 20 at most.";
        assertRefused("steps: " + "[".repeat(200_000), "rules:1:27", message);
        assertRefused("steps: " + "{a: ".repeat(50_000), "rules:1:84", message);
    }

    /** YAML has mappings without keys, but a configuration has no such properties. */
    @ParameterizedTest
    @ValueSource(strings = {"steps: [ {} ]", "{\"steps\":[{\"filter\":{}}]}", "comment: a\nsteps: [ [ {} ] ]"})
    void shouldRefuseStepsWithoutProperties(String text) {
        assertRefused(text, "steps", "Missing value: a list of steps.");
    }

    @Test
    void shouldRefuseAliases() {
        assertRefused(
                "steps:\n  - filter: &a id > 5\n  - filter: *a\n",
                "rules:3:13",
                "Unexpected alias '*a'. Write the value");
    }

    @Test
    void shouldReadADollarSignAlone() {
        assertThat(RulesReader.read("trades", "steps:\n  - filter: currency == '$'\n")
                        .text())
                .contains("'$'");
    }
}
