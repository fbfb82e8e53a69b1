package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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

    /** Returns all commands, and the commands below them. */
    static Stream<CommandLine> allCommands() {
        return withSubcommands(new CommandLine(new Millrace()));
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(
                Stream.of(command),
                command.getSubcommands().values().stream().flatMap(CommandExamplesTest::withSubcommands));
    }

    /** Lists of commands, completion scripts and man pages show only the first string of a description. */
    @ParameterizedTest
    @MethodSource("allCommands")
    void shouldDescribeACommandInItsFirstSentence(CommandLine command) {
        assertThat(command.getCommandSpec().usageMessage().description())
                .as(command.getCommandSpec().qualifiedName())
                .isNotEmpty()
                .satisfies(strings -> assertThat(strings[0]).matches("[A-Z].*\\."));
    }

    @Test
    void shouldShowTheHelpOfACommand() {
        assertThat(help("help")).contains("Usage: millrace [", "Commands:", "bin/millrace warm");
        assertThat(help("help", "convert")).isEqualTo(help("convert", "--help"));
        assertThat(help("help", "rules", "apply"))
                .contains("Usage: millrace rules apply")
                .isEqualTo(help("rules", "apply", "--help"));
    }

    @Test
    void shouldSuggestACommandForTheHelpOfAnUnknownOne() {
        StringWriter err = new StringWriter();
        assertThat(Millrace.execute(
                        new CommandLine(new Millrace()).setErr(new PrintWriter(err, true)), "help", "rules", "aply"))
                .isEqualTo(2);
        assertThat(err)
                .hasToString("Unknown command: 'rules aply'. Did you mean 'apply'?\nSee 'millrace help --help'.\n");
    }

    private static String help(String... arguments) {
        StringWriter out = new StringWriter();
        assertThat(Millrace.execute(new CommandLine(new Millrace()).setOut(new PrintWriter(out, true)), arguments))
                .isZero();
        return out.toString();
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
