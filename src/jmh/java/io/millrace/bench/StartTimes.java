package io.millrace.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long commands and services take to start: from the packaged jar, from the distribution, and from the distribution
 * with warm caches. Each round runs all of them, one after the other. At the end it prints the best and the median
 * wall-clock and processor time.
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.StartTimes -Dbench="10 former.jar"</pre>
 *
 * The first argument is the number of rounds. One round more, at first, is not counted. The second one is optional: the
 * packaged jar of another version, which each round starts too. {@code check} and {@code explain} read the example
 * {@code trades.yml}. A pipeline is measured until its first 1,000 records are stored; members of a cluster until they
 * are ready, polled every 20 ms.
 */
public final class StartTimes {

    private static final String CONFIGURATION = """
            millrace:
              regions: { all: { layout: blocks } }
              pipelines:
                trades: { feed: { generator: { count: 1000 } }, schema: trade, steps: [ { to: all } ] }
            """;

    /** Prints the processor time of a command that ends, in user and system mode. */
    private static final List<String> TIMED =
            List.of("bash", "-c", "TIMEFORMAT='%U %S'; time \"$@\" > /dev/null", "bash");

    private static final double SECOND_NANOS = 1e9;
    private static final int POLL_MILLIS = 20;
    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 32_000;
    private static final int MAX_ATTEMPTS = 100;
    private static final int LONGEST_SECONDS = 60;

    private final Path folder = Files.createTempDirectory("start");
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, List<double[]>> seconds = new LinkedHashMap<>();
    private final Path home;
    private final @Nullable Path former;

    private StartTimes(Path home, @Nullable Path former) throws IOException {
        this.home = home;
        this.former = former;
    }

    /** The ways in which Millrace is started. */
    private enum Way {
        FORMER_JAR,
        PACKAGED_JAR,
        DISTRIBUTION,
        WARM
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        try (Stream<Path> files = Files.walk(Path.of("target"), 2)) {
            Path home = files.filter(file -> Files.isExecutable(file.resolve("bin/millrace")))
                    .findFirst()
                    .orElseThrow(() -> new IOException("No distribution found in target. Run ./mvnw package."));
            Path former = args.length > 1 ? Path.of(args[1]).toAbsolutePath() : null;
            new StartTimes(home.toAbsolutePath(), former).run(rounds);
        }
    }

    private void run(int rounds) throws Exception {
        Files.writeString(folder.resolve("config.yml"), CONFIGURATION);
        // The earlier version has no files of its jar as tables.
        Files.writeString(
                folder.resolve("trades.yml"),
                Files.readString(Path.of("examples/trades.yml")).replace("classpath:samples/", ""));
        Files.copy(Path.of("examples/reference/desks.csv"), folder.resolve("desks.csv"));
        start(Way.WARM, "warm").waitFor();
        for (int round = 0; round <= rounds; round++) {
            for (Way way :
                    former == null ? EnumSet.complementOf(EnumSet.of(Way.FORMER_JAR)) : EnumSet.allOf(Way.class)) {
                untilEnd(way, "check", "trades.yml");
                untilEnd(way, "explain", "trades.yml");
                untilStored(way);
                members(way);
            }
            if (round == 0) {
                seconds.clear();
            }
        }
        System.out.printf("%-30s %22s %22s%n", "seconds", "wall best / median", "CPU best / median");
        seconds.forEach((name, times) -> System.out.printf(
                Locale.ROOT,
                "%-30s %13.2f / %6.2f %13.2f / %6.2f%n",
                name,
                best(times, 0),
                median(times, 0),
                best(times, 1),
                median(times, 1)));
        http.close();
    }

    private static double best(List<double[]> times, int column) {
        return times.stream().mapToDouble(time -> time[column]).min().orElseThrow();
    }

    private static double median(List<double[]> times, int column) {
        double[] sorted =
                times.stream().mapToDouble(time -> time[column]).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private Process start(Way way, String... arguments) throws IOException {
        return start(List.of(), way, arguments);
    }

    private Process start(List<String> before, Way way, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(before);
        switch (way) {
            case FORMER_JAR -> command.addAll(jar(Objects.requireNonNull(former)));
            case PACKAGED_JAR ->
                command.addAll(jar(Path.of("target/millrace.jar").toAbsolutePath()));
            case DISTRIBUTION, WARM -> command.add(home.resolve("bin/millrace").toString());
        }
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("MILLRACE_JAVA_HOME", System.getProperty("java.home"));
        environment.put("MILLRACE_LOGS", folder.resolve("logs").toString());
        environment.put(
                "MILLRACE_CACHE",
                folder.resolve(way == Way.WARM ? "cache" : "no-cache").toString());
        return builder.start();
    }

    private static List<String> jar(Path file) {
        return List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(), "-jar", file.toString());
    }

    private void note(Way way, String what, long start, Duration processor) {
        String name = what + ", " + way.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        double[] times = {(System.nanoTime() - start) / SECOND_NANOS, processor.toNanos() / SECOND_NANOS};
        seconds.computeIfAbsent(name, _ -> new ArrayList<>()).add(times);
    }

    private static Duration processorTime(Process process) {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private void untilEnd(Way way, String command, String file) throws Exception {
        long start = System.nanoTime();
        Process process = start(TIMED, way, command, file);
        String times = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + times);
        }
        double processor = Stream.of(times.strip().split(" "))
                .mapToDouble(Double::parseDouble)
                .sum();
        note(way, command, start, Duration.ofNanos((long) (processor * SECOND_NANOS)));
    }

    private void untilStored(Way way) throws Exception {
        long start = System.nanoTime();
        Process process = start(way, "run", "config.yml", "--server.port=0", "--exit-when-done");
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            // The second text is that of earlier versions.
            while (line != null && !line.contains(" completed: in=") && !line.contains(": done after ")) {
                line = lines.readLine();
            }
            if (line == null) {
                throw new IOException("the service ended");
            }
            note(way, "run until stored", start, processorTime(process));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void members(Way way) throws Exception {
        int port = freePort();
        String cluster = "--millrace.geode.locators=127.0.0.1:" + port;
        String address = "--millrace.geode.bind-address=127.0.0.1";
        Process locator = member(way, "locator", cluster, address, "--millrace.geode.port=" + port);
        try {
            member(way, "server", "config.yml", cluster, address, "--millrace.geode.port=" + freePort())
                    .destroyForcibly()
                    .waitFor();
        } finally {
            locator.destroyForcibly().waitFor();
        }
    }

    /** Starts a member and returns it once it is ready. */
    private Process member(Way way, String role, String... arguments) throws Exception {
        int port = freePort();
        List<String> all = new ArrayList<>(List.of(role));
        all.addAll(List.of(arguments));
        all.add("--server.port=" + port);
        all.add("--millrace.data=" + Files.createTempDirectory(folder, role));
        long start = System.nanoTime();
        Process process = start(way, all.toArray(String[]::new));
        Thread.ofVirtual().start(() -> {
            try {
                process.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                // it was killed
            }
        });
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness"))
                .timeout(Duration.ofSeconds(LONGEST_SECONDS))
                .build();
        while (!isUp(request)) {
            if (!process.isAlive() || System.nanoTime() - start > LONGEST_SECONDS * SECOND_NANOS) {
                process.destroyForcibly();
                throw new IOException(role + " is not ready");
            }
            Thread.sleep(POLL_MILLIS);
        }
        note(way, role + " until ready", start, processorTime(process));
        return process;
    }

    private boolean isUp(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<Void> response = http.send(request, BodyHandlers.discarding());
            return response.statusCode() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    /** Returns a port that the operating system and Geode do not choose themselves until it is used. */
    private static int freePort() throws IOException {
        for (int attempt = 0; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (BindException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
