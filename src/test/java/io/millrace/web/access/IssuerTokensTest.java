package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.application.MillraceApplication;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A service that accepts tokens of an issuer, which it reads the keys from. */
@Tag("long")
class IssuerTokensTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private OpenIdProvider provider;

    @SuppressWarnings("NullAway.Init") // set by each test
    private ConfigurableApplicationContext context;

    @BeforeEach
    void startProvider() throws Exception {
        provider = new OpenIdProvider();
    }

    @AfterEach
    void stop() {
        context.close();
        provider.close();
    }

    private void start(String issuer) {
        String jwt = "--spring.security.oauth2.resourceserver.jwt.";
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--millrace.data=" + folder.resolve("data"),
                        "--millrace.regions.all.layout=blocks",
                        "--millrace.regions.all.schema=trade",
                        jwt + "issuer-uri=" + issuer,
                        jwt + "audiences=millrace");
    }

    private CompletableFuture<Integer> status(String token) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/api/user"))
                .header("Authorization", "Bearer " + token)
                .build();
        return HTTP.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::statusCode);
    }

    /** Anyone can send them, and so would let the service attack the issuer. */
    @Test
    void shouldNotReadTheKeysForEachTokenOfAnUnknownKey() throws Exception {
        start(provider.issuer());
        assertThat(status(provider.accessToken("signer")).join()).isEqualTo(200);
        long begin = System.nanoTime();
        List<CompletableFuture<Integer>> refused = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            refused.add(status(provider.accessToken("unknown-" + i)));
        }
        for (CompletableFuture<Integer> each : refused) {
            assertThat(each.join()).isEqualTo(401);
        }
        Duration passed = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(provider.keyReads()).isLessThanOrEqualTo((int) (2 + passed.dividedBy(IssuerRequests.INTERVAL)));
        assertThat(status(provider.accessToken("signer")).join()).isEqualTo(200);
    }

    @Test
    void shouldAcceptANewKeyOfTheIssuer() throws Exception {
        start(provider.issuer());
        assertThat(status(provider.accessToken("signer")).join()).isEqualTo(200);
        String earlier = provider.accessToken("signer");
        provider.rotateKey("second");
        String token = provider.accessToken("second");
        await().until(() -> status(token).join() == 200);
        assertThat(status(earlier).join()).isEqualTo(401);
    }

    @Test
    void shouldRefuseTokensWhileTheIssuerCannotBeReached() throws Exception {
        String issuer = provider.issuer();
        String token = provider.accessToken("signer");
        provider.close();
        start(issuer);
        assertThat(status(token).join()).isEqualTo(503);
    }

    @Test
    void shouldRefuseTokensOfAnIssuerThatDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            start("http://127.0.0.1:" + silent.getLocalPort());
            assertThat(status(provider.accessToken("signer")).join()).isEqualTo(503);
        }
    }
}
