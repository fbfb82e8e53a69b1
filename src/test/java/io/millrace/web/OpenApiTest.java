package io.millrace.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.web.answer.QueryInputs;
import io.millrace.web.answer.QueryLimits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document lists every route with its parameters and statuses, and the service answers by its schemas. */
class OpenApiTest {

    private static final String CONFIG = """
            millrace:
              data: FOLDER/data
              tables:
                shops: { file: FOLDER/shops.csv, key: id }
                broken: { file: FOLDER/broken.csv, key: id }
                latest: { region: keyed, key: id, schema: trade }
              regions:
                trades: { layout: blocks }
                made: { layout: blocks }
                sent: { layout: blocks }
                keyed: { layout: entries, key: id, persistent: true }
              pipelines:
                trades:
                  feed: { generator: { count: 20000, seed: 42 } }
                  schema: trade
                  steps:
                    - enrich: { table: shops, key: id % 3, add: { town: town } }
                    - to: trades
                live:
                  feed: { generator: { rate: 200 } }
                  schema: trade
                  steps:
                    - set: { notional: amount1 * exchangeRate }
                    - measure: { name: sales, by: id % 3 as shop, every: 1s, values: { sales: count(), mean: avg(amount1) } }
                    - measure:
                        name: each
                        by: id
                        every: 1s
                        values: { sales: count() }
                        alerts: { seen: { when: sales > 0 } }
                    - to: made
                sent:
                  schema: trade
                  steps:
                    - to: sent
                few:
                  feed: { generator: { count: 20, seed: 42 } }
                  schema: trade
                  steps:
                    - to: keyed
                checked:
                  feed: { generator: { count: 20, seed: 42 } }
                  schema: trade
                  steps:
                    - filter: id > 1
                    - to: sent
              page:
                map:
                  title: Shops
                  measure: sales
                  table: shops
                  latitude: north
                  longitude: east
                  label: town
                  size: sales
                  colour: mean
                  high: 100
                  outline: FOLDER/outline.json
            """;
    private static final String SHOPS = "id,town,north,east\n0,Ulm,48.40,9.99\n1,,48,10\n";

    /** Statuses that no request of this test can cause. */
    private static final Set<String> ELSEWHERE = Set.of(
            "503", // AnswerLimitsTest, EventStreamsTest, MeasureReadsTest
            "504", // AnswerApiTest
            "default");

    private static final Set<String> ELSEWHERE_OF_ONE = Set.of(
            "PUT /pipelines/{name}/replay 403", // PlayApiTest
            "POST /pipelines/{name}/restart 409", // PipelinesCommandsTest
            "GET /pipelines/{name}/taps/{point} 409", // a message channel of the application's own
            "POST /pipelines/{name}/rules/rollback 409", // a configuration that can't use the earlier version
            "POST /pipelines/{name}/rules/rollback 422", // likewise
            "POST /pipelines/{name}/rules/shadow/promote 409", // RulesCommandsTest
            "POST /pipelines/{name}/rules/shadow/promote 422", // tests of the configuration
            "GET /map 404", // MapApiTest
            "GET /map/outline 404"); // likewise

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static OpenApiDocument document;

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(folder.resolve("shops.csv"), SHOPS);
        Files.writeString(folder.resolve("broken.csv"), SHOPS);
        Files.writeString(folder.resolve("outline.json"), "{\"type\":\"FeatureCollection\",\"features\":[]}");
        Path config = Files.writeString(folder.resolve("config.yml"), CONFIG.replace("FOLDER", folder.toString()));
        context = SpringApplication.run(
                MillraceApplication.class, "--server.port=0", "--spring.config.additional-location=" + config.toUri());
        Files.writeString(folder.resolve("broken.csv"), "id\nnone\n");
        document = new OpenApiDocument(json(get("/openapi.json")));
        await().untilAsserted(() -> {
            assertThat(json(get("/pipelines/trades")).path("state").stringValue())
                    .isEqualTo("done");
            assertThat(json(get("/regions/keyed")).path("records").longValue()).isEqualTo(20);
            assertThat(json(get("/alerts")).path("last")).isNotEmpty();
            assertThat(json(get("/measures/sales")).path("windows")).isNotEmpty();
        });
    }

    @AfterAll
    static void end() {
        context.close();
    }

    @Test
    void shouldDescribeSchemasByJsonSchema() {
        SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
        var meta = schemas.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

        document.root()
                .at("/components/schemas")
                .forEachEntry((name, schema) ->
                        assertThat(meta.validate(schema)).as(name).isEmpty());
    }

    /** In YAML, a comma ends a text without quotes, and begins a member without a value. */
    @Test
    void shouldHaveNoMemberWithoutAValue() {
        assertThat(document.root().toString()).doesNotContain(":null");
    }

    @Test
    void shouldListEveryRouteWithItsParameters() {
        TreeMap<String, Set<String>> routes = new TreeMap<>();
        TreeMap<String, Set<String>> documented = new TreeMap<>();
        context.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((mapping, handler) -> {
                    if (handler.getBeanType().getName().startsWith("io.millrace.")) {
                        mapping.getMethodsCondition()
                                .getMethods()
                                .forEach(method -> mapping.getPatternsCondition()
                                        .getPatterns()
                                        .forEach(pattern -> {
                                            String path = pattern.getPatternString();
                                            assertThat(path).startsWith("/api/");
                                            routes.put(
                                                    method + " " + path.substring("/api".length()),
                                                    parameters(handler));
                                        }));
                    }
                });
        document.operations().keySet().forEach(operation -> documented.put(operation, documented(operation)));

        assertThat(documented).isEqualTo(routes);
    }

    private static Set<String> documented(String operation) {
        return Stream.concat(
                        document.parameters(operation, "path").stream().map(name -> "path " + name),
                        document.parameters(operation, "query").stream().map(name -> "query " + name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> parameters(HandlerMethod handler) {
        Set<String> names = new TreeSet<>();
        for (var parameter : handler.getMethod().getParameters()) {
            if (parameter.isAnnotationPresent(PathVariable.class)) {
                names.add("path " + parameter.getName());
            } else if (parameter.isAnnotationPresent(RequestParam.class)) {
                if (parameter.getType() == MultiValueMap.class) {
                    queryParameters(handler.getMethod().getName()).forEach(name -> names.add("query " + name));
                } else {
                    names.add("query " + parameter.getName());
                }
            }
        }
        return names;
    }

    /** The parameters that a query reads. */
    private static Set<String> queryParameters(String method) {
        Set<String> read = new TreeSet<>(Set.of("format"));
        MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            public @Nullable String getFirst(String key) {
                read.add(key);
                return super.getFirst(key);
            }

            @Override
            public @Nullable List<String> get(Object key) {
                read.add(String.valueOf(key));
                return super.get(key);
            }

            @Override
            public List<String> getOrDefault(Object key, List<String> otherwise) {
                read.add(String.valueOf(key));
                return super.getOrDefault(key, otherwise);
            }
        };
        parameters.add("values", "count()");
        QueryInputs.query(parameters, method.equals("records"), context.getBean(QueryLimits.class));
        return read;
    }

    /** A request of an operation, and the status that it is answered with. */
    record Call(
            int status,
            String operation,
            String path,
            @Nullable String accept) {}

    private static Call call(int status, String operation, String path) {
        return new Call(status, operation, path, null);
    }

    static List<Call> calls() {
        String where = "where=1%20/%20(id%20-%20id)%20==%200";
        return List.of(
                call(200, "GET /pipelines", "/pipelines"),
                call(200, "GET /pipelines/{name}", "/pipelines/trades"),
                call(404, "GET /pipelines/{name}", "/pipelines/trade"),
                call(200, "GET /pipelines/{name}/explain", "/pipelines/trades/explain"),
                call(200, "GET /pipelines/{name}/explain", "/pipelines/live/explain"),
                call(404, "GET /pipelines/{name}/explain", "/pipelines/trade/explain"),
                call(200, "POST /pipelines/{name}/restart", "/pipelines/sent/restart"),
                call(404, "POST /pipelines/{name}/restart", "/pipelines/none/restart"),
                call(200, "GET /pipelines/{name}/rules", "/pipelines/few/rules"),
                call(404, "GET /pipelines/{name}/rules", "/pipelines/none/rules"),
                call(200, "GET /pipelines/{name}/rules/{number}", "/pipelines/few/rules/1"),
                call(404, "GET /pipelines/{name}/rules/{number}", "/pipelines/few/rules/100"),
                call(200, "GET /pipelines/{name}/replay", "/pipelines/live/replay"),
                call(404, "GET /pipelines/{name}/replay", "/pipelines/trade/replay"),
                call(200, "GET /pipelines/{name}/taps", "/pipelines/live/taps"),
                call(404, "GET /pipelines/{name}/taps", "/pipelines/trade/taps"),
                call(404, "GET /pipelines/{name}/taps/{point}", "/pipelines/live/taps/none"),
                call(400, "GET /pipelines/{name}/taps/{point}", "/pipelines/live/taps/admitted?where=notional"),
                call(200, "GET /regions", "/regions"),
                call(200, "GET /regions/{region}", "/regions/keyed"),
                call(404, "GET /regions/{region}", "/regions/none"),
                call(200, "GET /regions/{region}/records", "/regions/trades/records"),
                call(200, "GET /regions/{region}/records", "/regions/trades-rejected/records"),
                call(200, "GET /regions/{region}/records", "/regions/trades/records?onError=skip&" + where),
                call(422, "GET /regions/{region}/records", "/regions/trades/records?" + where),
                call(200, "GET /regions/{region}/records", "/regions/trades/records?format=csv&limit=3"),
                call(400, "GET /regions/{region}/records", "/regions/trades/records?where=nothing"),
                call(404, "GET /regions/{region}/records", "/regions/none/records"),
                new Call(406, "GET /regions/{region}/records", "/regions/trades/records", "text/html"),
                call(422, "GET /regions/{region}/records", "/regions/trades/records?format=csv&" + where),
                call(200, "GET /regions/{region}/aggregate", "/regions/trades/aggregate?by=town&values=count()"),
                new Call(
                        200,
                        "GET /regions/{region}/aggregate",
                        "/regions/trades/aggregate?by=currency1&values=count()",
                        "text/csv"),
                call(400, "GET /regions/{region}/aggregate", "/regions/trades/aggregate"),
                call(404, "GET /regions/{region}/aggregate", "/regions/none/aggregate?values=count()"),
                new Call(
                        406,
                        "GET /regions/{region}/aggregate",
                        "/regions/trades/aggregate?values=count()",
                        "text/html"),
                call(
                        422,
                        "GET /regions/{region}/aggregate",
                        "/regions/trades/aggregate?format=csv&values=count()&" + where),
                call(400, "GET /regions/{region}/{key}", "/regions/trades/1"),
                call(200, "GET /regions/{region}/{key}", "/regions/keyed/17"),
                call(404, "GET /regions/{region}/{key}", "/regions/keyed/1000"),
                call(200, "GET /catalog", "/catalog"),
                call(200, "GET /measures", "/measures"),
                call(200, "GET /measures/{name}", "/measures/sales?windows=60"),
                call(400, "GET /measures/{name}", "/measures/sales?windows=61"),
                call(404, "GET /measures/{name}", "/measures/sale"),
                call(400, "GET /measures/{name}/stream", "/measures/sales/stream?limit=0"),
                call(404, "GET /measures/{name}/stream", "/measures/sale/stream"),
                call(200, "GET /alerts", "/alerts"),
                call(200, "GET /tables", "/tables"),
                call(200, "GET /tables/{name}", "/tables/latest"),
                call(404, "GET /tables/{name}", "/tables/none"),
                call(200, "POST /regions/{region}/migrate", "/regions/keyed/migrate"),
                call(404, "POST /regions/{region}/migrate", "/regions/none/migrate"),
                call(200, "POST /tables/{name}/reload", "/tables/shops/reload"),
                call(404, "POST /tables/{name}/reload", "/tables/none/reload"),
                call(409, "POST /tables/{name}/reload", "/tables/latest/reload"),
                call(422, "POST /tables/{name}/reload", "/tables/broken/reload"),
                call(200, "GET /live/history", "/live/history"),
                call(200, "GET /map", "/map"),
                call(200, "GET /map/outline", "/map/outline"),
                call(200, "GET /user", "/user"),
                call(200, "GET /sign-in", "/sign-in"),
                call(200, "GET /openapi.json", "/openapi.json"));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldAnswerBySchema(Call call) throws Exception {
        String method = call.operation().split(" ", 2)[0];
        HttpRequest.Builder request = request(call.path()).method(method, BodyPublishers.noBody());
        if (call.accept() != null) {
            request.header("Accept", call.accept());
        }
        check(call.operation(), call.status(), HTTP.send(request.build(), BodyHandlers.ofString()));
    }

    private static final String REPLAY = "PUT /pipelines/{name}/replay";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 | live  | application/json | {"rate":300}
            400 | live  | application/json | {"rate":-1}
            404 | none  | application/json | {"rate":300}
            409 | sent  | application/json | {"rate":300}
            415 | live  | text/plain       | {"rate":300}
            """)
    void shouldAnswerChangesOfTheSpeedBySchema(int status, String pipeline, String type, String body) throws Exception {
        HttpRequest request = request("/pipelines/" + pipeline + "/replay")
                .header("Content-Type", type)
                .PUT(BodyPublishers.ofString(body))
                .build();
        check(REPLAY, status, HTTP.send(request, BodyHandlers.ofString()));
    }

    private static final String RULES = "POST /pipelines/{name}/rules";

    /** Without counts, which only a running pipeline has. */
    @ParameterizedTest
    @CsvSource({"checked, id > 2", "unchanged, id > 1"})
    void shouldExplainCheckedRulesBySchema(String state, String filter) throws Exception {
        HttpRequest request = request("/pipelines/checked/rules?dryRun=true")
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString("steps: [ { filter: " + filter + " }, { to: sent } ]"))
                .build();
        HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
        check(RULES, 200, response);
        JsonNode result = JsonMapper.shared().readTree(response.body());
        assertThat(result.path("state").stringValue()).isEqualTo(state);
        JsonNode step = result.at("/explanation/steps/0");
        assertThat(step.path("kind").stringValue()).isEqualTo("filter");
        assertThat(step.at("/expressions/0/expression").stringValue()).isEqualTo(filter);
        assertThat(step.at("/expressions/0/reads/0/name").stringValue()).isEqualTo("id");
        assertThat(step.has("in")).isFalse();
        assertThat(result.at("/explanation/steps/1/expressions/0/target").stringValue())
                .isEqualTo("sent");
    }

    private static final String ROLLBACK = "POST /pipelines/{name}/rules/rollback";

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            200; few;  ;       'steps: [ { filter: id > 5 }, { to: keyed } ]'
            200; few;  ;       'steps: [ { filter: id > 5 }, { to: keyed } ]'
            400; few;  seven;  'steps: [ { to: keyed } ]'
            404; none; ;       'steps: [ { to: keyed } ]'
            409; few;  ;       'steps: [ { set: { twice: amount1 * 2 } }, { to: keyed } ]'
            412; few;  "99";   'steps: [ { to: keyed } ]'
            422; few;  ;       'steps: [ { to: nowhere } ]'
            """)
    void shouldAnswerChangesOfRulesBySchema(int status, String pipeline, @Nullable String ifMatch, String body)
            throws Exception {
        HttpRequest.Builder request = request("/pipelines/" + pipeline + "/rules")
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(body));
        if (ifMatch != null) {
            request.header("If-Match", ifMatch);
        }
        check(RULES, status, HTTP.send(request.build(), BodyHandlers.ofString()));
    }

    @ParameterizedTest
    @CsvSource({"200, few, 1", "400, few, one", "404, few, 100", "412, few, 1"})
    void shouldAnswerRollbacksBySchema(int status, String pipeline, String version) throws Exception {
        HttpRequest.Builder request = request("/pipelines/" + pipeline + "/rules/rollback?to=" + version)
                .POST(BodyPublishers.noBody());
        if (status == 412) {
            request.header("If-Match", "\"99\"");
        }
        check(ROLLBACK, status, HTTP.send(request.build(), BodyHandlers.ofString()));
    }

    private static final String SHADOW = "/pipelines/{name}/rules/shadow";

    /** In this order: what a shadow answers depends on what was sent before. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            404; GET;    few;  '';
            404; DELETE; few;  '';
            404; POST;   few;  /promote;
            404; POST;   none; '';       'steps: [ { to: keyed } ]'
            409; POST;   few;  '';       'steps: [ { set: { twice: amount1 * 2 } }, { to: keyed } ]'
            422; POST;   few;  '';       'steps: [ { to: nowhere } ]'
            200; POST;   few;  '';       'steps: [ { filter: id % 2 == 0 }, { to: keyed } ]'
            200; GET;    few;  '';
            412; POST;   few;  /promote;
            400; POST;   few;  /promote;
            204; DELETE; few;  '';
            200; POST;   few;  '';       'steps: [ { filter: id > 7 }, { to: keyed } ]'
            200; POST;   few;  /promote;
            """)
    void shouldAnswerShadowsBySchema(int status, String method, String pipeline, String path, @Nullable String body)
            throws Exception {
        HttpRequest.Builder request = request("/pipelines/" + pipeline + "/rules/shadow" + path)
                .header("Content-Type", "application/yaml")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (path.equals("/promote") && status == 412) {
            request.header("If-Match", "\"99\"");
        } else if (status == 400) {
            request.header("If-Match", "seven");
        }
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        check(method + " " + SHADOW + path, status, response);
    }

    private static final String BACKTEST = "POST /pipelines/{name}/rules/backtest";

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            200; few;  region=keyed;                      'steps: [ { filter: id % 2 == 0 }, { to: keyed } ]'
            200; few;  region=keyed&by=buySell&limit=7;   'steps: [ { filter: id % 2 == 0 }, { to: keyed } ]'
            400; few;  region=keyed&where=idd;            'steps: [ { to: keyed } ]'
            400; few;  region=keyed&timeout=long;         'steps: [ { to: keyed } ]'
            400; few;  region=keyed&by=idd;               'steps: [ { to: keyed } ]'
            404; none; region=keyed;                      'steps: [ { to: keyed } ]'
            404; few;  region=nowhere;                    'steps: [ { to: keyed } ]'
            409; few;  region=few-rejected;               'steps: [ { to: keyed } ]'
            422; few;  region=keyed;                      'steps: [ { to: nowhere } ]'
            """)
    void shouldAnswerBacktestsBySchema(int status, String pipeline, String query, String body) throws Exception {
        HttpRequest request = request("/pipelines/" + pipeline + "/rules/backtest?" + query)
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(body))
                .build();
        check(BACKTEST, status, HTTP.send(request, BodyHandlers.ofString()));
    }

    private static void check(String operation, int status, HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(document.statuses(operation)).contains(String.valueOf(status));
        if (status == 204) {
            assertThat(response.body()).isEmpty();
            return;
        }
        String type =
                response.headers().firstValue("Content-Type").orElseThrow().split(";", 2)[0];
        JsonNode content = Objects.requireNonNull(document.content(operation, status, type), type);
        if (type.endsWith("json")) {
            assertThat(document.errors(content.path("schema"), json(response)))
                    .as(response.body())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET /pipelines/{name}/taps/{point}, /pipelines/live/taps/admitted",
        "GET /pipelines/{name}/taps/{point}, /pipelines/live/taps/1-set",
        "GET /measures/{name}/stream, /measures/sales/stream",
        "GET /alerts/stream, /alerts/stream",
        "GET /live, /live"
    })
    void shouldSendEventsBySchema(String operation, String path) throws Exception {
        HttpResponse<InputStream> response = HTTP.send(request(path).build(), BodyHandlers.ofInputStream());
        JsonNode content = Objects.requireNonNull(document.content(operation, 200, "text/event-stream"));
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            List<String> events = lines.lines()
                    .filter(line -> line.startsWith("data:"))
                    .limit(2)
                    .toList();
            assertThat(events)
                    .hasSize(2)
                    .allSatisfy(event -> assertThat(document.errors(
                                    content.path("x-event-schema"),
                                    JsonMapper.shared().readTree(event.substring("data:".length()))))
                            .as(event)
                            .isEmpty());
        }
    }

    /** Each status that is documented is one that a request has been answered with. */
    @Test
    void shouldDocumentOnlyWhatIsAnswered() {
        Set<String> answered = Stream.of(
                        calls().stream().map(call -> call.operation() + " " + call.status()),
                        Stream.of(200, 400, 404, 409, 415).map(status -> REPLAY + " " + status),
                        Stream.of(200, 400, 404, 409, 412, 422).map(status -> RULES + " " + status),
                        Stream.of(200, 400, 404, 412).map(status -> ROLLBACK + " " + status),
                        Stream.of(200, 400, 404, 409, 422).map(status -> BACKTEST + " " + status),
                        Stream.of(200, 404).map(status -> "GET " + SHADOW + " " + status),
                        Stream.of(200, 404, 409, 422).map(status -> "POST " + SHADOW + " " + status),
                        Stream.of(204, 404).map(status -> "DELETE " + SHADOW + " " + status),
                        Stream.of(200, 400, 404, 412).map(status -> "POST " + SHADOW + "/promote " + status),
                        Stream.of(
                                        "/pipelines/{name}/taps/{point}",
                                        "/measures/{name}/stream",
                                        "/alerts/stream",
                                        "/live")
                                .map(path -> "GET " + path + " 200"),
                        ELSEWHERE_OF_ONE.stream())
                .flatMap(statuses -> statuses)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> documented = document.operations().keySet().stream()
                .flatMap(operation -> document.statuses(operation).stream()
                        .filter(status -> !ELSEWHERE.contains(status))
                        .map(status -> operation + " " + status))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(documented).isEqualTo(answered);
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HTTP.send(request(path).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api" + path))
                .timeout(TestTimeout.MAX);
    }
}
