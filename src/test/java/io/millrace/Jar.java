package io.millrace;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The packaged jar, run as a user runs it: {@code java -jar target/millrace.jar}. */
final class Jar implements AutoCloseable {

    private static final Path JAR = Path.of("target/millrace.jar").toAbsolutePath();
    private static final Pattern PORT = Pattern.compile("Netty started on port (\\d+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path output;

    private Jar(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts it in a folder with these arguments. */
    static Jar start(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "run", ".log");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Jar(process, output);
    }

    /** Runs it to its end and returns the exit code. */
    static int run(Path folder, String... arguments) throws IOException, InterruptedException {
        try (Jar jar = start(folder, arguments)) {
            return jar.exitCode();
        }
    }

    /** Waits for its end. */
    int exitCode() throws IOException, InterruptedException {
        if (!process.waitFor(180, TimeUnit.SECONDS)) {
            throw new AssertionError("still runs:\n" + output());
        }
        return process.exitValue();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Asks it to end, as a service manager does, and waits for that. */
    void stop() throws IOException, InterruptedException {
        process.destroy();
        exitCode();
    }

    /** Ends it as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Everything it has printed. */
    String output() throws IOException {
        return Files.readString(output);
    }

    /** The body of a page; null while the service does not answer yet. */
    @Nullable
    String get(String path) throws IOException, InterruptedException {
        Matcher port = PORT.matcher(output());
        if (!port.find()) {
            return null;
        }
        URI uri = URI.create("http://127.0.0.1:" + port.group(1) + path);
        return HTTP.send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
