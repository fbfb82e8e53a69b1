package io.millrace.web;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.pipeline.TradeFile;
import java.io.IOException;
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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A backtest whose client goes away. */
class BacktestCancelTest {

    private static final int RECORDS = 60_000;
    private static final String ALL = "steps: [ { to: all } ]";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    /** A function that takes a while, and counts. */
    public static final class Slow {

        static final AtomicLong CALLS = new AtomicLong();
        static final AtomicLong INTERRUPTS = new AtomicLong();

        private Slow() {}

        public static long slow(long id) {
            CALLS.incrementAndGet();
            LockSupport.parkNanos(200_000);
            if (Thread.currentThread().isInterrupted()) {
                INTERRUPTS.incrementAndGet();
            }
            return id;
        }
    }

    @Configuration
    static class Functions {

        @Bean
        ExpressionFunction slowFunction() {
            return ExpressionFunction.ofStatic("slow", Slow.class, "slow");
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Path file = TradeFile.write(folder.resolve("trades.bin"), TradeFile.random(RECORDS, 1));
        Path config = Files.writeString(folder.resolve("config.yml"), """
                millrace:
                  data: %s
                  regions:
                    all: { layout: blocks, block-records: 64 }
                  pipelines:
                    trades:
                      feed: { file: %s }
                      schema: trade
                      steps: [ { to: all } ]
                """.formatted(folder.resolve("data"), file));
        context = new SpringApplicationBuilder(MillraceApplication.class, Functions.class)
                .run("--server.port=0", "--spring.config.additional-location=" + config.toUri());
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port() + "/api/pipelines/trades"))
                    .build();
            await().until(() ->
                    http.send(request, BodyHandlers.ofString()).body().contains("\"state\":\"done\""));
        }
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static int port() {
        return Integer.parseInt(Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port")));
    }

    /** While a server looks for records, and while the rules run on those that it has found. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "#slow(id) < 0; steps: [ { to: all } ]",
                "id > 0;        'steps: [ { filter: ''#slow(id) > 0'' }, { to: all } ]'"
            })
    void shouldEndWhenTheClientIsGone(String where, String rules) throws Exception {
        long before = Slow.CALLS.get();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            send(socket, where, rules);
            await().until(() -> Slow.CALLS.get() > before + 20);
        }
        AtomicLong last = new AtomicLong(-1);
        await().pollInterval(300, MILLISECONDS).until(() -> last.getAndSet(Slow.CALLS.get()) == Slow.CALLS.get());
        assertThat(Slow.CALLS.get() - before).isLessThan(RECORDS / 2);
        assertThat(Slow.INTERRUPTS).hasValue(0);
        assertThat(backtest().statusCode()).isEqualTo(200);
    }

    /** The next one does not have to be repeated. */
    @Test
    void shouldBeginOnceTheOneBeforeHasEnded() throws Exception {
        long before = Slow.CALLS.get();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            send(socket, "#slow(id) < 0", ALL);
            await().until(() -> Slow.CALLS.get() > before + 20);
            assertThat(backtest().body()).contains("\"code\":\"busy\"");
        }
        HttpResponse<String> next = backtestAfterClose();
        assertThat(next.statusCode()).as(next.body()).isEqualTo(200);
        assertThat(next.body()).contains("\"records\":" + RECORDS);
    }

    /** Requests a backtest again until the server has noticed that the client of the one before is gone. */
    private static HttpResponse<String> backtestAfterClose() throws Exception {
        HttpResponse<String> response = backtest();
        long end = System.nanoTime() + TestTimeout.MAX.toNanos();
        while (response.body().contains("\"code\":\"busy\"") && System.nanoTime() < end) {
            response = backtest();
        }
        return response;
    }

    /** If each waited, the running one would end meanwhile. */
    @Test
    void shouldRefuseOthersAtOnceWhileOneRuns() throws Exception {
        long before = Slow.CALLS.get();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            send(socket, "#slow(id) < 0", ALL);
            await().until(() -> Slow.CALLS.get() > before + 20);
            for (int i = 0; i < 30; i++) {
                assertThat(backtest().body()).contains("\"code\":\"busy\"");
            }
        }
        assertThat(backtestAfterClose().statusCode()).isEqualTo(200);
    }

    private static void send(Socket socket, String where, String rules) throws IOException {
        socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
        byte[] body = rules.getBytes(StandardCharsets.UTF_8);
        socket.getOutputStream()
                .write(("POST /api/pipelines/trades/rules/backtest?region=all&where="
                                + URLEncoder.encode(where, StandardCharsets.UTF_8) + " HTTP/1.1\r\nHost: localhost\r\n"
                                + "Content-Type: application/yaml\r\nContent-Length: " + body.length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
    }

    private static HttpResponse<String> backtest() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(
                                    "http://127.0.0.1:" + port() + "/api/pipelines/trades/rules/backtest?region=all"))
                            .header("Content-Type", "application/yaml")
                            .timeout(TestTimeout.MAX)
                            .POST(BodyPublishers.ofString(ALL))
                            .build(),
                    BodyHandlers.ofString());
        }
    }
}
