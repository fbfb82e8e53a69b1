package io.millrace.bench;

import io.millrace.Millrace;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.GeodeOptions;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A locator and two servers, each a process of this machine with the class path of this one. */
final class ClusterProcesses implements AutoCloseable {

    /** The service's own default. */
    static final int PUTS_IN_FLIGHT = 4;

    private static final String HOST = "127.0.0.1";
    private static final int SECONDS = 120;

    private final Path folder;
    private final int locatorPort;
    private final List<Process> processes = new ArrayList<>();

    /**
     * Starts them; each server of a configuration, with a heap of one size.
     *
     * @param configuration that tells the regions
     * @param heap such as {@code -Xmx2g}
     */
    ClusterProcesses(Path configuration, String heap) throws IOException, InterruptedException {
        folder = Files.createTempDirectory(W1Data.FOLDER.toAbsolutePath(), "cluster");
        locatorPort = freePort();
        try {
            start("locator", "-Xmx256m", freePort(), "locator", "--millrace.geode.port=" + locatorPort);
            List<Integer> servers = List.of(freePort(), freePort());
            for (int http : servers) {
                start(
                        "server-" + http,
                        heap,
                        http,
                        "server",
                        configuration.toAbsolutePath().toString(),
                        "--millrace.geode.port=" + freePort());
            }
            for (int http : servers) {
                awaitReady(http);
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void start(String name, String heap, int http, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of(heap, "-cp", System.getProperty("java.class.path"), Millrace.class.getName()));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "--millrace.geode.locators=" + HOST + ":" + locatorPort,
                "--millrace.geode.name=" + name,
                "--millrace.geode.bind-address=" + HOST,
                "--millrace.data=" + folder.resolve(name),
                "--spring.docker.compose.enabled=false", // the class path contains the library, and the folder a file
                "--server.port=" + http));
        processes.add(new ProcessBuilder(command)
                .directory(Path.of("").toAbsolutePath().toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(folder.resolve(name + ".log").toFile()))
                .start());
    }

    private void awaitReady(int http) throws IOException, InterruptedException {
        URI readiness = URI.create("http://" + HOST + ":" + http + "/actuator/health/readiness");
        try (HttpClient client = HttpClient.newHttpClient()) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (status(client, readiness) != 200) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("not ready: see the logs in " + folder);
                }
                Thread.sleep(100);
            }
        }
    }

    private static int status(HttpClient client, URI uri) throws InterruptedException {
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** What a client of it needs. */
    GeodeOptions client(int putsInFlight) {
        return GeodeOptions.client(new ClusterOptions(
                null,
                List.of(new Address(HOST, locatorPort)),
                Map.of(),
                null,
                null,
                0,
                Duration.ofSeconds(30),
                null,
                null,
                null,
                Map.of(),
                0,
                putsInFlight,
                ClusterOptions.DEFAULT_TAKEOVER_AFTER));
    }

    /** CPU time that all of them have taken, in nanoseconds. */
    long cpuNanos() {
        return processes.stream()
                .mapToLong(process ->
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
