package io.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A process of Millrace, started by the launcher of the distribution. With the serial collector, one compiler and a
 * cache of classes it is up in a third of the time; {@link #startAsShipped} and {@code DistributionIT} have the options
 * that users have.
 */
public final class MillraceProcess implements AutoCloseable {

    private static final Path HOME = Path.of(System.getProperty("millrace.home"));
    private static final Path PACKAGED = Path.of("target/millrace.jar").toAbsolutePath();
    private static final Path CACHE = Path.of("target/it-cache").toAbsolutePath();

    /**
     * With C1 alone, the JVM would reserve 48 MB for compiled code, and collect the whole heap when that space is
     * nearly full.
     */
    private static final String FAST =
            "-XX:-UseZGC -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m";

    private static final String FEW_TRADES = "--millrace.pipelines.trades.feed.generator.count=200000";

    private static final Pattern PORT = Pattern.compile("Netty started on port (\\d+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path output;
    private volatile @Nullable String port;

    private MillraceProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts it in a folder with these arguments. */
    public static MillraceProcess start(Path folder, String... arguments) throws IOException {
        return startWithHeap(folder, "1g", arguments);
    }

    /** Starts it in a folder with a heap of at most this size, such as {@code 200m}. */
    public static MillraceProcess startWithHeap(Path folder, String heap, String... arguments) throws IOException {
        return launch(folder, List.of(launcher()), Map.of("JAVA_OPTS", fast() + " -Xmx" + heap), arguments);
    }

    /** Starts it in a folder with more variables of the environment, such as those of faults. */
    public static MillraceProcess startWith(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("JAVA_OPTS", fast() + " -Xmx1g");
        return launch(folder, List.of(launcher()), variables, arguments);
    }

    /**
     * Starts it in a folder with the JVM options of the distribution, but for a heap of at most 1 GB, and with more
     * variables of the environment.
     */
    public static MillraceProcess startAsShipped(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("JAVA_OPTS", "-Xmx1g");
        return launch(folder, List.of(launcher()), variables, arguments);
    }

    /** Starts it with the commands of gfsh. */
    public static MillraceProcess startWithGfsh(Path folder, String... arguments) throws IOException {
        Map<String, String> variables = Map.of("JAVA_OPTS", fast() + " -Xmx1g", "MILLRACE_GFSH", "true");
        return launch(folder, List.of(launcher()), variables, arguments);
    }

    /** Starts the packaged jar by {@code java -jar} in a folder, with a heap of at most this size and one compiler. */
    public static MillraceProcess startPackaged(Path folder, String heap, String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return launch(
                folder,
                List.of(java, "-Xmx" + heap, "-XX:TieredStopAtLevel=1", "-jar", PACKAGED.toString()),
                Map.of(),
                arguments);
    }

    /**
     * Starts it in a folder, in which one is a file system of its own of this size, such as {@code 600m}, for as long
     * as the process runs.
     */
    public static MillraceProcess startOnSmallDisk(Path folder, String disk, String size, String... arguments)
            throws IOException {
        String mount = "mount -t tmpfs -o size=" + size + " tmpfs " + disk + " && exec \"$@\"";
        return launch(
                folder,
                List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", launcher()),
                Map.of("JAVA_OPTS", fast() + " -Xmx1g"),
                arguments);
    }

    /** Returns whether {@link #startOnSmallDisk} works on this system. */
    public static boolean canHaveSmallDisk() throws InterruptedException {
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
            return false; // the command does not exist
        }
    }

    private static String launcher() {
        return HOME.resolve("bin/millrace").toString();
    }

    /**
     * The options for a fast start. Writes a cache for {@link #FAST}, unless it exists for this build. It is not that
     * of {@code warm}: with the serial collector an AOT cache starts faster. Several test JVMs may write it at the same
     * time.
     */
    private static synchronized String fast() throws IOException {
        Files.createDirectories(CACHE);
        try (FileChannel channel =
                        FileChannel.open(CACHE.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            Path cache = CACHE.resolve(
                    Files.readString(HOME.resolve("lib/millrace.jar.sha256")).strip() + ".aot");
            if (!Files.exists(cache)) {
                Path folder = Files.createTempDirectory("warm");
                ProcessBuilder builder = new ProcessBuilder(
                                launcher(), "sample", "--server.port=0", FEW_TRADES, "--exit-when-done")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
                builder.environment()
                        .putAll(Map.of(
                                "MILLRACE_JAVA_HOME", System.getProperty("java.home"),
                                "MILLRACE_CACHE", CACHE.toString(),
                                "MILLRACE_LOGS", folder.toString(),
                                "JAVA_OPTS", FAST + " -XX:AOTCacheOutput=" + cache));
                int code = builder.start().waitFor();
                assertThat(code).as(Files.readString(folder.resolve("log"))).isZero();
            }
            return FAST + " -Xlog:aot*=off -XX:AOTCache=" + cache;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MillraceProcess launch(
            Path folder, List<String> program, Map<String, String> variables, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "run", ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("MILLRACE_JAVA_HOME", System.getProperty("java.home"));
        environment.put("MILLRACE_CACHE", CACHE.toString());
        environment.put("MILLRACE_LOGS", folder.resolve("logs").toString());
        environment.putAll(variables);
        return new MillraceProcess(builder.start(), output);
    }

    /** Runs it to its end and returns the exit code. */
    public static int run(Path folder, String... arguments) throws IOException, InterruptedException {
        try (MillraceProcess millrace = start(folder, arguments)) {
            return millrace.exitCode();
        }
    }

    /** Waits for its end. */
    public int exitCode() throws IOException, InterruptedException {
        if (!process.waitFor(TestTimeout.MAX)) {
            throw new AssertionError("still runs:\n" + output());
        }
        return process.exitValue();
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the path of a file as the process sees it, for a file system of its own. */
    public Path seen(Path file) {
        return Path.of("/proc/" + process.pid() + "/root" + file.toAbsolutePath());
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Asks it to end, as a service manager does, and waits for that. */
    public void stop() throws IOException, InterruptedException {
        process.destroy();
        exitCode();
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends it a signal, such as {@code STOP} or {@code CONT}. */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Everything it has printed. */
    public String output() throws IOException {
        return Files.readString(output);
    }

    /** The body of a page; null while the service does not answer yet. */
    public @Nullable String get(String path) throws IOException, InterruptedException {
        URI uri = uri(path);
        if (uri == null) {
            return null;
        }
        return HTTP.send(HttpRequest.newBuilder(uri).timeout(TestTimeout.MAX).build(), BodyHandlers.ofString())
                .body();
    }

    /** Returns the body of a page; empty while the service does not answer, whether or not it has started or ended. */
    public String page(String path) {
        try {
            return Objects.requireNonNullElse(get(path), "");
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Changes how fast the feed of a pipeline is read, as {@code {"rate":0}} does, or pauses it. */
    public void replay(String pipeline, String change) throws IOException, InterruptedException {
        HttpResponse<String> response =
                send("PUT", "/api/pipelines/" + pipeline + "/replay", "application/json", change);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    /** Waits until a page contains a text, and fails if the process ends before. */
    public void awaitText(String path, String text) throws IOException {
        try {
            assertThat(await().until(() -> page(path), page -> page.contains(text) || !alive()))
                    .contains(text);
        } catch (ConditionTimeoutException | AssertionError e) {
            throw new AssertionError(path + " does not contain " + text + ":\n" + output(), e);
        }
    }

    /**
     * Sends a request and returns the response.
     *
     * @throws IOException if the service does not answer
     */
    public HttpResponse<String> send(String method, String path, String contentType, String body)
            throws IOException, InterruptedException {
        URI uri = uri(path);
        if (uri == null) {
            throw new IOException("The service does not listen yet.");
        }
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(TestTimeout.MAX)
                .header("Content-Type", contentType)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HTTP.send(request, BodyHandlers.ofString());
    }

    /** Where a path of its HTTP interface is; null while the service does not listen yet. */
    public @Nullable URI uri(String path) throws IOException {
        if (port == null) {
            Matcher printed = PORT.matcher(output());
            port = printed.find() ? printed.group(1) : null;
        }
        return port == null ? null : URI.create("http://127.0.0.1:" + port + path);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
