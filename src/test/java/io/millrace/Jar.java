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
    private volatile @Nullable String port;

    private Jar(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts it in a folder with these arguments. */
    static Jar start(Path folder, String... arguments) throws IOException {
        return startWithHeap(folder, "1g", arguments);
    }

    /** Starts it in a folder with a heap of at most this size, such as {@code 200m}. */
    static Jar startWithHeap(Path folder, String heap, String... arguments) throws IOException {
        return launch(folder, List.of(), heap, arguments);
    }

    /**
     * Starts it in a folder, in which one is a file system of its own of this size, such as {@code 600m}, for as long
     * as the process runs.
     */
    static Jar startOnSmallDisk(Path folder, String disk, String size, String... arguments) throws IOException {
        String mount = "mount -t tmpfs -o size=" + size + " tmpfs " + disk + " && exec \"$@\"";
        return launch(
                folder,
                List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"),
                "1g",
                arguments);
    }

    /** Returns whether {@link #startOnSmallDisk} works on this system. */
    static boolean canHaveSmallDisk() throws InterruptedException {
        try {
            return new ProcessBuilder(
                                    "unshare",
                                    "--user",
                                    "--map-root-user",
                                    "--mount",
                                    "mount",
                                    "-t",
                                    "tmpfs",
                                    "tmpfs",
                                    "/mnt")
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no such command
        }
    }

    private static Jar launch(Path folder, List<String> launcher, String heap, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-jar",
                JAR.toString()));
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

    long pid() {
        return process.pid();
    }

    /** Returns the path of a file as the process sees it, for a file system of its own. */
    Path seen(Path file) {
        return Path.of("/proc/" + process.pid() + "/root" + file.toAbsolutePath());
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

    /** Sends it a signal, such as {@code STOP} or {@code CONT}. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Everything it has printed. */
    String output() throws IOException {
        return Files.readString(output);
    }

    /** The body of a page; null while the service does not answer yet. */
    @Nullable
    String get(String path) throws IOException, InterruptedException {
        URI uri = uri(path);
        if (uri == null) {
            return null;
        }
        return HTTP.send(
                        HttpRequest.newBuilder(uri)
                                .timeout(Duration.ofSeconds(90))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    /** Where a path of its HTTP interface is; null while the service does not listen yet. */
    @Nullable
    URI uri(String path) throws IOException {
        if (port == null) {
            Matcher told = PORT.matcher(output());
            port = told.find() ? told.group(1) : null;
        }
        return port == null ? null : URI.create("http://127.0.0.1:" + port + path);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
