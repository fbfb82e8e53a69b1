package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Each command shows examples in its help, and they are ones that the command line takes. */
class CommandExamplesTest {

    static Stream<CommandLine> commands() {
        return new CommandLine(new Millrace())
                .getSubcommands().values().stream()
                        .filter(command -> !command.getCommandName().equals("generate-completion"));
    }

    static Stream<String> examples() {
        return commands()
                .flatMap(command ->
                        Arrays.stream(command.getCommandSpec().usageMessage().footer()));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldShowExamples(CommandLine command) {
        assertThat(command.getUsageMessage()).contains("Examples:", "millrace " + command.getCommandName());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void shouldTakeTheExamples(String example) {
        String words = example.substring(example.indexOf("millrace ") + "millrace ".length());
        assertThatCode(() -> new CommandLine(new Millrace())
                        .parseArgs(CommandWords.of(words).toArray(String[]::new)))
                .as(example)
                .doesNotThrowAnyException();
    }
}
