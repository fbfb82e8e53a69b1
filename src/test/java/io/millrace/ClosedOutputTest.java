package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose standard output is a pipe, of which the reader wants the beginning only. */
class ClosedOutputTest {

    /** Their text is much larger than the buffer of a pipe. */
    private static final String RECORDS = "20000";

    private static final int CLOSED_OUTPUT = 141;

    @TempDir
    static Path folder;

    private static Path trades;

    @BeforeAll
    static void generate() {
        trades = folder.resolve("trades.bin");
        assertThat(Millrace.execute("generate", "--schema", "trade", "--count", RECORDS, trades.toString()))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "json"})
    void shouldEndSilentlyWhenTheReaderOfAConversionEnds(String form) throws Exception {
        assertThat(end("convert", "--schema", "trade", "--to", form, trades.toString(), "-"))
                .isEqualTo(CLOSED_OUTPUT + ": ");
    }

    @Test
    void shouldEndSilentlyWhenTheReaderOfGeneratedRecordsEnds() throws Exception {
        assertThat(end("generate", "--schema", "trade", "--count", RECORDS, "-"))
                .isEqualTo(CLOSED_OUTPUT + ": ");
    }

    /** Reads a byte of the output, closes it, and returns the exit code and the errors. */
    private static String end(String... arguments) throws IOException, InterruptedException {
        List<String> command = ChildJvm.command(Millrace.class, arguments);
        Process process = new ProcessBuilder(command).start();
        try (BufferedReader err = process.errorReader(StandardCharsets.UTF_8)) {
            assertThat(process.getInputStream().read()).isNotNegative();
            process.getInputStream().close();
            String errors = err.readAllAsString();
            assertThat(process.waitFor(TestTimeout.MAX)).isTrue();
            return process.exitValue() + ": " + errors;
        } finally {
            process.destroyForcibly();
        }
    }
}
