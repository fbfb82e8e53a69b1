package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The jobs that the page about moving a Kafka job shows are the files that are tested or compiled. */
class MigrationPageTest {

    private static final Page PAGE = Page.read(Path.of("docs/guides/migrate-kafka.md"));

    @Test
    void shouldShowTheExample() throws IOException {
        String example = Files.readString(Path.of("examples/kafka/route.yml"));

        assertThat(PAGE.yaml().getFirst()).isEqualTo(example.substring(example.indexOf("millrace:")));
    }

    @Test
    void shouldShowTheCodeOfThePeers() throws IOException {
        Path folder = Path.of("src/peers/java/trades");
        String peers = Page.withoutIndentation(Files.readString(folder.resolve("StreamsRoute.java")))
                + Page.withoutIndentation(Files.readString(folder.resolve("FlinkRoute.java")));

        assertThat(PAGE.java())
                .hasSize(3)
                .allSatisfy(java -> assertThat(peers).contains(Page.withoutIndentation(java)));
    }
}
