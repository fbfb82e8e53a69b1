package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.architecture.ApiSurface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/reference/api.md} lists the types that are marked as API, and the example applications use no others. */
class ApiPageTest {

    private static final Path EXAMPLE = Path.of("examples/embedded/src");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (io\\.millrace\\.[\\w.]+);");

    @Test
    void shouldListEveryType() {
        Stream<String> listed = Page.read(Path.of("docs/reference/api.md")).table("api").stream()
                .flatMap(row -> Stream.of(row.get(2).split(", ", -1))
                        .map(type -> "io.millrace." + row.getFirst() + "." + type));

        assertThat(listed).containsExactlyInAnyOrderElementsOf(typeNames());
    }

    @Test
    void shouldShowTheTestOfTheExample() throws IOException {
        String test = Files.readString(EXAMPLE.resolve("test/java/desk/TradesPipelineTest.java"));

        assertThat(Page.read(Path.of("docs/guides/embed.md")).java())
                .isNotEmpty()
                .allSatisfy(java -> assertThat(test).endsWith(java));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "examples/embedded/src",
                "examples/feed/src/main",
                "examples/feed/src/test/java/tail/TailFeedTest.java",
                "examples/step/src/main",
                "examples/generate/src",
                "examples/views/src"
            })
    void shouldBeAllThatTheExampleUses(Path example) throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(example)) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        Set<String> used = sources.stream()
                .map(file -> Page.read(file).text())
                .flatMap(text -> IMPORT.matcher(text).results())
                .map(match -> match.group(1))
                .collect(Collectors.toSet());

        assertThat(used).isNotEmpty().isSubsetOf(typeNames());
    }

    private static List<String> typeNames() {
        return ApiSurface.types().stream().map(Class::getName).toList();
    }
}
