package io.millrace.web.answer;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestTimeout;
import io.millrace.application.MillraceApplication;
import io.millrace.codec.RecordBatch;
import io.millrace.expression.function.ExpressionFunction;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.Writers;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** However many ask, and however slowly they read: only so many answers are made at a time, and all else goes on. */
class AnswerLimitsTest {

    private static final Schema TRADE = Schemas.builtIn().get("trade");
    private static final int TRADES = 400_000;
    private static final int CONCURRENT = 2;
    private static final int WAITING = 3;

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext context;
    private static HttpClient http;

    /** A function that waits until the test lets it go on. */
    public static final class Gate {

        static volatile CountDownLatch open = new CountDownLatch(0);

        /** Queries that have begun to wait. */
        static final Set<Long> ENTERED = ConcurrentHashMap.newKeySet();

        private Gate() {}

        public static boolean waits(long query, long id) throws InterruptedException {
            ENTERED.add(query);
            return open.await(TestTimeout.MAX.toSeconds(), SECONDS) && id > 0;
        }
    }

    @Configuration
    static class Functions {

        @Bean
        ExpressionFunction gate() {
            return ExpressionFunction.ofStatic("waits", Gate.class, "waits");
        }
    }

    @BeforeAll
    static void start() {
        context = new SpringApplicationBuilder(MillraceApplication.class, Functions.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder,
                        "--millrace.query.max-concurrent=" + CONCURRENT,
                        "--millrace.query.max-waiting=" + WAITING,
                        "--millrace.web.slow-client-timeout=1s");
        http = HttpClient.newHttpClient();
        Store store = context.getBean(Store.class);
        store.open(new RegionDefinition("trades", Layout.BLOCKS, 0, false, TRADE, List.of(), 1024));
        RegionWriter writer = Writers.open(store, "trades", "trades", 0, TRADE, (_, _, reason) -> {
            throw new AssertionError(reason.toString());
        });
        byte[] bytes = new byte[TRADES * TRADE.recordLength()];
        RecordGenerator.of(TRADE, 1).fill(bytes, 0, TRADES);
        writer.append(new RecordBatch(TRADE).fill(bytes, 0, TRADES, 0, bytes.length));
        writer.flush();
    }

    @AfterAll
    static void stop() {
        http.close();
        context.close();
    }

    private static int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .build();
    }

    private static int status(String path) throws Exception {
        return http.send(request(path), BodyHandlers.discarding()).statusCode();
    }

    private static String waiting(int query) {
        return "/api/regions/trades/records?limit=1&timeout=2m&where="
                + URLEncoder.encode("#waits(" + query + ", id)", StandardCharsets.UTF_8);
    }

    @Test
    void shouldRefuseQueriesBeyondThoseThatWaitAndAnswerAllElse() throws Exception {
        Gate.open = new CountDownLatch(1);
        Gate.ENTERED.clear();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        try {
            for (int i = 0; i < CONCURRENT; i++) {
                answers.add(http.sendAsync(request(waiting(i)), BodyHandlers.ofString()));
            }
            // An answer of the other test may still have a place: from here on both are taken by these.
            await().until(() -> Gate.ENTERED.size() == CONCURRENT);
            for (int i = CONCURRENT; i < 60; i++) {
                answers.add(http.sendAsync(request(waiting(i)), BodyHandlers.ofString()));
            }
            await().until(() ->
                    answers.stream().filter(CompletableFuture::isDone).count() == 60 - CONCURRENT - WAITING);
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                if (answer.isDone()) {
                    HttpResponse<String> refused = answer.get();
                    assertThat(refused.statusCode()).isEqualTo(503);
                    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
                    assertThat(refused.body()).contains("\"code\":\"busy\"", "millrace.query.max-concurrent");
                }
            }
            for (int i = 0; i < 20; i++) {
                assertThat(status("/actuator/health/liveness")).isEqualTo(200);
                assertThat(status("/actuator/health/readiness")).isEqualTo(200);
                assertThat(status("/api/pipelines")).isEqualTo(200);
                assertThat(status("/api/regions/trades")).isEqualTo(200);
                // An invalid query does not wait for its turn.
                assertThat(status("/api/regions/trades/records?limit=0")).isEqualTo(400);
                assertThat(status("/api/regions/trades/aggregate?limit=0")).isEqualTo(400);
            }
            assertThat(answers.stream().filter(CompletableFuture::isDone).count())
                    .isEqualTo(60 - CONCURRENT - WAITING);
        } finally {
            Gate.open.countDown();
        }

        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isIn(200, 503);
        }
        assertThat(status(waiting(60))).isEqualTo(200);
    }

    @Test
    void shouldCutOffClientsThatReadNothing() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < CONCURRENT; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(8 << 10);
                socket.setSoTimeout((int) TestTimeout.MAX.toMillis());
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
                socket.getOutputStream().write("""
                        GET /api/regions/trades/records?format=csv HTTP/1.1\r
                        Host: localhost\r
                        Connection: close\r
                        \r
                        """.getBytes(StandardCharsets.US_ASCII));
                sockets.add(socket);
            }

            for (Socket socket : sockets) {
                socket.getInputStream().readNBytes(1); // it has its place
            }

            // Waits until one of them has lost its place.
            assertThat(status("/api/regions/trades/records?limit=1")).isEqualTo(200);

            List<String> ends = sockets.stream().map(AnswerLimitsTest::read).toList();
            assertThat(ends).anySatisfy(end -> assertThat(end).doesNotEndWith("0\r\n\r\n"));
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** What there is until the connection ends: the last chunk of a whole answer is empty. */
    private static String read(Socket socket) {
        StringBuilder read = new StringBuilder();
        byte[] buffer = new byte[64 << 10];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                read.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                read.delete(0, Math.max(0, read.length() - 16));
            }
        } catch (IOException e) {
            return read + "broken";
        }
        return read.toString();
    }
}
