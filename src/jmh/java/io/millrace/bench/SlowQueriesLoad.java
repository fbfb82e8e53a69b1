package io.millrace.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What slow queries cost the others: the packaged jar with a heap of 1 GB, a region of 5,000,000 trades, and a pipeline
 * that receives 20,000 records a second. A client requests liveness every 20 ms, and another one sends queries with
 * 2,000 keys in {@code orderBy}, which are refused. First nobody else sends requests; then clients repeat a query that
 * scans all trades.
 *
 * <pre>./mvnw -Pbench verify -Dbench.main=io.millrace.bench.SlowQueriesLoad -Dbench="60 25 8"</pre>
 *
 * The arguments are clients, seconds of each of the two parts, and {@code millrace.query.max-concurrent}.
 */
public final class SlowQueriesLoad implements AutoCloseable {

    private static final String CONFIGURATION = """
            millrace:
              regions:
                trades: { layout: blocks }
                ingest: { layout: blocks, retain: { size: 64MB } }
              pipelines:
                stored: { feed: { generator: { count: 5000000 } }, schema: trade, steps: [ { to: trades } ] }
                ingest:
                  feed: { generator: { rate: 20000, count: 100000000 } }
                  schema: trade
                  steps: [ { to: ingest } ]
            """;

    private static final String RECORDS = "/api/regions/trades/records?limit=10&orderBy=";
    private static final String SLOW_QUERY = RECORDS
            + encoded("exchangeRate, amount1 desc")
            + "&where="
            + encoded("currency1 matches '.*[A-F].' and amount1 * exchangeRate > 0");
    private static final String REFUSED_QUERY =
            RECORDS + encoded(IntStream.range(0, 2000).mapToObj(key -> "id").collect(Collectors.joining(",")));

    private static final Pattern PORT = Pattern.compile("Netty started on port (\\d+)");
    private static final double MILLISECOND_NANOS = 1e6;
    private static final int LIVENESS_MILLIS = 20;
    private static final int REFUSED_MILLIS = 500;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final String origin;

    private SlowQueriesLoad(String maxConcurrent) throws IOException {
        Path folder = Files.createTempDirectory("slow-queries");
        Files.writeString(folder.resolve("config.yml"), CONFIGURATION);
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx1g",
                        "-jar",
                        Path.of("target/millrace.jar").toAbsolutePath().toString(),
                        "config.yml",
                        "--server.port=0",
                        "--millrace.query.max-concurrent=" + maxConcurrent)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        BufferedReader log = process.inputReader(StandardCharsets.UTF_8);
        String line = log.readLine();
        while (line != null && !PORT.matcher(line).find()) {
            line = log.readLine();
        }
        if (line == null) {
            throw new IOException("the service ended");
        }
        Matcher port = PORT.matcher(line);
        port.find();
        origin = "http://127.0.0.1:" + port.group(1);
        Thread.ofVirtual().start(() -> log.lines().forEach(_ -> {}));
    }

    static void main(String[] args) throws Exception {
        int clients = Integer.parseInt(args[0]);
        int seconds = Integer.parseInt(args[1]);
        try (SlowQueriesLoad load = new SlowQueriesLoad(args[2])) {
            while (!load.pipeline("stored").path("state").asString().equals("done")) {
                Thread.sleep(100);
            }
            load.run(0, seconds);
            load.run(clients, seconds);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private JsonNode pipeline(String name) throws IOException, InterruptedException {
        return new JsonMapper().readTree(get("/api/pipelines/" + name).body());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(origin + path)).build(), BodyHandlers.ofString());
    }

    private void run(int clients, int seconds) throws Exception {
        Queue<Long> liveness = new ConcurrentLinkedQueue<>();
        Queue<Long> refused = new ConcurrentLinkedQueue<>();
        Queue<Long> queries = new ConcurrentLinkedQueue<>();
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        long received = pipeline("ingest").path("in").asLong();
        List<Future<@Nullable Void>> senders = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            senders.add(
                    executor.submit(() -> repeat("/actuator/health/liveness", 200, LIVENESS_MILLIS, end, liveness)));
            senders.add(executor.submit(() -> repeat(REFUSED_QUERY, 400, REFUSED_MILLIS, end, refused)));
            for (int client = 0; client < clients; client++) {
                senders.add(executor.submit(() -> repeat(SLOW_QUERY, 200, 0, end, queries)));
            }
        }
        for (Future<@Nullable Void> sender : senders) {
            sender.get();
        }
        received = pipeline("ingest").path("in").asLong() - received;
        double elapsedSeconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT, "%nwith %d clients, ingest: %,.0f records a second%n", clients, received / elapsedSeconds);
        print("liveness", liveness);
        print("refused query", refused);
        print("slow query", queries);
    }

    /** Sends requests, one after the other with a pause, and adds the nanoseconds that each takes. */
    private @Nullable Void repeat(String path, int status, int pauseMillis, long end, Queue<Long> times)
            throws IOException, InterruptedException {
        while (System.nanoTime() < end) {
            long start = System.nanoTime();
            HttpResponse<String> response = get(path);
            times.add(System.nanoTime() - start);
            if (response.statusCode() != status) {
                throw new IOException("status " + response.statusCode() + ": " + response.body());
            }
            Thread.sleep(pauseMillis);
        }
        return null;
    }

    private static void print(String what, Queue<Long> nanos) {
        if (nanos.isEmpty()) {
            return;
        }
        double[] millis = nanos.stream()
                .mapToDouble(time -> time / MILLISECOND_NANOS)
                .sorted()
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "%s: %d, median %.1f ms, 99%% %.1f ms, longest %.1f ms%n",
                what,
                millis.length,
                millis[millis.length / 2],
                millis[millis.length * 99 / 100],
                Arrays.stream(millis).max().orElseThrow());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        http.close();
    }
}
