package io.millrace.metrics;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A collector on this machine gets the meters as {@code docs/reference/metrics.md} says. */
class OtlpExportTest {

    @TempDir
    Path folder;

    private final BlockingQueue<ExportMetricsServiceRequest> received = new LinkedBlockingQueue<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpServer collector;

    @BeforeEach
    void listen() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", this::take);
        collector.start();
    }

    @AfterEach
    void end() {
        collector.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Test
    @Timeout(value = 15, unit = MINUTES)
    void shouldExportToACollector() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.sample=true",
                        "--millrace.data=" + folder,
                        "--millrace.pipelines.trades.feed.generator.rate=0",
                        "--millrace.pipelines.trades.feed.generator.count=20000",
                        "--management.otlp.metrics.export.enabled=true",
                        "--management.otlp.metrics.export.step=1s",
                        "--management.otlp.metrics.export.url=http://127.0.0.1:"
                                + collector.getAddress().getPort() + "/v1/metrics")) {
            assertThat(context.isRunning()).isTrue();
            double in = 0;
            while (in < 20_000) {
                ExportMetricsServiceRequest request =
                        Objects.requireNonNull(received.poll(TestTimeout.MAX.toSeconds(), SECONDS));
                assertThat(request.getResourceMetrics(0).getResource().getAttributesList())
                        .anySatisfy(attribute -> assertThat(text(attribute)).isEqualTo("service.name=millrace"));
                Optional<Metric> found = metric(request, "millrace.records.in");
                Optional<Metric> written = metric(request, "millrace.store.written");
                if (found.isEmpty() || written.isEmpty()) {
                    // Exported while the service was still starting.
                    continue;
                }
                Metric records = found.get();
                assertThat(records.getSum().getDataPoints(0).getAttributesList())
                        .extracting(OtlpExportTest::text)
                        .containsExactly("pipeline=trades");
                in = records.getSum().getDataPoints(0).getAsDouble();
                assertThat(written.get().getUnit()).isEqualTo("bytes");
            }
            assertThat(in).isEqualTo(20_000);
        }
    }

    private static Optional<Metric> metric(ExportMetricsServiceRequest request, String name) {
        return request.getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
                .filter(metric -> metric.getName().equals(name))
                .findFirst();
    }

    private static String text(KeyValue attribute) {
        return attribute.getKey() + "=" + attribute.getValue().getStringValue();
    }
}
