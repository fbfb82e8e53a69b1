package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Millrace;
import io.millrace.cli.check.CheckCommand;
import io.millrace.cli.check.ExplainCommand;
import io.millrace.codec.javatype.TypeProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every configuration and every link that the documentation shows is right. */
class DocumentationTest {

    private static final Pattern FILE = Pattern.compile("\\bfile: ([\\w./-]+)");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(?:#[^)]*)?\\)");

    /** The name of a test class, and perhaps of one of its methods. */
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))(?:\\.(should\\w+))?`");

    private static final Page DIFFERENCES = Page.read(Path.of("docs/guides/view-differences.md"));

    @TempDir
    Path folder;

    private static List<Page> pages() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            return Stream.concat(
                            Stream.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")),
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .sorted())
                    .map(Page::read)
                    .toList();
        }
    }

    @Test
    void shouldShowConfigurationsThatCanBeStarted() throws IOException {
        int found = 0;
        for (Page page : pages()) {
            for (String yaml : page.yaml()) {
                if (yaml.contains("millrace:")) {
                    found++;
                    check(page, yaml);
                }
            }
        }
        assertThat(found).isGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldShowTheSampleInTheReadme() throws IOException {
        String sample = Files.readString(Path.of("src/main/resources/sample.yml"));

        assertThat(Page.read(Path.of("README.md")).yaml()).contains(sample);
    }

    @Test
    void shouldListEveryCommand() {
        Set<String> commands = new CommandLine(new Millrace()).getSubcommands().keySet();
        String readme = Page.read(Path.of("README.md")).text();
        String reference = Page.read(Path.of("docs/reference/cli.md")).text();

        assertThat(commands).contains("run", "server").allSatisfy(command -> {
            Pattern listed = Pattern.compile("(?m)^\\| .*?[` \\[]" + command + "[` \\]].*\\|$");
            assertThat(readme).containsPattern(listed);
            assertThat(reference).containsPattern(listed);
        });
    }

    @Test
    void shouldShowWhatExplainReportsOnTheSample() throws IOException {
        StringWriter out = new StringWriter();
        new CommandLine(new ExplainCommand()).setOut(new PrintWriter(out, true)).execute();

        String shown = Page.read(Path.of("docs/reference/expressions.md")).output("explain");

        assertThat(anySize(out.toString())).startsWith(anySize(shown)).contains("trades.4-route");
        assertThat(shown).contains("bytes of code", "constants");
    }

    @Test
    void shouldShowTheCodeOfATestInAClusterOfContainers() throws IOException {
        Path test = Path.of("src/test/java/io/millrace/testcontainers/GeodeClusterContainerIT.java");

        assertThat(Page.withoutIndentation(Files.readString(test)))
                .contains(Page.read(Path.of("docs/guides/cluster.md")).firstJava());
    }

    /** Without the size of the code, which every better way to generate it changes. */
    private static String anySize(String explained) {
        return explained.replaceAll("\\d+ bytes of code", "some bytes of code");
    }

    @Test
    void shouldShowTheJavaOfTheExample() throws IOException {
        String example = Files.readString(Path.of("examples/java/desk/CheapestPounds.java"));

        assertThat(Page.read(Path.of("docs/guides/queries.md")).java())
                .isNotEmpty()
                .allSatisfy(java -> assertThat(example).endsWith(java));
    }

    @ParameterizedTest
    @CsvSource({"write-a-feed, feed/src, 5", "write-a-step, step/src/main/java, 5", "write-an-output, java/spool, 5"})
    void shouldShowTheCodeOfTheExample(String page, String folder, int snippets) throws IOException {
        StringBuilder example = new StringBuilder();
        try (Stream<Path> sources = Files.walk(Path.of("examples", folder))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                example.append(Page.withoutIndentation(Files.readString(source)));
            }
        }

        assertThat(Page.read(Path.of("docs/guides/" + page + ".md")).java())
                .hasSize(snippets)
                .allSatisfy(java -> assertThat(example).contains(Page.withoutIndentation(java)));
    }

    @Test
    void shouldShowTheFunctionsOfTheExamples() throws IOException {
        String examples = Files.readString(Path.of("examples/java/calendar/CalendarFunctions.java"))
                + Files.readString(Path.of("examples/java/desk/RiskFunctions.java"));

        assertThat(Page.read(Path.of("docs/reference/expressions.md")).java())
                .hasSize(3)
                .allSatisfy(java -> assertThat(examples).contains(java));
    }

    @Test
    void shouldShowTheListenerOfTheTest() throws IOException {
        Path test = Path.of("src/test/java/io/millrace/pipeline/AlertListenerTest.java");

        assertThat(Page.withoutIndentation(Files.readString(test)))
                .contains(Page.withoutIndentation(
                        Page.read(Path.of("docs/guides/measures.md")).firstJava()));
    }

    @Test
    void shouldNameTestsThatExist() throws IOException {
        Map<String, Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            sources = files.filter(file -> file.toString().matches(".*(Test|IT)[.]java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""), file -> file));
        }
        List<String> missing = new ArrayList<>();
        for (Page page : pages()) {
            Matcher test = TEST.matcher(page.text());
            while (test.find()) {
                Path source = sources.get(test.group(1));
                String method = test.group(2);
                if (source == null
                        || (method != null && !Files.readString(source).contains(" void " + method + "("))) {
                    missing.add(page.name() + ": " + test.group());
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"explanation/exactly-once", "guides/cluster", "guides/security"})
    void shouldNameTestsForEachPromise(String name) {
        List<List<String>> promises = Page.read(Path.of("docs/" + name + ".md")).table("promises");

        assertThat(promises)
                .hasSizeGreaterThan(10)
                .allSatisfy(promise -> assertThat(promise.get(1).split(", ", -1))
                        .allMatch(test -> TEST.matcher("`" + test + "`").matches()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"explanation/exactly-once", "guides/cluster"})
    void shouldNameNemesesOrNoneForEachPromise(String name) {
        assertThat(Page.read(Path.of("docs/" + name + ".md")).table("promises"))
                .allSatisfy(promise -> assertThat(promise).hasSizeGreaterThan(3))
                .allSatisfy(promise -> assertThat(promise.get(2)).isNotEmpty());
    }

    @Test
    void shouldNameTestsForEachDifferenceOfViews() {
        assertThat(DIFFERENCES.text().split("\n\\|---", -1))
                .hasSize(DIFFERENCES.tables().size() + 1);
        assertThat(DIFFERENCES.tables().stream().flatMap(table -> DIFFERENCES.table(table).stream()))
                .hasSizeGreaterThan(100)
                // behind the last column is the end of the line
                .allSatisfy(difference -> assertThat(
                                difference.get(difference.size() - 2).split(", ", -1))
                        .allMatch(test -> TEST.matcher("`" + test + "`").matches()));
    }

    @Test
    void shouldListWhatAcceptsEachDifferenceOfViews() {
        assertThat(DIFFERENCES.table("refusals").stream().map(row -> row.get(3)).collect(Collectors.toSet()))
                .isEqualTo(Arrays.stream(TypeProblem.Option.values())
                        .map(option -> option.call(List.of()).split("\\(", 2)[0])
                        .map(method -> method.isEmpty() ? "none" : method)
                        .collect(Collectors.toSet()));
    }

    @Test
    void shouldLinkToWhatIsThere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Page page : pages()) {
            Path from = Path.of(page.name()).toAbsolutePath().getParent();
            Matcher link = LINK.matcher(page.text());
            while (link.find()) {
                if (!Files.exists(Path.of(from + "/" + link.group(1)))) {
                    broken.add(page.name() + ": " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Checks it with files of the names that it has, in a folder of their own, and with the page's schemas. */
    private void check(Page page, String yaml) throws IOException {
        Matcher file = FILE.matcher(yaml);
        StringBuilder own = new StringBuilder();
        while (file.find()) {
            Path target = folder.resolve(file.group(1));
            Files.createDirectories(target.toAbsolutePath().getParent());
            Files.write(target, content(page, file.group(1)));
            file.appendReplacement(own, Matcher.quoteReplacement("file: " + target));
        }
        file.appendTail(own);
        Path config = Files.writeString(folder.resolve("config.yml"), own.toString());
        StringWriter err = new StringWriter();
        int code = new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(config.toString(), schemas(page).toString());
        assertThat(code).as(page.name() + "\n" + yaml + err).isZero();
    }

    /** Returns what the page shows as the whole file, or else content that fits the examples. */
    private static byte[] content(Page page, String file) throws IOException {
        String shown = page.files().get(file);
        if (shown != null) {
            return shown.getBytes(StandardCharsets.UTF_8);
        }
        return file.endsWith(".csv") ? Files.readAllBytes(Path.of("examples/reference/desks.csv")) : new byte[39];
    }

    /** Writes the schemas that the page shows as whole files; returns a configuration that names their folder. */
    private Path schemas(Page page) throws IOException {
        Path schemas = Files.createTempDirectory(folder, "schemas");
        for (Map.Entry<String, String> file : page.files().entrySet()) {
            if (file.getKey().startsWith("schemas/")) {
                Files.writeString(schemas.resolve(file.getKey().substring("schemas/".length())), file.getValue());
            }
        }
        return Files.writeString(folder.resolve("schemas.yml"), "millrace:\n  schemas: " + schemas + "\n");
    }
}
