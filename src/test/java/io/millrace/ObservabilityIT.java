package io.millrace;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.application.MillraceApplication;
import io.millrace.kafka.TestBroker;
import io.millrace.observability.Observability;
import io.millrace.observability.PromQl;
import io.millrace.observability.Prometheus;
import io.millrace.pipeline.TradeFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.annotation.ServiceActivator;

/**
 * The real Prometheus asks services that do well and services that don't: every panel of the dashboard shows something,
 * and the alerts fire for what they are there for, and for nothing else. Skipped where Prometheus is not installed.
 *
 * <p>That copies are missing takes a cluster of three processes more: {@code RulesTest} and {@code StoreMetersTest}
 * hold that alert.
 */
@Timeout(value = 30, unit = MINUTES)
@Tag("long")
class ObservabilityIT {

    private static String config(Path trades, Path garbage, String brokers) {
        return """
                millrace:
                  tables:
                    desks: { file: "classpath:samples/desks.csv", key: id }
                  regions:
                    buys: { layout: blocks }
                    sells: { layout: blocks }
                    checked: { layout: blocks }
                    behind: { layout: blocks }
                    junk: { layout: blocks }
                    quiet: { layout: blocks }
                  pipelines:
                    trades:
                      feed: { generator: { rate: 5000 } }
                      schema: trade
                      steps:
                        - filter: currency1 != 'JPY'
                        - enrich: { table: desks, key: id %% 100, add: { desk: name } }
                        - route:
                            - { when: buySell == 'Buy', to: buys }
                            - { otherwise: sells }
                    rejecting:
                      feed: { generator: { rate: 1000 } }
                      schema: trade
                      steps:
                        - enrich: { table: desks, key: id %% 200, add: { desk: name }, on-miss: reject }
                        - to: checked
                    late:
                      feed: { generator: { rate: 1000 } }
                      schema: trade
                      steps:
                        - measure:
                            name: seconds
                            time: "#instant('2026-01-01T00:00:00Z').plusSeconds(id %% 1000)"
                            every: 1s
                            values: { trades: count() }
                        - to: behind
                    garbage:
                      feed: { file: %2$s }
                      schema: trade
                      steps:
                        - to: junk
                    silent:
                      feed: { tcp: { port: 0 } }
                      schema: trade
                      steps:
                        - to: quiet
                    hung:
                      feed: { file: %1$s }
                      schema: trade
                      steps:
                        - to: channel:hangs
                    old:
                      feed: { kafka: { bootstrap-servers: '%3$s', topics: old } }
                      schema: trade
                      steps:
                        - to: channel:hangs
                    broken:
                      feed: { file: %1$s }
                      schema: trade
                      steps:
                        - to: channel:breaks
                """.formatted(trades, garbage, brokers);
    }

    /** Endpoints as nobody wants them. */
    static class Faults {

        private final CountDownLatch over = new CountDownLatch(1);

        @ServiceActivator(inputChannel = "hangs")
        void hang(Object batch) throws InterruptedException {
            over.await();
        }

        @ServiceActivator(inputChannel = "breaks")
        void fail(Object batch) {
            throw new IllegalStateException("an endpoint's own mistake");
        }
    }

    @RegisterExtension
    static final TestBroker KAFKA = new TestBroker();

    @TempDir
    Path folder;

    @BeforeEach
    void needPrometheus() {
        assumeTrue(Prometheus.installed(), Prometheus.MISSING);
    }

    @Test
    void shouldShowEveryPanelAndFireEachAlertForItsReason() throws Exception {
        Path trades = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(50_000, 1));
        Path garbage = Files.write(folder.resolve("garbage.bin"), filled(2_000 * TradeFile.LENGTH));
        Path config = Files.writeString(
                folder.resolve("config.yml"),
                config(trades, garbage, KAFKA.broker().bootstrapServers()));
        KAFKA.topics().create("old", 1, Map.of("retention.ms", "-1"));
        KAFKA.topics()
                .send(TradeFile.random(10_000, 2).stream()
                        .map(trade -> new ProducerRecord<byte[], byte[]>("old", 0, 1L, null, trade.bytes()))
                        .toList());
        int lonelyPort = FreePort.next();
        try (MillraceProcess lonely = MillraceProcess.start(
                        Files.createDirectory(folder.resolve("lonely")),
                        "--server.port=" + lonelyPort,
                        "--millrace.geode.locators=127.0.0.1:" + FreePort.next());
                ConfigurableApplicationContext context = new SpringApplicationBuilder(
                                MillraceApplication.class, Faults.class)
                        .run(
                                "--server.port=0",
                                "--millrace.data=" + folder,
                                "--spring.config.additional-location=" + config.toUri())) {
            int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            await().until(() -> lonely.get("/actuator/prometheus") != null);
            try (Prometheus prometheus =
                    Prometheus.start(folder, Observability.impatientRules(), List.of(port, lonelyPort))) {
                watch(prometheus, Prometheus.instance(port), Prometheus.instance(lonelyPort), lonely);
            } finally {
                context.getBean(Faults.class).over.countDown();
            }
        }
    }

    /** Bytes that are no trades. */
    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xEE);
        return bytes;
    }

    private static void watch(Prometheus prometheus, String service, String alone, MillraceProcess lonely)
            throws Exception {
        List<String> expected = new ArrayList<>(List.of(
                "MillracePipelineFailed " + service + " broken",
                "MillracePipelineDegraded " + service + " garbage",
                "MillraceRejects " + service + " rejecting",
                "MillraceLateRecords " + service + " late",
                "MillraceNoData " + service + " silent",
                "MillraceRecordsUnaccounted " + service + " hung",
                "MillraceLag " + service + " hung",
                "MillraceOldRecords " + service + " old",
                "MillraceGcPauses " + service,
                "MillraceStoreDown " + alone,
                "MillraceStoreFailing " + alone + " trades"));
        await().pollInterval(1, SECONDS).untilAsserted(() -> {
            // Nobody would call it twice a second but for this.
            System.gc();
            System.gc();
            assertThat(prometheus.firing()).containsAll(expected);
        });
        // Nothing is wrong with this one, whatever goes on beside it.
        await().pollInterval(1, SECONDS)
                .untilAsserted(() -> assertThat(prometheus.firing())
                        .noneMatch(alert -> alert.endsWith(service + " trades"))
                        .doesNotContain("MillraceDown " + alone));

        await().pollInterval(1, SECONDS)
                .untilAsserted(() -> assertThat(empty(prometheus)).isEmpty());

        lonely.kill();
        expected.add("MillraceDown " + alone);
        await().pollInterval(1, SECONDS)
                .untilAsserted(() -> assertThat(prometheus.firing()).contains(expected.getLast()));

        List<String> fired = expected.stream()
                .map(alert -> alert.substring(0, alert.indexOf(' ')))
                .toList();
        assertThat(Observability.alerts().keySet())
                .containsExactlyInAnyOrderElementsOf(Stream.concat(fired.stream(), Stream.of("MillraceCopiesMissing"))
                        .toList());
    }

    /** Expressions of the dashboard that give nothing; that of copies needs a server of a cluster. */
    private static List<String> empty(Prometheus prometheus) throws Exception {
        List<String> empty = new ArrayList<>();
        for (Map.Entry<String, List<String>> panel : Observability.dashboard().entrySet()) {
            for (String expression : panel.getValue()) {
                if (!PromQl.metrics(expression).contains("millrace_store_copies_complete")
                        && prometheus.query(expression) == 0) {
                    empty.add(panel.getKey() + ": " + expression);
                }
            }
        }
        return empty;
    }
}
