package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.codec.frame.Framing;
import io.millrace.feed.FairShare;
import io.millrace.feed.radius.RadiusFeed;
import io.millrace.feed.radius.RadiusSettings;
import io.millrace.feed.tcp.TcpFeed;
import io.millrace.feed.tcp.TcpLimits;
import io.millrace.metrics.AlertMeters;
import io.millrace.metrics.FeedMeters;
import io.millrace.metrics.MillraceMeter;
import io.millrace.metrics.StoreMeters;
import io.millrace.metrics.StoreWatch;
import io.millrace.observability.Observability;
import io.millrace.observability.PromQl;
import io.millrace.pipeline.Pipelines;
import io.millrace.pipeline.alert.AlertDispatcher;
import io.millrace.schema.yaml.Schemas;
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
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The running sample answers as {@code docs/reference/http.md} says, and shows the meters of
 * {@code docs/reference/metrics.md}.
 */
class DocumentedInterfaceTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Path METRICS = Path.of("docs/reference/metrics.md");
    private static final String GENERATED = "<!-- table: meters -->\n";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static String measureMeters;

    @BeforeAll
    static void runTheSample() throws Exception {
        measureMeters = measureMeters();
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.sample=true",
                        "--millrace.data=" + folder,
                        "--millrace.pipelines.trades.feed.generator.rate=0",
                        "--millrace.pipelines.trades.feed.generator.count=20000");
        await().until(() -> context.getBean(Pipelines.class).ended());
    }

    @AfterAll
    static void end() {
        context.close();
    }

    @Test
    void shouldAnswerAsDocumented() throws Exception {
        List<List<String>> rows = Page.read(Path.of("docs/reference/http.md")).table("requests");
        for (List<String> row : rows) {
            HttpResponse<String> answer = get(row.get(0));
            assertThat(answer.statusCode()).as(row + "\n" + answer.body()).isEqualTo(Integer.parseInt(row.get(1)));
            assertThat(answer.body().replace("\\n", " "))
                    .as(row.toString())
                    .contains(row.get(2).split(" … ", -1));
            if (answer.statusCode() >= 400) {
                assertThat(answer.headers().firstValue("Content-Type"))
                        .as(row.toString())
                        .contains("application/problem+json");
            }
        }
    }

    @Test
    void shouldDocumentEveryHealthComponent() {
        Stream<String> components = context.getBeansOfType(HealthIndicator.class).entrySet().stream()
                .filter(bean -> bean.getValue().getClass().getName().startsWith("io.millrace."))
                .map(bean -> bean.getKey().replace("HealthIndicator", ""));

        assertThat(Page.read(Path.of("docs/guides/monitoring.md")).table("health components"))
                .extracting(row -> row.getFirst().split(" ", 2)[0])
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(components, Stream.of("copies")).toList());
    }

    @Test
    void shouldExportEveryMeterUnderTheNameDocumented() throws Exception {
        String scraped = scrape();
        assertThat(Page.read(METRICS).table("meters")).hasSize(meters().size());
        for (List<String> row : Page.read(METRICS).table("meters")) {
            for (String name : row.get(1).split(", ", -1)) {
                assertThat(scraped).as(name).containsPattern(sample(name));
                for (String tag :
                        row.get(2).isEmpty() ? new String[0] : row.get(2).split(", ", -1)) {
                    assertThat(scraped).as(name).containsPattern("\n" + name + "\\{[^}]*\\b" + tag + "=\"");
                }
            }
        }
    }

    @Test
    void shouldExportWhatDashboardAndAlertsAskFor() throws Exception {
        // Pauses are reported once there was one.
        System.gc();
        await().until(() -> scrape().contains("\njvm_gc_pause_seconds_sum{"));
        Set<String> exported = (scrape() + "\nup{")
                .lines()
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
        Set<String> asked = Stream.concat(
                        Observability.alerts().values().stream(),
                        Observability.dashboard().values().stream().flatMap(List::stream))
                .flatMap(expression -> PromQl.metrics(expression).stream())
                .collect(Collectors.toSet());

        assertThat(asked).hasSizeGreaterThan(20);
        assertThat(exported).containsAll(asked);
    }

    private static String scrape() throws Exception {
        return get("/actuator/prometheus").body()
                + measureMeters
                + alertMeters()
                + radiusMeters()
                + tcpMeters()
                + serverMeters();
    }

    /** Run with {@code MILLRACE_DOCS=write} in the environment to write the page's table anew. */
    @Test
    void shouldDocumentEveryMeter() throws Exception {
        String scraped = scrape();
        String table = meters().stream()
                .map(meter -> "| `%s` | %s | %s | %s | %s |"
                        .formatted(
                                meter.name(),
                                prometheus(meter, scraped),
                                meter.tags().stream()
                                        .map(tag -> "`" + tag + "`")
                                        .collect(Collectors.joining(", ")),
                                Objects.requireNonNullElse(meter.unit(), ""),
                                meter.description()))
                .collect(Collectors.joining(
                        "\n", "| meter | in Prometheus | tags | unit | description |\n|---|---|---|---|---|\n", "\n"));
        String page = Files.readString(METRICS);
        int from = page.indexOf(GENERATED) + GENERATED.length();
        int to = page.indexOf("\n\n", from) + 1;
        if ("write".equals(System.getenv("MILLRACE_DOCS"))) {
            Files.writeString(METRICS, page.substring(0, from) + table + page.substring(to));
        }
        assertThat(Files.readString(METRICS)).contains(GENERATED + table);
    }

    /** A row of the page's table. */
    private record Meter(String name, @Nullable String unit, String description, List<String> tags) {}

    /** All meters: those that any pipeline, region or store has, then those of steps, and of the TCP feed. */
    private static List<Meter> meters() {
        Stream<Meter> common = Arrays.stream(MillraceMeter.values())
                .map(meter -> new Meter(meter.meterName(), meter.unit(), meter.description(), meter.tags()));
        Stream<Meter> ofSteps = context.getBean(Pipelines.class).all().stream()
                .flatMap(pipeline -> pipeline.steps().stream())
                .flatMap(step -> step.meters().stream())
                .map(meter -> new Meter(meter.name(), null, meter.description(), List.of("pipeline", "step")));
        Stream<Meter> ofTcp = tcpFeed().meters().stream()
                .map(meter -> new Meter(
                        meter.name(),
                        meter.unit(),
                        meter.description(),
                        Stream.concat(Stream.of("pipeline"), meter.tags().keySet().stream())
                                .toList()));
        return Stream.of(common, ofSteps.distinct(), ofTcp.distinct())
                .flatMap(meters -> meters)
                .toList();
    }

    /** What an application with a listener for alerts would show besides: the sample has none. */
    private static String alertMeters() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (AlertDispatcher dispatcher = new AlertDispatcher(Map.of("pager", _ -> {}))) {
            new AlertMeters(dispatcher).bindTo(registry);
            return registry.scrape();
        }
    }

    /** What a pipeline with a RADIUS feed would show besides: the sample's feed counts nothing. */
    private static String radiusMeters() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        RadiusSettings options = new RadiusSettings(
                "127.0.0.1", 0, List.of(), Duration.ZERO, 1, 1, 4096, new FairShare(1), Duration.ofSeconds(1), 4096);
        RadiusFeed feed = new RadiusFeed(options, 1);
        new FeedMeters("accounting", feed, feed.counts()).bindTo(registry);
        return registry.scrape();
    }

    /** What a pipeline with a TCP feed would show besides: the sample has none. */
    private static String tcpMeters() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        TcpFeed feed = tcpFeed();
        new FeedMeters("lines", feed, feed.counts()).bindTo(registry);
        return registry.scrape();
    }

    private static TcpFeed tcpFeed() {
        TcpLimits limits = new TcpLimits(1, 1, new FairShare(1), 1, Duration.ofSeconds(1), 1, 1);
        return new TcpFeed(
                limits.properties("127.0.0.1", 0, new Framing.Fixed(), 0),
                null,
                Schemas.builtIn().get("trade"),
                1);
    }

    /** What a pipeline with a measure would show besides: the sample has none. */
    private static String measureMeters() throws Exception {
        Path config = Files.writeString(folder.resolve("measures.yml"), """
                millrace:
                  regions:
                    trades: { layout: blocks }
                    busy: { layout: blocks }
                  pipelines:
                    measured:
                      feed: { generator: { rate: 10000 } }
                      schema: trade
                      steps:
                        - measure:
                            name: turnover
                            by: currency1
                            every: 1s
                            meters: 3
                            values: { trades: count() }
                            alerts: { busy: { when: trades > 0, to: busy } }
                        - to: trades
                """);
        try (ConfigurableApplicationContext measured = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder,
                        "--spring.config.additional-location=" + config.toUri())) {
            PrometheusMeterRegistry registry = measured.getBean(PrometheusMeterRegistry.class);
            await().until(() -> registry.scrape().contains("\nmillrace_measure_value{"));
            return registry.scrape()
                    .lines()
                    .filter(line -> line.startsWith("millrace_measure_"))
                    .collect(Collectors.joining("\n", "\n", "\n"));
        }
    }

    /** What a server of a cluster would show besides. */
    private static String serverMeters() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new StoreMeters(context.getBean(StoreWatch.class), true).bindTo(registry);
        return registry.scrape();
    }

    /** A line of a scrape that tells a value of this name. */
    private static Pattern sample(String name) {
        return Pattern.compile("(?m)^" + name + "[{ ]");
    }

    /** The names that stand in a scrape, shortest first: a timer has a count and a sum. */
    private static String prometheus(Meter meter, String scraped) {
        String stem = meter.name().replace('.', '_');
        List<String> endings = meter.unit() == null
                ? List.of("", "_total")
                : List.of(
                        "_" + meter.unit(),
                        "_" + meter.unit() + "_total",
                        "_" + meter.unit() + "_count",
                        "_" + meter.unit() + "_sum");
        return endings.stream()
                .map(ending -> stem + ending)
                .filter(name -> sample(name).matcher(scraped).find())
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
    }

    /** Values of the query stand in plain words in the page. */
    private static HttpResponse<String> get(String request) throws IOException, InterruptedException {
        String[] parts = request.split("\\?", 2);
        String query = parts.length == 1
                ? ""
                : Arrays.stream(parts[1].split("&", -1))
                        .map(pair -> pair.split("=", 2))
                        .map(pair -> pair[0] + "=" + URLEncoder.encode(pair[1], StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&", "?", ""));
        String port = context.getEnvironment().getProperty("local.server.port");
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + parts[0] + query))
                        .timeout(TestTimeout.MAX)
                        .build(),
                BodyHandlers.ofString());
    }
}
