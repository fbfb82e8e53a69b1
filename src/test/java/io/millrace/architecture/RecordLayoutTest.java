package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.RecordLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Only schema and codec distinguish the layouts of records, so that a further layout needs no change in other code.
 * Reads the source code, because ArchUnit does not see the classes in the patterns of a {@code switch}.
 */
class RecordLayoutTest {

    private static final Path SOURCES = Path.of("src/main/java/io/millrace");

    /** The class or package of a layout, or a comparison with its name. */
    private static final Pattern LAYOUT = Pattern.compile("\\b("
            + Arrays.stream(RecordLayout.class.getPermittedSubclasses())
                    .map(Class::getSimpleName)
                    .collect(Collectors.joining("|"))
            + ")\\b|import io\\.millrace\\.codec\\.tagged\\.|layout\\(\\)\\.(name|toString)\\(\\)\\.");

    @Test
    void shouldDistinguishLayoutsInSchemaAndCodecOnly() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> sources;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path source : sources) {
            boolean mayDistinguish =
                    source.startsWith(SOURCES.resolve("schema")) || source.startsWith(SOURCES.resolve("codec"));
            if (!mayDistinguish && LAYOUT.matcher(Files.readString(source)).find()) {
                found.add(source.toString());
            }
        }

        assertThat(sources).isNotEmpty();
        assertThat(found).isEmpty();
    }
}
