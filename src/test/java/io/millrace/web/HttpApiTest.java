package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.Injections;
import io.millrace.expression.Trades;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.ExpressionLimits;
import io.millrace.pipeline.TradeFile;
import io.millrace.pipeline.TradeFile.Trade;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole service over a real socket. */
class HttpApiTest {

    private static final List<Trade> TRADES = trades();
    private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    private static List<Trade> trades() {
        List<Trade> trades = new ArrayList<>(TradeFile.random(5_000, 11));
        trades.add(new Trade(5_001, 1, 0, 99, 1, 1, 1, 1, 1));
        return trades;
    }

    @BeforeAll
    static void start() throws Exception {
        Path file = TradeFile.write(folder.resolve("trades.bin"), TRADES);
        Path config = Files.writeString(folder.resolve("config.yml"), """
            millrace:
              regions:
                buys: { layout: blocks }
                sells: { layout: entries, key: id }
              pipelines:
                trades:
                  feed: { file: %s }
                  schema: trade
                  steps:
                    - route:
                        - { when: buySell == 'Buy', to: buys }
                        - { otherwise: sells }
            """.formatted(file));
        context = SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
        http = HttpClient.newHttpClient();
        await().until(() -> body("/api/pipelines/trades").contains("\"state\":\"done\""));
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    @Test
    void shouldReportWhatAPipelineHasDone() throws Exception {
        long buys = TRADES.stream().filter(Trade::buy).count() - 1;
        assertThat(body("/api/pipelines"))
                .startsWith("[{\"name\":\"trades\"")
                .contains("\"in\":5001", "\"kept\":5000", "\"rejected\":1", "\"dropped\":0", "\"inFlight\":0")
                .contains("\"position\":" + 5_001 * 39, "\"lag\":0")
                .contains("\"keptByRegion\":{\"buys\":" + buys)
                .contains("\"name\":\"trades.1-route\",\"kind\":\"route\",\"in\":5000");
    }

    /** Those that no controller sees included, and whatever a client accepts. */
    @ParameterizedTest
    @CsvSource({
        "GET,    /api/nothing,                  text/event-stream, 404, not-found",
        "GET,    /api/pipelines/trade,          text/event-stream, 404, unknown-pipeline",
        "GET,    /api/pipelines/trade,          ;;;,               406, not-acceptable",
        "GET,    /api/pipelines/trade,          'a/b,\"\"\"\"\"\"\"\"\" a c/d', 406, not-acceptable",
        "GET,    /api/regions/buys/records?where=8e, */*,          400, MR1001",
        "GET,    /api/pipelines,                */*;q=2,           406, not-acceptable",
        "GET,    /api/regions/%ff%fe,           */*,               400, bad-request",
        "GET,    /actuator/health/a/%ff%fe,     */*,               400, bad-request",
        "GET,    /api/regions/buys/records?limit=x&orderBy&select, */*, 400, bad-query",
        "GET,    /api/regions/buys,             application/xml,   406, not-acceptable",
        "GET,    /api/regions/buys,             ;;;,               406, not-acceptable",
        "DELETE, /api/regions/buys,             */*,               405, method-not-allowed",
        "TRACE,  /api/regions/buys,             */*,               400, bad-request",
        "GET,    /api/regions/buys%00,          */*,               400, bad-request",
        "PUT,    /api/pipelines/trades/replay,    */*,               415, unsupported-media-type",
        "GET,    /api/measures/m?limit=many,    */*,               400, bad-query"
    })
    void shouldNameEachRefusal(String method, String path, String accept, int status, String code) throws Exception {
        HttpResponse<String> refused = http.send(
                HttpRequest.newBuilder(uri(path))
                        .method(method, BodyPublishers.ofString(method.equals("PUT") ? "x" : ""))
                        .header("Accept", accept)
                        .build(),
                BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(JsonMapper.shared().readTree(refused.body()).at("/code").stringValue())
                .isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=-", "bytes=5-1", "bytes=99999999-", "bytes=0-0,2-2", "nothing"})
    void shouldSendAllOfAFileWhateverRangeIsAskedFor(String range) throws Exception {
        HttpResponse<String> all = http.send(
                HttpRequest.newBuilder(uri("/sign-in.html"))
                        .header("Range", range)
                        .timeout(TestTimeout.MAX)
                        .build(),
                BodyHandlers.ofString());
        assertThat(all.statusCode()).isEqualTo(200);
        assertThat(all.body()).endsWith("</html>\n");
    }

    @Test
    void shouldExplainExpressionsWithTheCountsOfTheirPipeline() throws Exception {
        long buys = TRADES.stream().filter(Trade::buy).count() - 1;
        JsonNode step = JsonMapper.shared()
                .readTree(body("/api/pipelines/trades/explain"))
                .at("/steps/0");
        JsonNode counted =
                JsonMapper.shared().readTree(body("/api/pipelines/trades")).at("/steps/0");
        assertThat(step.at("/in").longValue()).isEqualTo(5_000);
        assertThat(step.at("/nanosPerRecord").doubleValue()).isPositive();
        for (String property : counted.propertyNames()) {
            assertThat(step.get(property)).as(property).isEqualTo(counted.get(property));
        }
        assertThat(step.at("/codeBytes").intValue()).isBetween(1, 8_000);
        JsonNode when = step.at("/expressions/0");
        assertThat(when.at("/role").stringValue()).isEqualTo("when");
        assertThat(when.at("/target").stringValue()).isEqualTo("buys");
        assertThat(when.at("/form").stringValue()).isEqualTo("(eq buySell code:0)");
        assertThat(when.at("/reads/0/offset").intValue()).isEqualTo(10);
        assertThat(when.at("/constants/0/meaning").stringValue()).isEqualTo("'Buy'");
        assertThat(when.at("/in").longValue()).isEqualTo(5_000);
        assertThat(when.at("/out").longValue()).isEqualTo(buys);
        JsonNode otherwise = step.at("/expressions/1");
        assertThat(otherwise.at("/in").longValue()).isEqualTo(5_000 - buys);
        assertThat(otherwise.at("/out").longValue()).isEqualTo(5_000 - buys);
    }

    @Test
    void shouldReportHowMuchARegionHolds() throws Exception {
        long buys = TRADES.stream().filter(Trade::buy).count() - 1;
        assertThat(body("/api/regions/buys")).contains("\"records\":" + buys, "\"layout\":\"blocks\"");
        assertThat(body("/api/regions/sells")).contains("\"entries\":" + (5_000 - buys), "\"layout\":\"entries\"");
        assertThat(body("/api/regions")).contains("\"name\":\"buys\"", "\"name\":\"sells\"");
    }

    @Test
    void shouldAnswerTheCheapestPoundsForDollars() throws Exception {
        Trade cheapest = TRADES.stream()
                .filter(trade -> trade.buy() && trade.currency1() == 5 && trade.currency2() == 7)
                .min(Comparator.comparingDouble(Trade::rate))
                .orElseThrow();
        String answer = body("/api/regions/buys/records?limit=1&orderBy=exchangeRate&where="
                + encoded("currency1 == 'GBP' and currency2 == 'USD'"));
        assertThat(answer)
                .contains("\"id\":" + cheapest.id() + ",", "\"currency1\":\"GBP\"", "\"currency2\":\"USD\"")
                .contains("\"amount1\":" + BigDecimal.valueOf(cheapest.cents1(), 2))
                .containsOnlyOnce("\"id\":");
    }

    @Test
    void shouldAskEntriesAsWell() throws Exception {
        Trade first = TRADES.stream().filter(trade -> !trade.buy()).findFirst().orElseThrow();
        assertThat(body("/api/regions/sells/records?select=id,buySell&where=" + encoded("id == " + first.id())))
                .contains("[{\"id\":" + first.id() + ",\"buySell\":\"Sell\"}]");
    }

    @Test
    void shouldShowRejectsWithTheirReasons() throws Exception {
        assertThat(body("/api/regions/trades-rejected/records"))
                .contains("\"reason\":\"invalid-value\"", "\"position\":" + 5_000 * 39, "currency1", "99");
    }

    @Test
    void shouldQueryRejectsLikeRecords() throws Exception {
        problem("/api/regions/trades-rejected/records?where=" + encoded("id > 5"), 400, "MR1002", "no field 'id'");
        assertThat(body("/api/regions/trades-rejected/aggregate?by=reason&values=count()"))
                .contains("{\"groups\":[{\"reason\":\"invalid-value\",\"count()\":1}]");
        assertThat(body("/api/regions/trades-rejected/records?where=" + encoded("position > 195000")))
                .contains("{\"records\":[]");
        assertThat(body("/api/regions/trades-rejected/records?select=reason,length"))
                .contains("{\"records\":[{\"reason\":\"invalid-value\",\"length\":39}]");
        assertThat(body("/api/regions/trades-rejected/records?format=csv"))
                .containsPattern("^.*position.*,bytes\r\n")
                .contains("," + 5_000 * 39 + ",")
                .containsPattern(",[0-9a-f]{78}\r\n$");
    }

    @Test
    void shouldReportProblemsInDetail() throws Exception {
        problem("/api/pipelines/trade/explain", 404, "unknown-pipeline", "Did you mean 'trades'?");
        problem("/api/pipelines/trade", 404, "unknown-pipeline", "Did you mean 'trades'?");
        problem("/api/regions/buy", 404, "unknown-region", "Did you mean 'buys'?");
        problem("/api/regions/buys/records?limit=0", 400, "bad-query", "Invalid limit '0'. Use 1 to");
        problem(
                "/api/regions/buys/records?limit=100&orderBy=" + "id,".repeat(1_000) + "id",
                400,
                "bad-query",
                "Too many expressions in 'orderBy': 1001. At most 16 are allowed.");
        problem(
                "/api/regions/buys/aggregate?values=" + "max(id),".repeat(100),
                400,
                "bad-query",
                "Too many expressions in 'values': 100. At most 64 are allowed.");
        problem("/api/regions/buys/records?select=amount", 400, "bad-query", "Did you mean 'amount1'?");
        problem("/api/regions/buys/records?where=" + encoded("currency9 == 'GBP'"), 400, "MR1002", "\"position\":0");
        problem("/api/regions/buys/records?orderBy=" + encoded("1 +"), 400, "MR1001", "\"expression\":");
        problem(
                "/api/regions/buys/records?where=" + encoded("T(java.lang.Runtime).getRuntime().exec('id') != null"),
                400,
                "MR1004",
                "not allowed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "GET;  regions/buys/records?limit=1.5;               bad-query;   Invalid limit '1.5'. Use a whole"
                        + " number.",
                "GET;  measures/m?limit=1.5;                         bad-query;   Invalid limit '1.5'. Use 1 to 10000.",
                "GET;  measures/m?windows=-1;                        bad-query;   Invalid windows '-1'. Use 0 to 60.",
                "GET;  measures/m/stream?limit=99999999999999999999; bad-query;   Invalid limit"
                        + " '99999999999999999999'. Use 1 to 10000.",
                "GET;  measures/m/stream?interval=1s;                bad-query;   Invalid interval '1s'. Use 0 to"
                        + " 60000.",
                "GET;  pipelines/trades/rules/first;                 bad-request; Invalid version 'first'. Use a whole"
                        + " number.",
                "POST; pipelines/trades/rules?dryRun=maybe;          bad-request; Invalid dryRun 'maybe'. Use true or"
                        + " false.",
                "POST; pipelines/trades/rules?skipTests=2;           bad-request; Invalid skipTests '2'. Use true or"
                        + " false.",
                "POST; pipelines/trades/rules/rollback?to=1.0;       bad-request; Invalid to '1.0'. Use a whole"
                        + " number.",
                "POST; pipelines/trades/rules/backtest?region=buys&limit=1.5; bad-query; Invalid limit '1.5'. Use a"
                        + " whole number.",
                "POST; pipelines/trades/rules/backtest?region=buys&limit=0;   bad-query; Invalid limit '0'. Use 1 to"
                        + " 9223372036854775807."
            })
    void shouldSayWhatIsAllowedForAParameter(String method, String path, String code, String detail) throws Exception {
        HttpResponse<String> refused = http.send(
                HttpRequest.newBuilder(uri("/api/" + path))
                        .header("Content-Type", "application/yaml")
                        .method(method, BodyPublishers.ofString(method.equals("GET") ? "" : "steps: [ { to: buys } ]"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(400);
        JsonNode problem = JsonMapper.shared().readTree(refused.body());
        assertThat(problem.at("/code").stringValue()).isEqualTo(code);
        assertThat(problem.at("/detail").stringValue()).isEqualTo(detail);
    }

    /** A backtest has no parameter that leaves records out. */
    @Test
    void shouldRefuseABacktestWhoseConditionHasNoResult() throws Exception {
        String where = URLEncoder.encode("1 / (id - id) == 0", StandardCharsets.UTF_8);
        HttpResponse<String> refused = http.send(
                HttpRequest.newBuilder(uri("/api/pipelines/trades/rules/backtest?region=buys&where=" + where))
                        .header("Content-Type", "application/yaml")
                        .POST(BodyPublishers.ofString("steps: [ { to: buys } ]"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(422);
        JsonNode problem = JsonMapper.shared().readTree(refused.body());
        assertThat(problem.at("/code").stringValue()).isEqualTo("incomplete");
        assertThat(problem.at("/failed").longValue()).isPositive();
        assertThat(problem.at("/firstFailure").stringValue()).contains("division by zero");
        assertThat(problem.at("/detail").stringValue())
                .contains("The query of region 'buys' has no result for ")
                .endsWith(" Exclude such records by 'where'.");
    }

    /** A parameter of another type would be refused by the framework, whose message does not name it. */
    @Test
    void shouldReadAllParametersAsText() {
        List<String> others = new ArrayList<>();
        context.getBeansOfType(RequestMappingHandlerMapping.class).values().stream()
                .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                .filter(method -> method.getBeanType().getName().startsWith("io.millrace."))
                .flatMap(method -> Stream.of(method.getMethodParameters()))
                .filter(parameter -> parameter.hasParameterAnnotation(RequestParam.class)
                        || parameter.hasParameterAnnotation(PathVariable.class))
                .filter(parameter ->
                        !List.of(String.class, List.class, MultiValueMap.class).contains(parameter.getParameterType()))
                .forEach(parameter -> others.add(parameter.toString()));
        assertThat(others).isEmpty();
    }

    static List<String> injections() {
        return Injections.all();
    }

    @ParameterizedTest
    @MethodSource("injections")
    void shouldRefuseInjectionsAsTheCompilerDoes(String injection) throws Exception {
        ExpressionException refusal = Objects.requireNonNull(catchThrowableOfType(
                ExpressionException.class, () -> new ExpressionCompiler(Trades.SCHEMA).filter(injection)));
        HttpResponse<String> response = get("/api/regions/buys/records?where=" + encoded(injection));
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
        JsonNode problem = JsonMapper.shared().readTree(response.body());
        assertThat(problem.at("/code").stringValue()).isEqualTo(refusal.code().code());
        assertThat(problem.at("/expression").stringValue()).isEqualTo(injection);
        assertThat(problem.at("/position").intValue()).isEqualTo(refusal.position());
        HttpResponse<String> csv = get("/api/regions/buys/records?format=csv&where=" + encoded(injection));
        assertThat(csv.statusCode()).isEqualTo(400);
        assertThat(csv.body()).contains(refusal.code().code());
        // Commas part orders, so what is refused may be a piece.
        assertThat(get("/api/regions/sells/records?orderBy=" + encoded(injection))
                        .statusCode())
                .isEqualTo(400);
        assertThat(System.getProperty(Injections.CANARY)).isNull();
        assertThat(get("/api/regions/buys/records?limit=1&where=" + encoded("id > 0"))
                        .statusCode())
                .isEqualTo(200);
    }

    /** What the language allows fits into a request; only what is far past it ends at the server's own limit. */
    @Test
    void shouldReportWhatIsTooLong() throws Exception {
        String longest = "currency1 != '" + "\u20AC".repeat(ExpressionLimits.LENGTH_MAX - 15) + "'";
        assertThat(longest).hasSize(ExpressionLimits.LENGTH_MAX);
        problem("/api/regions/buys/records?where=" + encoded(longest), 400, "MR1006", "the dictionary holds no");
        problem(
                "/api/regions/buys/records?where=" + encoded(longest + " "),
                400,
                "MR1007",
                "the expression has 20001 characters");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            send(socket, "/api/regions?" + "x".repeat(192 << 10));
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 414");
        }
    }

    @Test
    void shouldBeScrapedByPrometheus() throws Exception {
        assertThat(body("/actuator/prometheus"))
                .contains("millrace_records_in_total{pipeline=\"trades\"} 5001.0")
                .contains("millrace_records_rejected_total{pipeline=\"trades\",reason=\"invalid-value\"} 1.0")
                .contains("millrace_feed_lag{pipeline=\"trades\"} 0.0")
                .contains("millrace_pipeline_state{pipeline=\"trades\",state=\"done\"} 1.0")
                .contains("millrace_step_time_seconds_sum{", "millrace_store_put_time_seconds_sum{")
                .contains("millrace_pipeline_allocated_bytes_total{", "jvm_gc_memory_allocated_bytes_total");
    }

    @Test
    void shouldShowTheStepsInTheActuatorsGraph() throws Exception {
        assertThat(body("/actuator/integrationgraph")).contains("trades.in", "trades.1-route.step", "trades.to-buys");
    }

    /** The first is answered by a worker, the second at once, when the first has been: the third must still be read. */
    @Test
    void shouldGoOnReadingAConnectionAfterRequestsThatCameTogether() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
            send(socket, "/api/regions", "/api/pipelines");
            assertThat(answer(socket)).contains("\"name\":\"buys\"");
            assertThat(answer(socket)).contains("\"name\":\"trades\"");
            send(socket, "/api/pipelines/trades");
            assertThat(answer(socket)).contains("\"state\":\"done\"");
        }
    }

    private static void send(Socket socket, String... paths) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (String path : paths) {
            requests.append("GET ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** The body of the next response, which has to say its length. */
    private static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("end of the connection after: %s", head).isNotNegative();
            head.append((char) next);
        }
        assertThat(head).startsWith("HTTP/1.1 200");
        Matcher length = CONTENT_LENGTH.matcher(head);
        assertThat(length.find()).as("a length in %s", head).isTrue();
        return new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8);
    }

    private static void problem(String path, int status, String code, String text)
            throws IOException, InterruptedException {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"code\":\"" + code + "\"", text);
    }

    private static String body(String path) throws IOException, InterruptedException {
        return get(path).body();
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(uri(path)).timeout(TestTimeout.MAX).build(), BodyHandlers.ofString());
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    private static int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
