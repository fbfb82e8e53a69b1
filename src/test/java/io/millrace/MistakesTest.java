package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.schema.ProblemCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Mistakes that operators make, with the whole output of the command that reports them.
 * {@code src/test/resources/mistakes/README.md} describes the files and how to add a case.
 */
class MistakesTest {

    private static final Path CORPUS = Path.of("src/test/resources/mistakes");
    private static final int CASES_MIN = 100;

    /** What libraries say: operators read Millrace's own words. */
    private static final Pattern FRAMEWORK = Pattern.compile(
            "Exception|EL1\\d{3}E|java\\.|org\\.|No converter|Failed to|snakeyaml|for input string|PT\\d|found character",
            Pattern.CASE_INSENSITIVE);

    /** The code of an expression, or of any other problem. */
    private static final Pattern CODE = Pattern.compile("(?m)^ +MR1\\d{3}: |"
            + Stream.concat(
                            Arrays.stream(ProblemCode.values()).map(ProblemCode::code),
                            Arrays.stream(CommandErrorCode.values()).map(CommandErrorCode::code))
                    .distinct()
                    .map(code -> " \\[" + code + "]$")
                    .collect(Collectors.joining("|")));

    private static final String SUMMARY = "\\d+ of \\d+ records could not be converted.*";

    @TempDir
    Path folder;

    /**
     * A mistake.
     *
     * @param blocks files, and texts for placeholders, by name; those before the first case of a file are in each case
     * @param command arguments of {@code millrace}
     */
    record Mistake(String file, String title, Map<String, String> blocks, String command, String expected) {

        @Override
        public String toString() {
            return file + ": " + title;
        }
    }

    /** Options of other tests, which are properties that begin like those of a configuration. */
    private static final Map<String, String> OPTIONS = new HashMap<>();

    @BeforeAll
    static void hideOptions() {
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("millrace.")) {
                OPTIONS.put(name, System.getProperty(name));
                System.clearProperty(name);
            }
        }
    }

    @AfterAll
    static void restoreOptions() {
        OPTIONS.forEach(System::setProperty);
    }

    static Stream<Path> corpus() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.filter(file -> file.toString().endsWith(".txt")).sorted().toList().stream();
        }
    }

    static Stream<Mistake> mistakes() throws IOException {
        return corpus().flatMap(MistakesTest::read);
    }

    private static Stream<Mistake> read(Path file) {
        try {
            String[] parts = Files.readString(file).split("(?m)^=== ", -1);
            Map<String, String> shared = blocks(parts[0]);
            return Arrays.stream(parts).skip(1).map(part -> mistake(file, part, shared));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Mistake mistake(Path file, String text, Map<String, String> shared) {
        String[] input = text.split("(?m)^\\$ millrace ", 2);
        assertThat(input).as("%s has no line '$ millrace ...': %s", file, text).hasSize(2);
        String[] output = input[1].split("\n", 2);
        Map<String, String> blocks = new LinkedHashMap<>(shared);
        blocks.putAll(blocks(input[0]));
        return new Mistake(
                String.valueOf(file.getFileName()),
                text.lines().findFirst().orElseThrow(),
                blocks,
                output[0],
                output[1].strip());
    }

    private static Map<String, String> blocks(String text) {
        Map<String, String> blocks = new LinkedHashMap<>();
        for (String block : text.split("(?m)^--- ", -1)) {
            String[] parts = block.split("\n", 2);
            blocks.put(parts[0].strip(), parts.length == 1 ? "" : parts[1].stripTrailing() + "\n");
        }
        blocks.remove(text.lines().findFirst().orElse("").strip());
        return blocks;
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void shouldReport(Mistake mistake) throws IOException {
        assertThat(output(mistake, folder))
                .isEqualTo(mistake.expected())
                .doesNotContain("NO MISTAKE")
                .doesNotContainPattern(FRAMEWORK);
    }

    /**
     * A problem of a configuration is a property or place in a line of its own, and the message below it; any other is
     * a line. Wrong usage has no code.
     */
    @ParameterizedTest
    @MethodSource("mistakes")
    void shouldShowACodeOfEachProblem(Mistake mistake) {
        problems(mistake.expected())
                .forEach(problem -> assertThat(problem).as(mistake.toString()).containsPattern(CODE));
    }

    private static List<String> problems(String output) {
        if (output.startsWith("The configuration has ")) {
            return Arrays.asList(output.split("\n\n", -1)).stream().skip(1).toList();
        }
        boolean usage = output.contains("See 'millrace");
        return usage
                ? List.of()
                : output.lines().filter(line -> !line.matches(SUMMARY)).toList();
    }

    @Test
    void shouldKnowEveryMistakeOnce() throws IOException {
        assertThat(mistakes().map(Mistake::toString)).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(CASES_MIN);
    }

    /** Returns the texts of the files by their names, with the placeholders replaced. */
    static Map<String, String> files(Mistake mistake, Path folder) {
        Map<String, String> files = new LinkedHashMap<>();
        Map<String, String> placeholders = new LinkedHashMap<>();
        mistake.blocks().forEach((name, text) -> (name.matches("[A-Z]+") ? placeholders : files).put(name, text));
        placeholders.put("${folder}", folder.toString());
        files.replaceAll((_, text) -> filled(text, placeholders));
        return files;
    }

    private static String output(Mistake mistake, Path folder) throws IOException {
        Map<String, String> files = files(mistake, folder);
        for (Map.Entry<String, String> file : files.entrySet()) {
            write(folder.resolve(file.getKey()), file.getKey().endsWith("/"), file.getValue());
        }
        List<String> arguments = new ArrayList<>();
        for (String argument : mistake.command().split(" ", -1)) {
            arguments.add(
                    files.containsKey(argument)
                            ? folder.resolve(argument).toString()
                            : argument.replace("${folder}", folder.toString()));
        }
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        CommandLine commandLine = new CommandLine(new Millrace()).setOut(writer).setErr(writer);
        int code = Millrace.execute(commandLine, arguments.toArray(String[]::new));
        return (code == 0 ? "NO MISTAKE: " : "")
                + output.toString().replace(folder + "/", "").strip();
    }

    private static void write(Path path, boolean isFolder, String content) throws IOException {
        Files.createDirectories(isFolder ? path : path.getParent());
        if (!isFolder) {
            Files.writeString(path, content);
        }
    }

    /** Puts texts in the place of their names, each line of a text indented like the first. */
    private static String filled(String content, Map<String, String> placeholders) {
        StringBuilder filled = new StringBuilder();
        content.lines().forEach(line -> {
            String indent = " ".repeat(line.length() - line.stripLeading().length());
            String result = line;
            for (Map.Entry<String, String> placeholder : placeholders.entrySet()) {
                result = result.replace(
                        placeholder.getKey(),
                        placeholder.getValue().stripTrailing().replace("\n", "\n" + indent));
            }
            filled.append(result).append('\n');
        });
        return filled.toString();
    }

    /** Writes what commands report now into the files; read the difference before you commit it. */
    public static void main(String[] args) throws IOException {
        for (Path file : corpus().toList()) {
            String text = Files.readString(file);
            for (Mistake mistake : read(file).toList()) {
                String line = "$ millrace " + mistake.command() + "\n";
                int start = text.indexOf(line, text.indexOf("\n=== " + mistake.title() + "\n")) + line.length();
                int end = text.indexOf("\n=== ", start);
                String output = output(mistake, Files.createTempDirectory("mistake"));
                text = text.substring(0, start) + output + "\n" + (end < 0 ? "" : text.substring(end));
            }
            Files.writeString(file, text);
        }
    }
}
