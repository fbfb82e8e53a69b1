package io.millrace.pipeline.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.pipeline.rules.RulesFile.Content;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesFileTest {

    @TempDir
    Path folder;

    private Path path;

    @BeforeEach
    void prepare() {
        path = folder.resolve("trades.yml");
    }

    private Content read() {
        return Objects.requireNonNull(new RulesFile(path).read());
    }

    @Test
    void shouldReadText() throws IOException {
        Files.writeString(path, "comment: Köln\nsteps:\n- to: buys\n");
        assertThat(read()).isEqualTo(new Content("comment: Köln\nsteps:\n- to: buys\n", ""));
    }

    @Test
    void shouldReadNothingWhereThereIsNoFile() throws IOException {
        assertThat(new RulesFile(path).read()).isNull();
        Files.createSymbolicLink(path, folder.resolve("missing.yml"));
        assertThat(new RulesFile(path).read()).isNull();
    }

    @Test
    void shouldRefuseWhatIsNotText() throws IOException {
        Files.write(path, "comment: Köln".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(read().error()).isEqualTo("Invalid UTF-8 in '" + path + "'. Save the file as UTF-8.");
    }

    @Test
    void shouldRefuseFilesThatAreTooLarge() throws IOException {
        Files.writeString(path, "#".repeat(1024 * 1024));
        assertThat(read().error()).isEmpty();
        Files.writeString(path, "#".repeat(1024 * 1024 + 1));
        assertThat(read().error()).isEqualTo("Too many bytes in '" + path + "'. Use 1048576 bytes at most.");
    }

    /** Both could be read without an end. */
    @Test
    void shouldRefuseFoldersAndDevices() throws IOException {
        Files.createDirectory(path);
        assertThat(read().error()).isEqualTo("'" + path + "' is a folder. Name a file.");
        Files.delete(path);
        Path zeros = Path.of("/dev/zero");
        if (Files.exists(zeros)) {
            Files.createSymbolicLink(path, zeros);
            assertThat(read().error()).contains("'" + path + "'");
        }
    }
}
