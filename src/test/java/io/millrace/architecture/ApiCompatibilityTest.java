package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A change of the API is deliberate: it changes {@code src/api/api.txt} too. */
class ApiCompatibilityTest {

    private static final Path BASELINE = Path.of("src/api/api.txt");

    /** Run with {@code MILLRACE_DOCS=write} in the environment to write the file again after a deliberate change. */
    @Test
    void shouldOfferWhatTheBaselineLists() throws IOException {
        String signatures = ApiSurface.signatures();
        if ("write".equals(System.getenv("MILLRACE_DOCS"))) {
            Files.writeString(BASELINE, signatures);
        }
        assertThat(signatures.lines())
                .as("the API; a line that is missing or changed breaks applications (docs/reference/api.md)")
                .containsExactlyElementsOf(Files.readAllLines(BASELINE));
    }
}
