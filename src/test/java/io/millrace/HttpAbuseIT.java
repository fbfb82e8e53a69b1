package io.millrace;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.AbuseCorpus.Kind;
import io.millrace.AbuseCorpus.Request;
import io.millrace.RawConnection.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The service on a small heap under hostile requests of every kind: it refuses each by a named problem or answers it,
 * stays alive, and holds nothing afterwards.
 *
 * <p>{@code -Dmillrace.abuse.requests=100000} sends so many in each run, and then waits once until idle threads have
 * ended; {@code -Dmillrace.abuse.seed} sends others. Prints the results.
 */
@Tag("long")
class HttpAbuseIT {

    private static final int REQUESTS = Integer.getInteger("millrace.abuse.requests", 500);
    private static final boolean LONG_RUN = System.getProperty("millrace.abuse.requests") != null;
    private static final long SEED = Long.getLong("millrace.abuse.seed", 1);
    /** How long the service waits for the rest of a request, in seconds. */
    private static final int PATIENCE = LONG_RUN ? 10 : 5;

    private static final int CLIENTS = 8;
    /** Connections that stay silent during the run. */
    private static final int SILENT = 200;

    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int MAX_FINDINGS = 20;
    private static final long HEAP_TOLERANCE = 6 << 20;
    private static final String PASSWORD = "correct horse battery staple";

    /** Of connections on which not all of a request comes, and those whose responses are not read. */
    private static final List<String> BEGINNINGS = List.of(
            "",
            "GET ",
            "GET / HTTP/1.1\r\nHost: loc",
            "PUT /api/pipelines/live/replay HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 100\r\n\r\n{",
            "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /api/live/history HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));

    /** The first ones, which the server closes. */
    private static final int UNFINISHED = 3;

    /** Nothing of the implementation belongs into a response that refuses a request. */
    private static final Pattern INTERNALS = Pattern.compile(
            "\\w+(Exception|Error)\\b|\\tat |org\\.springframework|io\\.netty|reactor\\.|io\\.millrace\\.[a-z]+\\.");

    private static final Pattern LIVE_BYTES = Pattern.compile("Total +\\d+ +(\\d+)");

    /** Threads of bounded pools, which end after a minute without work: only long runs wait for it, and only once. */
    private static final Pattern POOLED = Pattern.compile("(request|answer|boundedElastic)-.*");

    /** Maximum number of threads in these pools: 16, the concurrent queries, and 10 for each processor. */
    private static final int MAX_POOLED = 16 + 8 + 10 * Runtime.getRuntime().availableProcessors();

    @TempDir
    Path folder;

    private final Map<String, AtomicLong> counts = new ConcurrentSkipListMap<>();
    /** By what they have in common, one of each. */
    private final Map<String, String> findings = new ConcurrentSkipListMap<>();

    @Test
    void shouldAnswerOrRefuseAnyRequestWithoutUsers() throws Exception {
        abuse(LONG_RUN, List.of());
    }

    @Test
    void shouldAnswerOrRefuseAnyRequestWithUsers() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), PASSWORD);
        List<String> arguments = new ArrayList<>();
        List<String> authorizations = new ArrayList<>();
        for (String role : List.of("viewer", "operator", "admin")) {
            arguments.add("--millrace.security.users." + role + ".role=" + role);
            arguments.add("--millrace.security.users." + role + ".password-file=" + secret);
            authorizations.addAll(Collections.nCopies(6, basic(role, PASSWORD)));
        }
        // Each takes a bcrypt of a processor.
        authorizations.add(basic("admin", "a wrong password"));
        abuse(false, authorizations, arguments.toArray(String[]::new));
    }

    /** Each holds most of the longest request line in direct memory, of which the process has as much as heap. */
    @Test
    void shouldAnswerOthersWhileAnAddressSendsUnfinishedRequestLines() throws Exception {
        byte[] unfinished = ("GET /" + "a".repeat(60_000)).getBytes(StandardCharsets.US_ASCII);
        Files.writeString(folder.resolve("config.yml"), "millrace.regions.all: { layout: blocks, schema: trade }\n");
        try (MillraceProcess millrace =
                MillraceProcess.startWithHeap(folder, "300m", "config.yml", "--server.port=0")) {
            int port = port(millrace);
            List<RawConnection> connections = new ArrayList<>();
            try {
                for (int i = 0; i < 4_000; i++) {
                    RawConnection connection =
                            new RawConnection(InetAddress.ofLiteral("127.0.0.9"), port, TIMEOUT_MILLIS);
                    connections.add(connection);
                    try {
                        connection.send(unfinished);
                    } catch (IOException e) {
                        count("closed");
                    }
                    if (i % 100 == 0) {
                        requireAlive(port);
                    }
                }
                requireAlive(port);
            } finally {
                for (RawConnection connection : connections) {
                    connection.close();
                }
            }
            requireAlive(port);
            assertThat(millrace.output()).doesNotContain("OutOfDirectMemoryError");
        }
    }

    private static void requireAlive(int port) throws IOException {
        try (RawConnection connection = new RawConnection(InetAddress.ofLiteral("127.0.0.7"), port, TIMEOUT_MILLIS)) {
            connection.send("GET /actuator/health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            Response response = Objects.requireNonNull(connection.read(false));
            assertThat(response.status()).isEqualTo(200);
        }
    }

    @Test
    void shouldServeThePageWhileRequestsForItAreAborted() throws Exception {
        byte[] request =
                "GET /js/views/rules.js HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        Files.writeString(folder.resolve("config.yml"), "millrace.regions.all: { layout: blocks, schema: trade }\n");
        try (MillraceProcess millrace = MillraceProcess.start(folder, "config.yml", "--server.port=0")) {
            int port = port(millrace);
            // Without a limit, each request would wait until the service has accepted all aborted connections before
            // it.
            Semaphore aborts = new Semaphore(0);
            AtomicBoolean ended = new AtomicBoolean();
            List<Thread> aborting = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                aborting.add(Thread.startVirtualThread(() -> {
                    while (!ended.get()) {
                        aborts.acquireUninterruptibly();
                        try (RawConnection connection = new RawConnection(port, TIMEOUT_MILLIS)) {
                            connection.send(request);
                            connection.reset();
                        } catch (IOException e) {
                            count("not connected");
                        }
                    }
                }));
            }
            try {
                for (int i = 0; i < 1_000; i++) {
                    aborts.release(CLIENTS);
                    try (RawConnection connection = new RawConnection(port, TIMEOUT_MILLIS)) {
                        connection.send(request);
                        Response response = Objects.requireNonNull(connection.read(false));
                        assertThat(response.status()).as("request %s", i).isEqualTo(200);
                    }
                }
            } finally {
                ended.set(true);
                aborts.release(CLIENTS);
                for (Thread thread : aborting) {
                    thread.join();
                }
            }
        }
    }

    private static int port(MillraceProcess millrace) throws IOException {
        await().until(() -> millrace.uri("/") != null);
        await().until(() ->
                String.valueOf(millrace.get("/actuator/health/readiness")).contains("UP"));
        return Objects.requireNonNull(millrace.uri("/")).getPort();
    }

    private void abuse(boolean untilThreadsEnd, List<String> authorizations, String... arguments) throws Exception {
        Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  tables:
                    desks: { file: "classpath:samples/desks.csv", key: id }
                  regions:
                    buys: { layout: blocks }
                    last: { layout: entries, key: currency1 }
                  pipelines:
                    trades:
                      feed: { generator: { count: 30000 } }
                      schema: trade
                      steps:
                        - enrich: { table: desks, key: id % 100, add: { desk: name } }
                        - to: buys
                    live:
                      feed: { generator: { rate: 500 } }
                      schema: trade
                      steps:
                        - measure: { name: turnover, by: currency1, every: 1s, values: { sum: sum(amount1) } }
                        - to: last
                """);
        String[] all = Stream.concat(
                        Stream.of(
                                "config.yml",
                                "--server.port=0",
                                "--server.netty.idle-timeout=" + PATIENCE + "s",
                                "--millrace.web.request-timeout=" + PATIENCE + "s"),
                        Arrays.stream(arguments))
                .toArray(String[]::new);
        try (MillraceProcess millrace = MillraceProcess.startWithHeap(folder, "300m", all)) {
            int port = port(millrace);
            send(port, authorizations, SEED - 1, REQUESTS / 5); // fills caches and pools
            counts.clear();
            Usage before = usage(millrace, untilThreadsEnd);
            AtomicBoolean ended = new AtomicBoolean();
            Thread liveness = Thread.startVirtualThread(() -> checkLiveness(port, ended));
            List<RawConnection> silent = silent(port);
            long started = System.nanoTime();
            send(port, authorizations, SEED, REQUESTS);
            long seconds = (System.nanoTime() - started) / 1_000_000_000;
            for (int i = 0; i < SILENT; i++) {
                try (RawConnection connection = silent.get(i)) {
                    if (i % BEGINNINGS.size() < UNFINISHED) {
                        connection.awaitEnd();
                    }
                }
            }
            ended.set(true);
            liveness.join();
            assertThat(millrace.alive()).isTrue();
            await().untilAsserted(() -> {
                assertThat(sockets(millrace)).isLessThanOrEqualTo(before.sockets);
                assertThat(threads(millrace, untilThreadsEnd)).isLessThanOrEqualTo(before.threads);
                assertThat(threads(millrace, true) - threads(millrace, false)).isLessThanOrEqualTo(MAX_POOLED);
                assertThat(files(millrace)).isLessThanOrEqualTo(before.files);
            });
            Usage after = usage(millrace, untilThreadsEnd);
            System.out.println("abuse: users=" + !authorizations.isEmpty() + " requests=" + REQUESTS + " seconds="
                    + seconds + "\n" + counts + "\nbefore " + before + "\nafter " + after);
            String output = millrace.output();
            assertThat(findings.values()).isEmpty();
            assertThat(output).doesNotContain("LEAK: ");
            assertThat(after.liveBytes).isLessThan(before.liveBytes + HEAP_TOLERANCE);
        }
    }

    private void send(int port, List<String> authorizations, long seed, int requests) throws InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            AbuseCorpus corpus = new AbuseCorpus(seed * CLIENTS + i, authorizations);
            clients.add(Thread.ofPlatform().start(() -> send(port, corpus, requests / CLIENTS)));
        }
        for (Thread client : clients) {
            client.join();
        }
    }

    private void send(int port, AbuseCorpus corpus, int requests) {
        RawConnection connection = null;
        Request previous = null;
        for (int i = 0; i < requests && findings.size() < MAX_FINDINGS; i++) {
            Request request = corpus.next();
            try {
                if (request.kind() != Kind.COMPLETE) {
                    sendAlone(port, request);
                    continue;
                }
                if (connection == null) {
                    previous = null;
                    connection = new RawConnection(port, TIMEOUT_MILLIS);
                }
                Response response = exchange(connection, request);
                check(request, response);
                previous = request;
                if (response == null || response.closes() || response.isEventStream() || response.status() >= 400) {
                    connection.close();
                    connection = null;
                }
            } catch (SocketTimeoutException e) {
                count("hangs");
                found("hangs after " + previous, request);
                connection = null;
            } catch (IOException e) {
                // Of a complete request as well: the server may close before it has read a body that it refuses.
                count("connection closed");
                if (request.kind() == Kind.COMPLETE && request.bytes().length < 20_000) {
                    found(e.toString(), request);
                }
                connection = null;
            } catch (RuntimeException e) {
                found(e.toString(), request);
                connection = null;
            }
        }
    }

    private static @Nullable Response exchange(RawConnection connection, Request request) throws IOException {
        connection.send(request.bytes());
        return connection.read(request.head());
    }

    private void sendAlone(int port, Request request) throws IOException {
        try (RawConnection connection = new RawConnection(port, TIMEOUT_MILLIS)) {
            connection.send(request.bytes());
            if (request.kind() == Kind.ABANDONED) {
                count("abandoned");
                connection.reset();
                return;
            }
            connection.endOutput();
            for (int i = 0; i < request.responses(); i++) {
                Response response = connection.read(false);
                check(request, response);
                if (response == null || response.isEventStream()) {
                    return;
                }
            }
            connection.awaitEnd();
        }
    }

    private void check(Request request, @Nullable Response response) {
        if (response == null) {
            count("closed without a response");
            if (request.kind() == Kind.COMPLETE) {
                found("no response", request);
            }
            return;
        }
        String code = "";
        String contentType = response.headers().getOrDefault("Content-Type", "");
        if (response.status() >= 400) {
            if (contentType.startsWith("application/problem+json")
                    && !response.body().isEmpty()) {
                JsonNode problem = JsonMapper.shared().readTree(response.body());
                code = " " + problem.path("code").asString("");
            }
            boolean named = !code.isBlank() || request.head() || refusedByServer(request, response);
            boolean allowed = response.status() < 500
                    || (response.status() == 503 && response.headers().containsKey("Retry-After"))
                    || code.equals(" timeout");
            if (!named || !allowed || INTERNALS.matcher(response.body()).find()) {
                found(response.status() + " " + response.headers() + " " + response.body(), request);
            }
        }
        count(response.status() + code);
    }

    /**
     * Returns whether the HTTP server itself refused a request whose head it could not read; or whose target is not a
     * URI, or Spring Boot's actuator: without a body.
     */
    private static boolean refusedByServer(Request request, Response response) {
        return response.body().isEmpty()
                && (request.kind() == Kind.MALFORMED
                        || response.closes()
                        || !request.hasValidTarget()
                        || request.target().contains("/actuator/"));
    }

    private void checkLiveness(int port, AtomicBoolean ended) {
        byte[] request =
                "GET /actuator/health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        try (RawConnection connection = new RawConnection(port, TIMEOUT_MILLIS)) {
            while (!ended.get()) {
                connection.send(request);
                Response response = connection.read(false);
                if (response == null || response.status() != 200) {
                    findings.put("liveness", String.valueOf(response));
                    return;
                }
                count("liveness");
                MILLISECONDS.sleep(10);
            }
        } catch (IOException | InterruptedException e) {
            findings.put("liveness", e.toString());
        }
    }

    private static List<RawConnection> silent(int port) throws IOException {
        List<RawConnection> silent = new ArrayList<>();
        for (int i = 0; i < SILENT; i++) {
            RawConnection connection = new RawConnection(port, TIMEOUT_MILLIS);
            connection.send(BEGINNINGS.get(i % BEGINNINGS.size()).getBytes(StandardCharsets.UTF_8));
            silent.add(connection);
        }
        return silent;
    }

    private void found(String what, Request request) {
        String kind = what.substring(0, Math.min(40, what.length())) + " " + request.target();
        findings.putIfAbsent(kind, what.substring(0, Math.min(1000, what.length())) + " to " + request);
    }

    private void count(String name) {
        counts.computeIfAbsent(name, _ -> new AtomicLong()).incrementAndGet();
    }

    private static String basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    private record Usage(long liveBytes, int threads, int files, int sockets) {}

    /** @param pooled whether to count threads of pools too */
    private static Usage usage(MillraceProcess millrace, boolean pooled) throws IOException, InterruptedException {
        long[] live = new long[3];
        for (int i = 0; i < live.length; i++) {
            live[i] = liveBytes(millrace);
        }
        Arrays.sort(live);
        return new Usage(live[1], threads(millrace, pooled), files(millrace), sockets(millrace));
    }

    /** Bytes of all objects that are reachable: the histogram collects garbage first. */
    private static long liveBytes(MillraceProcess millrace) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(millrace.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String histogram = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jcmd.waitFor()).isZero();
        Matcher total = LIVE_BYTES.matcher(histogram);
        assertThat(total.find()).isTrue();
        return Long.parseLong(total.group(1));
    }

    private static int threads(MillraceProcess millrace, boolean pooled) throws IOException {
        int threads = 0;
        for (Path thread : list("/proc/" + millrace.pid() + "/task")) {
            try {
                String name = Files.readString(thread.resolve("comm")).strip();
                threads += pooled || !POOLED.matcher(name).matches() ? 1 : 0;
            } catch (IOException e) {
                // ended meanwhile
            }
        }
        return threads;
    }

    private static int files(MillraceProcess millrace) throws IOException {
        return list("/proc/" + millrace.pid() + "/fd").size();
    }

    private static int sockets(MillraceProcess millrace) throws IOException {
        int sockets = 0;
        for (Path file : list("/proc/" + millrace.pid() + "/fd")) {
            try {
                sockets += Files.readSymbolicLink(file).toString().startsWith("socket:") ? 1 : 0;
            } catch (IOException e) {
                // closed meanwhile
            }
        }
        return sockets;
    }

    private static List<Path> list(String folder) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.toList();
        }
    }
}
