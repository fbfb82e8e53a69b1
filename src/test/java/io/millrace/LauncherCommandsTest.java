package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands that the launchers run with the JVM options of commands that end: all but those that run services. */
class LauncherCommandsTest {

    private static final Path BIN = Path.of("src/main/distribution/bin");
    private static final List<String> SERVICES = List.of("run", "sample", "server", "locator");
    private static final List<String> OPTIONS = List.of("-h", "--help", "-V", "--version");

    /** Returns the words of a text, in the group of this pattern. */
    private static List<String> words(Path file, String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(Files.readString(file))
                .results()
                .flatMap(match -> Arrays.stream(match.group(1).strip().split("[\\s|\\\\]+")))
                .toList();
    }

    private static List<String> commandsThatEnd() {
        List<String> names =
                new ArrayList<>(new CommandLine(new Millrace()).getSubcommands().keySet());
        names.removeAll(SERVICES);
        names.addAll(OPTIONS);
        return names;
    }

    @Test
    void shouldListAllCommandsThatEnd() throws IOException {
        Path file = BIN.resolve("millrace");
        List<String> listed = new ArrayList<>(words(file, "\n  (backtest \\|[^)]*)\\)\n"));
        listed.addAll(words(file, "\n  (check \\|[^)]*)\\)\n"));
        assertThat(listed).containsExactlyInAnyOrderElementsOf(commandsThatEnd());
        assertThat(words(file, "\n  '' \\|([^)]*) \\| \\*\\[!a-z\\]\\*\\) ;;")).isEqualTo(SERVICES);
    }

    @Test
    void shouldListAllCommandsThatEndOnWindows() throws IOException {
        Path file = BIN.resolve("millrace.bat");
        List<String> listed = words(file, "for %%c in \\(([^)]*)\\) do if \"%_command%\"==");
        assertThat(listed).containsExactlyInAnyOrderElementsOf(commandsThatEnd());
    }
}
