package io.millrace.web.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jwt.JWTClaimsSet;
import io.millrace.application.MillraceApplication;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.InMemoryWebSessionStore;

/** Sign-ins at an identity provider, over real sockets, by a client that does what a browser does. */
class ProviderSignInTest {

    private static final String START = "/oauth2/authorization/plant";
    private static final String PLAY = "/api/pipelines/made/replay";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static OpenIdProvider provider;

    @SuppressWarnings("NullAway.Init") // likewise
    private static OpenIdProvider older;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ListAppender<ILoggingEvent> LOG = new ListAppender<>();

    @BeforeAll
    static void start() throws Exception {
        provider = new OpenIdProvider();
        older = new OpenIdProvider(false);
        String client = "--spring.security.oauth2.client.";
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--server.address=0.0.0.0",
                        "--management.endpoints.web.exposure.include=*",
                        "--millrace.data=" + folder.resolve("data"),
                        "--millrace.regions.all.layout=blocks",
                        "--millrace.pipelines.made.feed.generator.rate=1000",
                        "--millrace.pipelines.made.schema=trade",
                        "--millrace.pipelines.made.steps[0].to=all",
                        "--millrace.security.roles-claim=realm_access.roles",
                        client + "registration.plant.client-id=millrace",
                        client + "registration.plant.client-secret=" + OpenIdProvider.SECRET,
                        client + "registration.plant.scope=openid",
                        client + "registration.plant.client-name=Plant",
                        client + "provider.plant.issuer-uri=" + provider.issuer(),
                        client + "provider.plant.user-name-attribute=preferred_username",
                        client + "registration.second.client-id=millrace",
                        client + "registration.second.scope=openid",
                        client + "registration.second.provider=plant",
                        client + "registration.older.client-id=millrace",
                        client + "registration.older.client-secret=" + OpenIdProvider.SECRET,
                        client + "registration.older.scope=openid",
                        client + "provider.older.issuer-uri=" + older.issuer(),
                        client + "provider.older.user-name-attribute=preferred_username",
                        // Nobody listens there.
                        client + "registration.gone.client-id=millrace",
                        client + "registration.gone.scope=openid",
                        client + "provider.gone.issuer-uri=http://127.0.0.1:1");
        LOG.list = new CopyOnWriteArrayList<>();
        LOG.start();
        audit().setLevel(Level.INFO);
        audit().addAppender(LOG);
    }

    private static Logger audit() {
        return (Logger) LoggerFactory.getLogger(AuditLog.class);
    }

    @AfterEach
    void resetProvider() {
        provider.change(UnaryOperator.identity());
        provider.signBy(null);
    }

    @AfterAll
    static void end() {
        audit().detachAppender(LOG);
        audit().setLevel(null);
        context.close();
        provider.close();
        older.close();
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    private static HttpResponse<String> send(String method, URI uri, @Nullable String cookie) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        method.equals("PUT") ? BodyPublishers.ofString("{\"rate\": 1000}") : BodyPublishers.noBody());
        if (cookie != null) {
            request.header("Cookie", cookie);
        }
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static URI location(HttpResponse<String> response) {
        return URI.create(response.headers().firstValue("Location").orElseThrow());
    }

    /** Returns the cookie of a response whose name ends so. */
    private static String setCookie(HttpResponse<String> response, String name) {
        return response.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.split("=", 2)[0].endsWith(name))
                .findFirst()
                .orElseThrow();
    }

    private static String value(String cookie) {
        return cookie.substring(0, cookie.indexOf(';'));
    }

    /**
     * A sign-in that the provider has granted.
     *
     * @param cookie of the browser that started it
     * @param back address that the provider redirects to
     */
    private record Granted(String cookie, URI back) {

        static Granted to(String user) throws Exception {
            return to(user, START);
        }

        static Granted to(String user, String start) throws Exception {
            HttpResponse<String> started = send("GET", uri(start), null);
            String authorize = location(started).toString();
            HttpResponse<String> granted =
                    send("GET", URI.create(authorize.replace("/authorize?", "/authorize/" + user + "?")), null);
            assertThat(granted.statusCode()).as(granted.body()).isEqualTo(302);
            return new Granted(value(setCookie(started, "-sign-in")), location(granted));
        }

        HttpResponse<String> complete() throws Exception {
            return send("GET", back, cookie);
        }
    }

    private static int sessions() {
        return ((InMemoryWebSessionStore)
                        context.getBean(DefaultWebSessionManager.class).getSessionStore())
                .getSessions()
                .size();
    }

    private static void refused(HttpResponse<String> response, String reason) {
        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location")).contains("/sign-in.html?" + reason);
        assertThat(response.headers().allValues("Set-Cookie")).noneMatch(cookie -> cookie.contains("SameSite=Strict"));
    }

    @ParameterizedTest
    @CsvSource({"viewer, 403, 403", "operator, 200, 403", "admin, 200, 200"})
    void shouldSignInWithTheRoleOfTheClaim(String user, int change, int environment) throws Exception {
        HttpResponse<String> signedIn = Granted.to(user).complete();
        assertThat(location(signedIn)).hasToString("/sign-in.html?signed-in");
        String session = signedIn.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.contains("SameSite=Strict"))
                .findFirst()
                .orElseThrow();
        assertThat(session).containsIgnoringCase("HttpOnly");

        String cookie = value(session);
        assertThat(send("GET", uri("/api/user"), cookie).body()).contains('"' + user + '"');
        assertThat(send("GET", uri("/api/pipelines"), cookie).statusCode()).isEqualTo(200);
        assertThat(send("PUT", uri(PLAY), cookie).statusCode()).isEqualTo(change);
        assertThat(send("GET", uri("/actuator/env"), cookie).statusCode()).isEqualTo(environment);

        assertThat(location(send("POST", uri("/sign-out"), cookie))).hasToString("/sign-in.html");
        assertThat(send("GET", uri("/api/user"), cookie).statusCode()).isEqualTo(401);
    }

    @Test
    void shouldRefuseUsersWithoutARole() throws Exception {
        int before = sessions();
        refused(Granted.to("none").complete(), "no-role");
        provider.change(claims -> claims.claim("realm_access", null).claim("roles", "admin"));
        refused(Granted.to("admin").complete(), "no-role");
        assertThat(sessions()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonce", "audience", "issuer", "expired", "not-expiring", "no-subject", "signer"})
    void shouldRefuseIdTokensThatAreNotValid(String fault) throws Exception {
        Date past = Date.from(Instant.now().minusSeconds(600));
        Map<String, UnaryOperator<JWTClaimsSet.Builder>> faults = Map.of(
                "nonce", claims -> claims.claim("nonce", "another"),
                "audience", claims -> claims.audience("another"),
                "issuer", claims -> claims.issuer("https://another.example"),
                "expired", claims -> claims.expirationTime(past),
                "not-expiring", claims -> claims.expirationTime(null),
                "no-subject", claims -> claims.subject(null));
        provider.change(faults.getOrDefault(fault, UnaryOperator.identity()));
        if (fault.equals("signer")) {
            provider.signBy(OpenIdProvider.key());
        }
        int before = sessions();

        refused(Granted.to("admin").complete(), "not-authenticated");
        assertThat(sessions()).isEqualTo(before);
    }

    @Test
    void shouldRefuseUsersWithoutTheNameClaim() throws Exception {
        provider.change(claims -> claims.claim("preferred_username", null));
        refused(Granted.to("admin").complete(), "provider");
    }

    @Test
    void shouldCompleteASignInOnlyInTheBrowserThatStartedIt() throws Exception {
        Granted mine = Granted.to("admin");
        Granted other = Granted.to("viewer");

        refused(send("GET", mine.back(), null), "not-authenticated");
        refused(send("GET", mine.back(), other.cookie()), "not-authenticated");
        refused(
                send("GET", URI.create(mine.back().toString().replace("state=", "state=x")), mine.cookie()),
                "not-authenticated");
        refused(
                send("GET", URI.create(mine.back().toString().replace("/plant", "/second")), mine.cookie()),
                "not-authenticated");
        for (String cookie : new String[] {"", ".", "...", "a.b.c.d", "x".repeat(4000)}) {
            String name = mine.cookie().split("=", 2)[0];
            refused(send("GET", mine.back(), name + "=" + cookie), "not-authenticated");
        }
        assertThat(location(mine.complete())).hasToString("/sign-in.html?signed-in");
    }

    /** A code that was stolen does not fit to the verifier of another browser. */
    @Test
    void shouldRefuseCodesOfOtherBrowsers() throws Exception {
        Granted stolen = Granted.to("admin");
        Granted own = Granted.to("viewer");
        String code = stolen.back().getRawQuery().replaceAll(".*code=([^&]*).*", "$1");

        refused(
                send("GET", URI.create(own.back().toString().replaceAll("code=[^&]*", "code=" + code)), own.cookie()),
                "not-authenticated");
    }

    @Test
    void shouldTakeACodeOnce() throws Exception {
        Granted granted = Granted.to("admin");
        HttpResponse<String> first = granted.complete();

        assertThat(location(first)).hasToString("/sign-in.html?signed-in");
        assertThat(setCookie(first, "-sign-in")).contains("Max-Age=0");
        refused(granted.complete(), "not-authenticated");
    }

    /** RFC 9207: otherwise, a code could be sent to another provider than the one that issued it. */
    @Test
    void shouldRefuseResponsesThatDoNotNameTheirIssuer() throws Exception {
        int before = sessions();
        LOG.list.clear();
        String own = "&iss=" + URLEncoder.encode(provider.issuer(), UTF_8);
        String other = "&iss=" + URLEncoder.encode(older.issuer(), UTF_8);
        for (String wrong : List.of("", "&iss=", other, own + "%2F", own + other, own + own)) {
            Granted granted = Granted.to("admin");
            assertThat(granted.back().toString()).contains(own);
            String back = granted.back().toString().replace(own, wrong);
            refused(send("GET", URI.create(back), granted.cookie()), "other-issuer");
        }
        assertThat(sessions()).isEqualTo(before);
        await().untilAsserted(() -> assertThat(LOG.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.endsWith(" reason=other-issuer")));
        assertThat(send("GET", uri("/sign-in.html"), null).body()).contains("id=\"other-issuer\"");
    }

    /** It does not promise to name its issuer. */
    @Test
    void shouldTakeResponsesOfAProviderWithoutItsIssuer() throws Exception {
        String start = "/oauth2/authorization/older";
        Granted granted = Granted.to("admin", start);
        assertThat(granted.back().toString()).doesNotContain("iss=");
        assertThat(location(granted.complete())).hasToString("/sign-in.html?signed-in");

        Granted mixedUp = Granted.to("admin", start);
        String back = mixedUp.back() + "&iss=" + URLEncoder.encode(provider.issuer(), UTF_8);
        refused(send("GET", URI.create(back), mixedUp.cookie()), "other-issuer");
    }

    @Test
    void shouldReportARefusalOfTheProvider() throws Exception {
        Granted granted = Granted.to("admin");
        refused(
                send(
                        "GET",
                        URI.create(granted.back().toString().replaceAll("code=[^&]*", "error=access_denied")),
                        granted.cookie()),
                "not-authenticated");
    }

    /** Each would take memory until the service ends, and a place of 10,000. */
    @Test
    void shouldKeepNoSessionOfSignInsThatAreStarted() throws Exception {
        int before = sessions();
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> started = send("GET", uri(START), null);
            assertThat(setCookie(started, "-sign-in"))
                    .containsIgnoringCase("HttpOnly")
                    .contains("SameSite=Lax", "Path=/login/oauth2/code/", "Max-Age=600");
            send("GET", uri("/login/oauth2/code/plant?code=a&state=b"), null);
        }
        assertThat(sessions()).isEqualTo(before);
    }

    /** The service has started although this provider can't be reached. */
    @Test
    void shouldReportAProviderThatCannotBeReached() throws Exception {
        HttpResponse<String> response = send("GET", uri("/oauth2/authorization/gone"), null);

        refused(response, "provider");
        assertThat(response.body()).isEmpty();
        assertThat(send("GET", uri("/sign-in.html"), null).body()).contains("identity provider does not respond");
    }

    @Test
    void shouldRefuseUnknownProviders() throws Exception {
        assertThat(send("GET", uri("/oauth2/authorization/unknown"), null).statusCode())
                .isIn(400, 401);
        assertThat(send("GET", uri("/login/oauth2/code/unknown?code=a&state=b"), null)
                        .statusCode())
                .isIn(302, 400);
    }

    @Test
    void shouldListProvidersOnThePageToSignInOn() throws Exception {
        assertThat(send("GET", uri("/api/sign-in"), null).body())
                .contains("\"passwords\":false", "{\"name\":\"Plant\",\"path\":\"/oauth2/authorization/plant\"}");
        HttpRequest page =
                HttpRequest.newBuilder(uri("/")).header("Accept", "text/html").build();
        assertThat(location(HTTP.send(page, BodyHandlers.ofString()))).hasToString("/sign-in.html");
    }

    @Test
    void shouldLogSignInsAndRefusals() throws Exception {
        LOG.list.clear();
        // Lines of other tests may still come: a line is written once the response has been sent.
        provider.change(claims -> claims.claim("preferred_username", "watcher"));
        Granted.to("viewer").complete();
        Granted.to("none").complete();
        provider.change(claims -> claims.claim("nonce", "another"));
        Granted.to("admin").complete();

        String request = " method=GET path=/login/oauth2/code/plant status=302 from=127.0.0.1";
        await().untilAsserted(() -> assertThat(LOG.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains("refused: user=-" + request + " reason=invalid_nonce")
                .filteredOn(line -> line.contains("user=watcher"))
                .containsExactlyInAnyOrder(
                        "changed: user=watcher" + request, "refused: user=watcher" + request + " reason=no-role"));
    }
}
