package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.millrace.TestBudget;
import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.web.HostileRequests.Request;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running service under requests of all operations that were made from valid ones by faults: each has a result, or is
 * refused by a problem detail. Rules that are accepted are really applied.
 *
 * <p>{@code -Dmillrace.fuzz.requests=100000} sends so many, and then also bounds the CPU time of each;
 * {@code -Dmillrace.fuzz.seed} sends others. A finding states the seed of its request. Prints the number of responses
 * of each kind, and the request that took the most CPU time.
 */
class HostileRequestsTest {

    private static final int REQUESTS = Integer.getInteger("millrace.fuzz.requests", TestBudget.of(2_000));
    private static final boolean LONG_RUN = System.getProperty("millrace.fuzz.requests") != null;
    private static final long SEED = Long.getLong("millrace.fuzz.seed", TestBudget.seed());
    private static final int MAX_FINDINGS = 20;
    private static final long MAX_CPU_NANOS = 5_000_000_000L;

    private static final String RULES = """
            steps:
              - set: { notional: amount1 * exchangeRate }
              - measure: { name: sales, by: id % 3 as shop, every: 1s, values: { sales: count(), mean: avg(amount1) } }
              - to: made
            """;
    private static final String CONFIG = """
            millrace:
              data: FOLDER/data
              tables:
                shops: { file: FOLDER/shops.csv, key: id }
                latest: { region: keyed, key: id, schema: trade }
              regions:
                made: { layout: blocks, retain: { age: 1m } }
                keyed: { layout: entries, key: id }
              pipelines:
                live:
                  feed: { generator: { rate: 200 } }
                  schema: trade
            RULES
                few:
                  feed: { generator: { count: 20, seed: 42 } }
                  schema: trade
                  steps:
                    - to: keyed
            """;

    /** Nothing of the implementation belongs into a response. */
    private static final Pattern INTERNALS =
            Pattern.compile("\\w+(Exception|\\w\\.\\w+Error)\\b|\\tat |springframework|"
                    + "io\\.netty|reactor\\.|jackson|snakeyaml|io\\.millrace\\.|java\\.\\w+\\.");

    private static final Pattern WORKER = Pattern.compile("(request|answer|reactor-http|boundedElastic)-.*");

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int IDLE_CHECK_MS = 200;

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static OpenApiDocument document;

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** By what they have in common, one of each. */
    private final Map<String, String> findings = new TreeMap<>();

    private final Map<String, Integer> counts = new TreeMap<>();

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(folder.resolve("shops.csv"), "id,town\n0,Ulm\n1,\n");
        Path config = Files.writeString(
                folder.resolve("config.yml"),
                CONFIG.replace("RULES", RULES.indent(6)).replace("FOLDER", folder.toString()));
        context = SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
        document = new OpenApiDocument(json(get("/api/openapi.json")));
        await().until(() -> read("live") > 0);
    }

    @AfterAll
    static void end() {
        context.close();
    }

    @Test
    void shouldAnswerOrRefuseAnyRequest() throws Exception {
        HostileRequests requests = new HostileRequests(document);
        long mostNanos = 0;
        String mostExpensive = "";
        for (long seed = SEED; seed < SEED + REQUESTS && findings.size() < MAX_FINDINGS; seed++) {
            Request request = requests.request(seed);
            long before = workerNanos();
            HttpResponse<String> response = send(request);
            long nanos = workerNanos() - before;
            if (nanos > mostNanos) {
                mostNanos = nanos;
                mostExpensive = "seed=" + seed + " " + request;
            }
            String wrong = wrong(request.operation(), response);
            counts.merge(request.operation() + " " + response.statusCode(), 1, Integer::sum);
            if (wrong != null) {
                findings.putIfAbsent(
                        request.operation() + " " + wrong.substring(0, Math.min(60, wrong.length())),
                        wrong + "\nto seed=" + seed + " " + request);
            }
            if (request.operation().startsWith("PUT ") && response.statusCode() == 200) {
                setRate(); // Without a limit, the generator would use a processor.
            }
        }
        System.out.println("hostile requests: " + counts + "\nnanos=" + mostNanos + " " + mostExpensive);
        if (LONG_RUN) {
            assertThat(mostNanos).as(mostExpensive).isLessThan(MAX_CPU_NANOS);
        }

        assertThat(findings.values()).isEmpty();
        assertThat(get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        await().untilAsserted(() -> assertThat(busyThreads()).isEmpty());
        requireRunning();
    }

    /** Rules that were accepted have not stopped a pipeline, which takes others and continues. */
    private static void requireRunning() throws Exception {
        assertThat(json(get("/api/pipelines")))
                .extracting(pipeline -> pipeline.path("state").stringValue())
                .doesNotContain("failed");
        HttpRequest.Builder rules = request("/api/pipelines/live/rules")
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(RULES));
        HttpResponse<String> response = HTTP.send(rules.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        long before = read("live");
        await().until(() -> read("live") > before);
    }

    private static void setRate() throws Exception {
        HttpRequest.Builder rate = request("/api/pipelines/live/replay")
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"rate\":200,\"paused\":false}"));
        assertThat(HTTP.send(rate.build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    /** Returns what is wrong with a response; null for nothing. */
    private static @Nullable String wrong(String operation, HttpResponse<String> response) {
        int status = response.statusCode();
        String type = response.headers().firstValue("Content-Type").orElse("").split(";", 2)[0];
        String all = status + " " + type + " " + response.body();
        boolean documented = document.statuses(operation).contains(String.valueOf(status));
        if (status / 100 != 2 && status / 100 != 4 && !documented) {
            return all;
        }
        if (status >= 400) {
            JsonNode problem =
                    JsonMapper.shared().readTree(type.equals("application/problem+json") ? response.body() : "{}");
            boolean named = problem.path("status").asInt(0) == status
                    && !problem.path("code").asString("").isBlank()
                    && !problem.path("title").asString("").isBlank()
                    && document.errors(problemSchema(), problem).isEmpty();
            return named && !INTERNALS.matcher(response.body()).find() ? null : all;
        }
        JsonNode content = document.content(operation, status, type);
        return content == null
                        || !type.endsWith("json")
                        || document.errors(content.path("schema"), json(response))
                                .isEmpty()
                ? null
                : all;
    }

    /** Returns the CPU time of the threads that work for requests. One that ends meanwhile makes it smaller. */
    private static long workerNanos() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(thread ->
                        thread != null && WORKER.matcher(thread.getThreadName()).matches())
                .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getThreadId()))
                .sum();
    }

    private static JsonNode problemSchema() {
        return JsonMapper.shared().createObjectNode().put("$ref", "#/components/schemas/Problem");
    }

    /** Returns the stacks of threads, but this one, that use more than half of a processor. */
    private static Map<String, String> busyThreads() throws InterruptedException {
        Map<Long, Long> before = new TreeMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            before.put(id, THREADS.getThreadCpuTime(id));
        }
        long started = System.nanoTime();
        Thread.sleep(IDLE_CHECK_MS);
        long elapsed = System.nanoTime() - started;
        Map<String, String> busy = new TreeMap<>();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            long used = THREADS.getThreadCpuTime(thread.threadId()) - before.getOrDefault(thread.threadId(), 0L);
            if (!thread.equals(Thread.currentThread()) && used > elapsed / 2) {
                busy.put(thread.getName(), Arrays.toString(stack));
            }
        });
        return busy;
    }

    private static HttpResponse<String> send(Request request) throws Exception {
        HttpRequest.Builder http = request("/api" + request.path())
                .method(
                        request.method(),
                        request.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(request.body()));
        for (int i = 0; i < request.headers().size(); i += 2) {
            http.header(request.headers().get(i), request.headers().get(i + 1));
        }
        return HTTP.send(http.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private static long read(String pipeline) throws Exception {
        return json(get("/api/pipelines/" + pipeline)).path("in").asLong();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(request(path).build(), BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }

    private static HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TestTimeout.MAX);
    }
}
