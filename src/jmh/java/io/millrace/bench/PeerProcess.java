package io.millrace.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process that runs {@link KafkaJob} in another program: {@code io.millrace.peers.PeerProcess}, which {@code ./mvnw
 * -f src/peers package} compiles. It has a heap as large as that of the benchmark, and runs one job after the other.
 */
final class PeerProcess implements AutoCloseable {

    private static final Path FOLDER = Path.of("target", "peers");

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    /** Starts the process for jobs of a class, such as {@code FlinkJob}. */
    PeerProcess(String job) throws IOException {
        if (Files.notExists(FOLDER.resolve("lib"))) {
            throw new IllegalStateException("Run first: ./mvnw -f src/peers package");
        }
        String heap = Long.toString(Runtime.getRuntime().maxMemory());
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms" + heap,
                        "-Xmx" + heap,
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        FOLDER.resolve("classes") + ":" + FOLDER.resolve("lib") + "/*",
                        "io.millrace.peers.PeerProcess",
                        job)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Sends a line and waits for its answer.
     *
     * @param expected how the answer begins
     * @return the rest of the answer
     */
    String answer(String command, String expected) {
        try {
            commands.write(command + "\n");
            commands.flush();
            String answer = answers.readLine();
            if (answer == null || !answer.startsWith(expected)) {
                throw new IllegalStateException("answer to '" + command + "': " + answer);
            }
            return answer.substring(expected.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
