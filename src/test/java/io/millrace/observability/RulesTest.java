package io.millrace.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The alerts fire, and stay quiet, as their unit tests say. Skipped where {@code promtool} is not installed. */
class RulesTest {

    @BeforeEach
    void needPromtool() {
        assumeTrue(Prometheus.installed(), Prometheus.MISSING);
    }

    @Test
    void shouldFireAsTheirTestsSay() throws Exception {
        assertThat(promtool("test", "rules", "millrace.rules.test.yml")).contains("SUCCESS");
    }

    @Test
    void shouldBeLoadedByThePrometheusOfTheComposedCluster() throws Exception {
        assertThat(promtool("check", "config", "prometheus.yml"))
                .contains(Observability.alerts().size() + " rules found");
    }

    @Test
    void shouldEachHaveATest() throws IOException {
        String tests = Files.readString(Observability.FOLDER.resolve("millrace.rules.test.yml"));
        assertThat(Observability.alerts().keySet())
                .hasSizeGreaterThan(5)
                .allSatisfy(alert ->
                        assertThat(tests).containsPattern("alertname: " + alert + "\n +exp_alerts:\n +- exp_labels"));
    }

    private static String promtool(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = "promtool";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command)
                .directory(Observability.FOLDER.toFile())
                .redirectErrorStream(true)
                .start();
        try (InputStream output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(Arrays.toString(arguments) + said).isZero();
            return said;
        }
    }
}
