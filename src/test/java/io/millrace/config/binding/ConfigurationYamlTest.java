package io.millrace.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.RuleTestProperties;
import io.millrace.schema.FieldType;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ByteArrayResource;

class ConfigurationYamlTest {

    /** YAML 1.2.2, 10.3.2. */
    private static final Pattern CORE_INT = Pattern.compile("[-+]?[0-9]+|0x[0-9a-fA-F]+");

    private static final Pattern CORE_TRUE = Pattern.compile("true|True|TRUE");
    private static final Pattern CORE_FALSE = Pattern.compile("false|False|FALSE");
    private static final Pattern CORE_NULL = Pattern.compile("null|Null|NULL|~|");

    private static final List<String> PIECES = List.of(
            "0",
            "1",
            "7",
            "8",
            "9",
            "10",
            "010",
            "0x1F",
            "0o17",
            "0b11",
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "True",
            "false",
            "NULL",
            "null",
            ".5",
            ".inf",
            ".nan",
            "1.0",
            "1e3",
            "e-400",
            "_",
            "+",
            ":",
            ":30",
            "2001-12-14",
            "t21:59:43",
            "A");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path folder;

    private static ConfigurableEnvironment load(String yaml) {
        try {
            org.springframework.core.env.StandardEnvironment environment =
                    new org.springframework.core.env.StandardEnvironment();
            new ConfigurationYaml()
                    .load("t", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                    .forEach(environment.getPropertySources()::addFirst);
            return environment;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String asDefault(String scalar) {
        return String.valueOf(
                load("millrace: { pipelines: { p: { steps: [{ enrich: { defaults: { c2: " + scalar + " } } }] } } }")
                        .getProperty("millrace.pipelines.p.steps[0].enrich.defaults.c2"));
    }

    private static String asName(String scalar) {
        String yaml = "schema: t\nfields: [{ name: a, type: enum, values: [x, " + scalar + "] }]";
        Schema schema = SchemaReader.read("t.yml", yaml.getBytes(StandardCharsets.UTF_8));
        FieldType type = Objects.requireNonNull(schema.field("a")).type();
        return String.valueOf(((FieldType.EnumType) type).dictionary().name(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NO",
                "no",
                "yes",
                "Yes",
                "on",
                "OFF",
                "y",
                "n",
                "true",
                "False",
                "010",
                "0o17",
                "0x1F",
                "0b11",
                "1_000",
                "1:30",
                "190:20:30",
                "2001-12-14",
                "2001-12-14t21:59:43.10-05:00",
                "1e3",
                "1e-400",
                "0.10",
                "1.",
                ".5",
                ".inf",
                ".NaN",
                "12345678901234567.89",
                "123456789012345678901234567890",
                "+12",
                "-0",
                "=",
                "0.1_0"
            })
    void shouldReadAScalarAsSchemasDo(String scalar) {
        assertThat(asDefault(scalar)).isEqualTo(scalar);
        assertThat(asName(scalar)).isEqualTo(scalar);
        assertThat(asDefault("\"" + scalar + "\"")).isEqualTo(scalar);
    }

    @Property(tries = 2000)
    void shouldReadRandomScalarsAsTheCoreSchemaDoes(@ForAll Random random) {
        List<String> parts = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            parts.add(PIECES.get(random.nextInt(PIECES.size())));
        }
        String scalar = String.join("", parts);
        if (scalar.endsWith(":") || scalar.startsWith(":")) {
            return;
        }
        if (CORE_NULL.matcher(scalar).matches()) {
            assertThat(asDefault(scalar)).isEmpty();
            return;
        }
        assertThat(asDefault(scalar)).isEqualTo(scalar);
        assertThat(asName(scalar)).isEqualTo(scalar);
        requireNumber(scalar);
        if (CORE_TRUE.matcher(scalar).matches() || CORE_FALSE.matcher(scalar).matches()) {
            assertThat(PropertyBinding.bind(load("millrace.enabled: " + scalar)).enabled())
                    .isEqualTo(CORE_TRUE.matcher(scalar).matches());
        }
    }

    private static void requireNumber(String scalar) {
        boolean whole = CORE_INT.matcher(scalar).matches();
        if (whole && scalar.length() > 9) {
            return; // may be larger than the property
        }
        if (whole) {
            int number = scalar.startsWith("0x") ? Integer.parseInt(scalar.substring(2), 16) : Integer.parseInt(scalar);
            assertThat(PropertyBinding.bind(load("millrace.batch-records: " + scalar))
                            .batchRecords())
                    .isEqualTo(number);
        } else {
            assertThatExceptionOfType(ConfigurationException.class)
                    .as(scalar)
                    .isThrownBy(() -> PropertyBinding.bind(load("millrace.batch-records: " + scalar)));
        }
    }

    @ParameterizedTest
    @CsvSource({"010,10", "0x1F,31", "+5,5"})
    void shouldReadWholeNumbersAsYaml12(String scalar, int number) {
        assertThat(PropertyBinding.bind(load("millrace.batch-records: " + scalar))
                        .batchRecords())
                .isEqualTo(number);
    }

    @Test
    void shouldKeepTheDigitsOfRecordsInTests() {
        MillraceProperties properties = PropertyBinding.bind(load("""
                millrace:
                  pipelines:
                    p:
                      tests:
                        - record: { a: 12345678901234567.89, b: 0.10, c: NO, d: 010, e: null, f: "", g: [1.0, on], NO: 1e3 }
                          expect: { to: r, fields: { a: 1_0, b: 1.50 } }
                """));
        RuleTestProperties test =
                Objects.requireNonNull(properties.pipelines().get("p")).tests().getFirst();
        assertThat(test.record())
                .containsEntry("a", "12345678901234567.89")
                .containsEntry("b", "0.10")
                .containsEntry("c", "NO")
                .containsEntry("d", "010")
                .containsEntry("e", "")
                .containsEntry("f", "")
                .containsEntry("g", Map.of("0", "1.0", "1", "on"))
                .containsEntry("NO", "1e3");
        assertThat(Objects.requireNonNull(test.expect()).fields()).isEqualTo(Map.of("a", "1_0", "b", "1.50"));
    }

    @Test
    void shouldReadMergeKeysAliasesAndNestedKeysAsSpringDoes() {
        ConfigurableEnvironment environment = load("""
                base: &base { layout: blocks, retain: { age: 1d } }
                millrace.regions:
                  r: { <<: *base, persistent: true }
                  "a.b": *base
                  1.5: { layout: 007 }
                other: { answer: NO, eight: 010 }
                """);
        assertThat(environment.getProperty("millrace.regions.r.layout")).isEqualTo("blocks");
        assertThat(environment.getProperty("millrace.regions.r.persistent")).isEqualTo("true");
        assertThat(environment.getProperty("millrace.regions.a.b.retain.age")).isEqualTo("1d");
        assertThat(environment.getProperty("millrace.regions[1.5].layout")).isEqualTo("007");
        assertThat(environment.getProperty("other.answer")).isEqualTo("false");
        assertThat(environment.getProperty("other.eight")).isEqualTo("8");
    }

    @Test
    void shouldReportThePlaceOfAValue() throws IOException {
        Path file = Files.writeString(folder.resolve("c.yml"), "millrace:\n  batch-records: 1_000\n");
        ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
        assertThat(new Origins(environment).of("millrace.batch-records", false)).contains("c.yml:2:18");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> PropertyBinding.bind(environment))
                .satisfies(e -> assertThat(e.problems().getFirst().message())
                        .contains("Invalid number '1_000' for 'millrace.batch-records'. Use a whole number"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/application.yml"})
    void shouldLoadTheFilesOfAService(String location) throws IOException {
        Files.writeString(folder.resolve("application.yml"), """
                millrace: { enabled: false, tables: { t: { file: 010, key: NO } } }
                other: NO
                ---
                spring.config.activate.on-profile: night
                millrace.tables.t.key: 1e3
                """);
        assertThat(key(location)).isEqualTo("NO");
        assertThat(key(location, "--spring.profiles.active=night")).isEqualTo("1e3");
    }

    private @Nullable String key(String location, String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("--spring.config.location=file:" + folder + location);
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Empty.class)
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(String[]::new))) {
            assertThat(context.getEnvironment().getProperty("millrace.tables.t.file"))
                    .isEqualTo("010");
            assertThat(context.getEnvironment().getProperty("other")).isEqualTo("false");
            return context.getEnvironment().getProperty("millrace.tables.t.key");
        }
    }

    /** An application needs no more than the library on its class path. */
    @Test
    void shouldLoadImportedFilesAndThoseOfProfiles() throws IOException {
        Path rules = Files.createDirectory(folder.resolve("rules"));
        Files.writeString(folder.resolve("application.yml"), """
                spring.config.import: [ more.yaml, "file:%s/hint[.yml]", "optional:none.yml" ]
                common: &common { file: 010 }
                millrace: { enabled: false, tables: { t: { <<: *common, key: NO } } }
                ---
                spring.config: { activate.on-profile: night, import: night.yml }
                """.formatted(rules));
        Files.writeString(folder.resolve("more.yaml"), """
                common: &common { file: 011 }
                other: on
                millrace.tables.more: { <<: [ *common ], key: off }
                ---
                millrace.tables.second.key: 1_0
                """);
        Files.writeString(rules.resolve("hint"), "millrace.tables.hint.key: 1:30\n");
        Files.writeString(folder.resolve("night.yml"), "millrace.tables.night.key: 012\n");
        Files.writeString(folder.resolve("application-night.yaml"), "millrace.tables.t.key: ON\n");
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Empty.class)
                .web(WebApplicationType.NONE)
                .run("--spring.config.location=file:" + folder + "/", "--spring.profiles.active=night")) {
            Map<String, String> expected = Map.of(
                    "t.file", "010",
                    "t.key", "ON",
                    "more.file", "011",
                    "more.key", "off",
                    "second.key", "1_0",
                    "hint.key", "1:30",
                    "night.key", "012");
            expected.forEach((key, value) -> assertThat(context.getEnvironment().getProperty("millrace.tables." + key))
                    .as(key)
                    .isEqualTo(value));
            assertThat(context.getEnvironment().getProperty("other")).isEqualTo("true");
        }
    }

    /** An alias is the same node, so it has one value. */
    @Test
    void shouldKeepTheTextOfAnAnchorThatIsUsedBelowMillrace() {
        ConfigurableEnvironment environment = load("""
                mine: &both { a: 010 }
                millrace.x: *both
                """);
        assertThat(environment.getProperty("millrace.x.a")).isEqualTo("010");
        assertThat(environment.getProperty("mine.a")).isEqualTo("010");
    }

    static class Empty {}

    @Test
    void shouldReadAndWriteRulesOfRequestsAsTexts() {
        String rules =
                "comment: NO\nsteps:\n- enrich:\n    defaults:\n      c2: NO\n      d: 010\n      e: '~'\n      f: true\n";
        assertThat(RulesReader.comment(rules)).isEqualTo("NO");
        StepProperties steps = StepProperties.in(RulesReader.environment("p", rules), "p");
        assertThat(steps.text().text())
                .isEqualTo(
                        "steps:\n- enrich:\n    defaults:\n      c2: NO\n      d: '010'\n      e: '~'\n      f: true\n");
        assertThat(StepProperties.in(RulesReader.environment("p", steps.text().text()), "p")
                        .fingerprint())
                .isEqualTo(steps.fingerprint());
    }
}
