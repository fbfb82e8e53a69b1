package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.application.MillraceApplication;
import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputWriter;
import io.millrace.store.Rejects;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.table.Tables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.mock.env.MockEnvironment;

@ExtendWith(OutputCaptureExtension.class)
class StartSummaryTest {

    @TempDir
    Path folder;

    @Test
    void shouldReportOnTheSampleInTenLines(CapturedOutput output) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.sample=true",
                        "--millrace.data=" + folder,
                        "--logging.level." + StartSummary.class.getName() + "=info",
                        "--millrace.pipelines.trades.feed.generator.count=1000")) {
            List<String> lines = context.getBean(StartSummary.class).lines();

            assertThat(lines)
                    .containsExactly(
                            "runs pipelines, stores regions in this process, disk stores in " + folder,
                            "pipeline trades: generator, 200,000 records a second, schema trade,"
                                    + " rejects to trades-rejected",
                            "  trades.1-filter currency1 != 'JPY' and amount1 > 1000000",
                            "  trades.2-enrich key id % 100",
                            "  trades.3-set amount1 * exchangeRate → notional",
                            "  trades.4-route when buySell == 'Buy' → buys, otherwise → sells",
                            "regions: buys (blocks of trade), sells (blocks of trade), trades-rejected (rejects)",
                            "HTTP at 127.0.0.1:" + context.getEnvironment().getProperty("local.server.port")
                                    + ": / for the page, /api/pipelines, /api/regions, /actuator/health, /actuator/prometheus");
            assertThat(lines).allSatisfy(line -> assertThat(output.getOut()).containsOnlyOnce(line));
        }
    }

    @Test
    void shouldReportAServer() {
        Setup setup = new Setup(
                List.of(), List.of(Rejects.region("trades-rejected", true)), Map.of(), new Tables(List.of()), null);

        assertThat(summary(setup, "role", "server", "data", "here", "geode.name", "s1")
                        .lines())
                .containsExactly(
                        "is server s1, port 40404, of the cluster at one:10334, stores its regions, disk stores in here",
                        "regions: trades-rejected (rejects)",
                        "HTTP at 127.0.0.1:8080:"
                                + " / for the page, /api/pipelines, /api/regions, /actuator/health, /actuator/prometheus");
    }

    @Test
    void shouldReportOutputs() {
        OutputDefinition archive = new OutputDefinition() {
            @Override
            public String describe() {
                return "files in out";
            }

            @Override
            public OutputWriter create(OutputContext context) {
                throw new AssertionError();
            }
        };
        Setup setup = new Setup(List.of(), List.of(), Map.of("archive", archive), new Tables(List.of()), null);

        assertThat(summary(setup, "role", "server").lines()).contains("outputs: archive (files in out)");
    }

    @Test
    void shouldReportALocator() {
        assertThat(summary(null, "role", "locator").lines())
                .containsExactly(
                        "is a locator, port 10334, of the cluster at one:10334",
                        "HTTP at 127.0.0.1:8080: /actuator/health, /actuator/prometheus");
    }

    private static StartSummary summary(@Nullable Setup setup, String... pairs) {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("server.address", "127.0.0.1")
                .withProperty("local.server.port", "8080");
        MapConfigurationPropertySource source =
                new MapConfigurationPropertySource(Map.of("millrace.geode.locators", "one:10334"));
        for (int i = 0; i < pairs.length; i += 2) {
            source.put("millrace." + pairs[i], pairs[i + 1]);
        }
        MillraceProperties properties = new Binder(source).bindOrCreate("millrace", MillraceProperties.class);
        GeodeConnectionDetails connection = () -> properties.geode().locators();
        ClusterOptions cluster = new ClusterReader(
                        properties.geode(), properties.role(), List.of(connection), bundle -> {
                            throw new AssertionError(bundle);
                        })
                .read();
        return new StartSummary(properties, Objects.requireNonNull(cluster), setup, environment);
    }
}
