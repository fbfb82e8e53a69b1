package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.millrace.ConfigurationPage.Row;
import io.millrace.MistakesTest.Mistake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON schema by which editors complete configurations, {@code examples/millrace.schema.json}, and the page that
 * describes all properties.
 */
class ConfigurationSchemaTest {

    private static final Path FILE = Path.of("examples/millrace.schema.json");
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    Path folder;

    private static final String UNKNOWN = "[unknown-property]";

    /** Run with {@code MILLRACE_DOCS=write} in the environment to write the file again after a change. */
    @Test
    void shouldFollowFromTheTypesOfTheProperties() throws IOException {
        String schema = JSON.writerWithDefaultPrettyPrinter()
                        .writeValueAsString(new ConfigurationSchema(ConfigurationPage.read()).root())
                + "\n";
        if ("write".equals(System.getenv("MILLRACE_DOCS"))) {
            Files.writeString(FILE, schema);
        }
        assertThat(Files.readString(FILE)).isEqualTo(schema);
    }

    @Test
    void shouldDescribeEachProperty() throws IOException {
        Map<String, Row> page = ConfigurationPage.read();
        Map<String, String> defaults = defaults(page);
        TreeSet<String> undescribed = new TreeSet<>(defaults.keySet());
        undescribed.removeIf(path -> page.containsKey(path) || isPartOfADescribedOne(path, page));
        TreeSet<String> unknown = new TreeSet<>(page.keySet());
        unknown.removeIf(path -> defaults.containsKey(path)
                || Objects.requireNonNull(page.get(path)).whole());
        assertThat(undescribed).isEmpty();
        assertThat(unknown).isEmpty();
    }

    @Test
    void shouldDescribeTheDefaults() throws IOException {
        Map<String, Row> page = ConfigurationPage.read();
        List<String> wrong = new ArrayList<>();
        defaults(page).forEach((path, value) -> {
            Row row = page.get(path);
            if (row != null && !value.isEmpty() && !row.defaultValue().equals(value)) {
                wrong.add(path + " has the default " + value + ", not " + row.defaultValue());
            }
        });
        assertThat(wrong).isEmpty();
    }

    private static Map<String, String> defaults(Map<String, Row> page) {
        ConfigurationSchema schema = new ConfigurationSchema(page);
        schema.root();
        return schema.defaults();
    }

    /** Returns whether the page describes a property that contains this one as a whole, without those in it. */
    private static boolean isPartOfADescribedOne(String path, Map<String, Row> page) {
        return page.entrySet().stream()
                .anyMatch(row -> row.getValue().whole()
                        && path.startsWith(row.getKey())
                        && page.keySet().stream()
                                .noneMatch(other -> !other.equals(row.getKey()) && other.startsWith(row.getKey())));
    }

    private static Stream<Path> examples() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("examples"))) {
            List<Path> examples = files.filter(file -> file.toString().endsWith(".yml"))
                    .filter(ConfigurationSchemaTest::isConfiguration)
                    // Applications may have kinds of feeds and steps of their own.
                    .filter(file -> !file.endsWith("application.yml"))
                    .sorted()
                    .toList();
            return Stream.concat(examples.stream(), Stream.of(Path.of("src/main/distribution/conf/millrace.yml")));
        }
    }

    private static boolean isConfiguration(Path file) {
        try {
            return Files.readAllLines(file).contains("millrace:");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void shouldAcceptExamples(Path example) throws IOException {
        assertThat(errors(Files.readString(example))).isEmpty();
    }

    /** The distribution has the file next to its configuration, too. */
    @ParameterizedTest
    @MethodSource("examples")
    void shouldBeNamedInExamples(Path example) throws IOException {
        String file = example.startsWith("examples")
                ? String.valueOf(Objects.requireNonNull(example.getParent()).relativize(FILE))
                        .replace('\\', '/')
                : "millrace.schema.json";
        assertThat(Files.readAllLines(example)).contains("# yaml-language-server: $schema=" + file);
    }

    static Stream<Mistake> misspelt() throws IOException {
        return MistakesTest.mistakes().filter(mistake -> mistake.expected().contains(UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource("misspelt")
    void shouldRefuseMisspeltProperties(Mistake mistake) throws IOException {
        List<String> errors = new ArrayList<>();
        MistakesTest.files(mistake, folder).forEach((name, text) -> {
            if (name.endsWith(".yml") && mistake.command().contains(name)) {
                errors.addAll(errors(text));
            }
        });
        assertThat(errors).as(mistake.toString()).isNotEmpty();
    }

    private static List<String> errors(String yaml) {
        Schema schema = SchemaRegistry.withDialect(Dialects.getDraft7()).getSchema(read());
        Iterable<Object> documents = new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml);
        return StreamSupport.stream(documents.spliterator(), false)
                .map(document -> JSON.<JsonNode>valueToTree(document))
                .flatMap(document -> schema.validate(document).stream())
                .map(Error::toString)
                .toList();
    }

    private static JsonNode read() {
        return JSON.readTree(FILE);
    }
}
