package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.CommandWords;
import io.millrace.Millrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands that the pages show are ones that the command line takes. */
class DocumentedCommandsTest {

    private static final Pattern BLOCK = Pattern.compile("```\n(.*?)```", Pattern.DOTALL);

    /** A command in a line of a block, possibly behind a prompt, a variable or a pipe, up to a comment. */
    private static final Pattern COMMAND = Pattern.compile(
            "(?:\\$ )?(?:\\w+=\\w+ )?(?:sudo -u \\w+ )?(?:[^|\n]+\\| )?(?:cd \\w+ && )?"
                    + "(?:bin/millrace|millrace|java -jar (?:\\S*/)?millrace\\.jar)((?: [^\\s#\\\\]\\S*)+)(?: +#.*| \\\\)?");

    /** Commands of the launcher, not of the command line. */
    private static final List<String> OF_THE_LAUNCHER = List.of("warm");

    @Test
    void shouldShowCommandsThatExist() throws IOException {
        List<String> commands =
                pages().flatMap(DocumentedCommandsTest::commands).toList();
        assertThat(commands)
                .hasSizeGreaterThan(50)
                .allSatisfy(
                        command -> assertThatCode(() -> new CommandLine(new Millrace()).parseArgs(arguments(command)))
                                .as(command)
                                .doesNotThrowAnyException());
    }

    private static Stream<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            List<Path> pages =
                    files.filter(file -> file.toString().endsWith(".md")).toList();
            return Stream.concat(Stream.of(Path.of("README.md")), pages.stream());
        }
    }

    /** The commands of a page, without those that show which arguments a command may have. */
    private static Stream<String> commands(Path page) {
        return BLOCK.matcher(Page.read(page).text())
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(COMMAND::matcher)
                .filter(line -> line.matches())
                .map(line -> line.group(1).strip())
                .filter(command -> !command.contains("[") && !command.contains("…"))
                .filter(command -> !OF_THE_LAUNCHER.contains(command));
    }

    /** Returns the words before a pipe; without a command, the service runs. */
    private static String[] arguments(String command) {
        List<String> words = CommandWords.of(command);
        boolean named = words.getFirst().startsWith("-")
                || new CommandLine(new Millrace()).getSubcommands().containsKey(words.getFirst());
        return Stream.concat(named ? Stream.empty() : Stream.of("run"), words.stream())
                .toArray(String[]::new);
    }
}
