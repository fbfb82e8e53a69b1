package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        List<String> baseline = withTypes(Files.readAllLines(BASELINE));
        List<String> offered = withTypes(signatures.lines().toList());

        assertThat(baseline)
                .as("the API of %s: applications that use what is missing break", BASELINE)
                .filteredOn(signature -> !offered.contains(signature))
                .isEmpty();
        assertThat(offered)
                .as("the API: what %s lacks is new", BASELINE)
                .filteredOn(signature -> !baseline.contains(signature))
                .isEmpty();
    }

    /** Puts the line of its type in front of each member. */
    private static List<String> withTypes(List<String> lines) {
        List<String> signatures = new ArrayList<>();
        String type = "";
        for (String line : lines) {
            if (line.startsWith("  ")) {
                signatures.add(type + ":" + line.substring(1));
            } else {
                type = line;
                signatures.add(line);
            }
        }
        return signatures;
    }
}
