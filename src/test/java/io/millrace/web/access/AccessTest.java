package io.millrace.web.access;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.application.MillraceApplication;
import io.millrace.cli.check.CheckCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
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
import picocli.CommandLine;

/** Whom a service with users and tokens lets in, and to what, over a real socket. */
class AccessTest {

    private static final String PASSWORD = "a password of some length";
    private static final String PLAY = "/api/pipelines/made/replay";

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static ConfigurableApplicationContext context;

    @SuppressWarnings("NullAway.Init") // likewise
    private static KeyPair issuer;

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ListAppender<ILoggingEvent> LOG = new ListAppender<>();

    @BeforeAll
    static void start() throws Exception {
        LOG.list = new CopyOnWriteArrayList<>();
        LOG.start();
        issuer = keys();
        Path key = Files.writeString(
                folder.resolve("issuer.pem"),
                "-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(issuer.getPublic().getEncoded())
                        + "\n-----END PUBLIC KEY-----\n");
        Path secret = Files.writeString(folder.resolve("secret"), PASSWORD + "\n");
        context = new SpringApplicationBuilder(MillraceApplication.class)
                .run(
                        "--server.port=0",
                        "--server.address=0.0.0.0",
                        "--millrace.data=" + folder.resolve("data"),
                        "--millrace.regions.all.layout=blocks",
                        "--millrace.pipelines.made.feed.generator.rate=1000",
                        "--millrace.pipelines.made.schema=trade",
                        "--millrace.pipelines.made.steps[0].to=all",
                        "--management.endpoints.web.exposure.include=*",
                        "--management.endpoint.loggers.access=unrestricted",
                        "--millrace.security.users.vera.password={bcrypt}" + Passwords.hash(PASSWORD),
                        "--millrace.security.users.vera.role=viewer",
                        "--millrace.security.users.olaf.password-file=" + secret,
                        "--millrace.security.users.olaf.role=operator",
                        "--millrace.security.users.anna.password-file=" + secret,
                        "--millrace.security.users.anna.role=admin",
                        "--spring.security.oauth2.resourceserver.jwt.audiences=millrace",
                        "--spring.security.oauth2.resourceserver.jwt.public-key-location=file:" + key);
        audit().addAppender(LOG);
    }

    private static Logger audit() {
        return (Logger) LoggerFactory.getLogger(AuditLog.class);
    }

    private static KeyPair keys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    @AfterAll
    static void end() {
        audit().detachAppender(LOG);
        audit().setLevel(null);
        context.close();
    }

    private static HttpRequest.Builder request(String method, String path, @Nullable String authorization) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        switch (method) {
                            case "PUT" -> BodyPublishers.ofString("{\"rate\": 1000}");
                            case "POST" -> BodyPublishers.ofString("{\"configuredLevel\": \"INFO\"}");
                            default -> BodyPublishers.noBody();
                        });
        return authorization == null ? request : request.header("Authorization", authorization);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> send(String method, String path, @Nullable String authorization)
            throws Exception {
        return send(request(method, path, authorization));
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private static String bearer(KeyPair signer, Object roles, Instant until) throws Exception {
        return bearer(
                signer,
                new JWTClaimsSet.Builder()
                        .subject("service-7\nline")
                        .audience("millrace")
                        .claim("roles", roles)
                        .expirationTime(Date.from(until))
                        .build());
    }

    private static String bearer(KeyPair signer, JWTClaimsSet claims) throws Exception {
        return typedBearer(signer, claims, null);
    }

    private static String typedBearer(KeyPair signer, JWTClaimsSet claims, @Nullable String type) throws Exception {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .type(type == null ? null : new JOSEObjectType(type))
                .build();
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(new RSASSASigner(signer.getPrivate()));
        return "Bearer " + token.serialize();
    }

    @ParameterizedTest
    @CsvSource({
        // method, path, nobody, viewer, operator, admin
        "GET, /api/pipelines, 401, 200, 200, 200",
        "GET, /api/regions/all/records, 401, 200, 200, 200",
        "GET, /api/live/history, 401, 200, 200, 200",
        "GET, /actuator/metrics, 401, 200, 200, 200",
        "GET, /actuator/env, 401, 403, 403, 200",
        "GET, /actuator/loggers, 401, 403, 403, 200",
        "GET, /actuator/health, 401, 200, 200, 200",
        "GET, /actuator/health/liveness, 200, 200, 200, 200",
        "GET, /actuator/health/readiness, 200, 200, 200, 200",
        "GET, /sign-in.html, 200, 200, 200, 200",
        "GET, /api/sign-in, 200, 200, 200, 200",
        "GET, /js/app.js, 401, 200, 200, 200",
        "GET, /nothing-here, 401, 404, 404, 404",
        "PUT, /api/pipelines/made/replay, 401, 403, 200, 200",
        "GET, /api/pipelines/made/rules, 401, 200, 200, 200",
        "GET, /api/pipelines/made/rules/shadow, 401, 404, 404, 404",
        "POST, /api/pipelines/none/restart, 401, 403, 404, 404",
        "POST, /api/pipelines/made/rules?dryRun=true, 401, 403, 422, 422",
        "POST, /api/pipelines/made/rules/shadow, 401, 403, 422, 422",
        "POST, /api/pipelines/made/rules/backtest?region=all, 401, 403, 422, 422",
        "DELETE, /api/pipelines/made/rules/shadow, 401, 403, 404, 404",
        "POST, /api/pipelines/made/rules/shadow/promote, 401, 403, 404, 404",
        "POST, /api/tables/none/reload, 401, 403, 404, 404",
        "POST, /actuator/loggers/io.example, 401, 403, 403, 204",
        "DELETE, /api/regions/all, 401, 403, 405, 405",
        "PATCH, /nothing-here, 401, 403, 404, 404",
    })
    void shouldLetInByRole(String method, String path, int nobody, int viewer, int operator, int admin)
            throws Exception {
        assertThat(send(method, path, null).statusCode()).isEqualTo(nobody);
        assertThat(send(method, path, basic("vera", PASSWORD)).statusCode()).isEqualTo(viewer);
        assertThat(send(method, path, basic("olaf", PASSWORD)).statusCode()).isEqualTo(operator);
        assertThat(send(method, path, basic("anna", PASSWORD)).statusCode()).isEqualTo(admin);
    }

    /** However a path is written, it does not get around the roles. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/css/%2e%2e/js/app.js",
                "/css/../js/app.js",
                "/css/..%2fjs/app.js",
                "/css/..%5cjs/app.js",
                "/js/sign-in.js/../app.js",
                "/js/sign-in.js%2f..%2fapp.js",
                "/sign-in.html/../api/pipelines",
                "/sign-in.html;/../api/pipelines",
                "//api/pipelines",
                "/api;x=1/pipelines",
                "/api/pipelines/",
                "/api/pipelines;a",
                "/actuator/health/liveness/../../metrics",
                "/actuator/health/liveness%2f..%2f..%2fmetrics",
                "/actuator;/metrics",
                "/API/pipelines",
                "/api%2fpipelines"
            })
    void shouldNotServeNobodyByAnotherSpelling(String path) throws Exception {
        HttpResponse<String> answer = send("GET", path, null);

        assertThat(answer.statusCode()).isIn(400, 401, 403, 404);
        assertThat(answer.body()).doesNotContain("import", "made", "names");
    }

    /** The role admin is asked for whatever the path to the actuator looks like. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator;x/loggers/io.example",
                "//actuator/loggers/io.example",
                "/actuator%2floggers/io.example",
                "/api/../actuator/loggers/io.example",
                "/ACTUATOR/loggers/io.example",
                "/actuator/loggers/io.example/"
            })
    void shouldKeepOperatorsFromTheActuator(String path) throws Exception {
        assertThat(send("POST", path, basic("olaf", PASSWORD)).statusCode()).isIn(400, 403, 404, 405);
    }

    @Test
    void shouldTakeKeysOfAnyCharacters() throws Exception {
        assertThat(send("GET", "/api/regions/all/a%2Fb%25c%3Bd%5Ce", basic("vera", PASSWORD))
                        .body())
                .contains("\"code\":");
    }

    @Test
    void shouldReportWhyItRefuses() throws Exception {
        HttpResponse<String> nobody = send("GET", "/api/pipelines", null);
        assertThat(nobody.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(nobody.headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"millrace\"");
        assertThat(nobody.body()).contains("\"code\":\"sign-in\"");
        assertThat(send("PUT", PLAY, basic("vera", PASSWORD)).body()).contains("\"code\":\"role\"", "operator");
        HttpResponse<String> script =
                send(request("GET", "/api/pipelines", null).header("X-Requested-With", "fetch"));
        assertThat(script.statusCode()).isEqualTo(401);
        assertThat(script.headers().firstValue("WWW-Authenticate")).isEmpty();
    }

    @Test
    void shouldRefuseWrongPasswordsAndUnknownUsers() throws Exception {
        for (String authorization : List.of(
                basic("vera", "another password, as long"),
                basic("vera", ""),
                basic("vera", PASSWORD + "x"),
                basic("vera", PASSWORD + "x".repeat(100)),
                basic("nobody", PASSWORD),
                basic("", ""),
                "Basic",
                "Basic !!!",
                "Bearer",
                "Bearer a.b.c",
                "Negotiate abc")) {
            assertThat(send("GET", "/api/pipelines", authorization).statusCode())
                    .as(authorization)
                    .isEqualTo(401);
        }
    }

    @Test
    void shouldLogChangesThoughTheLevelOfTheAuditLogIsOff() throws Exception {
        String logger = "/actuator/loggers/" + AuditLog.class.getName();
        HttpRequest.Builder off = request("POST", logger, basic("anna", PASSWORD))
                .POST(BodyPublishers.ofString("{\"configuredLevel\": \"OFF\"}"));
        assertThat(send(off).statusCode()).isEqualTo(204);
        assertThat(audit().getLevel()).isEqualTo(Level.OFF);

        send("PUT", PLAY, basic("olaf", PASSWORD));

        await().untilAsserted(() -> assertThat(LOG.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.startsWith("changed: user=olaf method=PUT path=" + PLAY)));
    }

    /** The second time it is compared by another hash. */
    @Test
    void shouldKnowAPasswordAgainAndOnlyThat() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(send("GET", "/api/user", basic("vera", PASSWORD)).body()).contains("vera", "viewer");
            assertThat(send("GET", "/api/user", basic("vera", "another password, as long"))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void shouldShowDetailsOfHealthToUsersOnly() throws Exception {
        assertThat(send("GET", "/actuator/health/readiness", null).body())
                .contains("components")
                .doesNotContain("details");
        assertThat(send("GET", "/actuator/health", basic("vera", PASSWORD)).body())
                .contains("details");
    }

    @Test
    void shouldTakeTokensOfTheIssuerWithTheirRoles() throws Exception {
        Instant soon = Instant.now().plusSeconds(600);

        assertThat(send("GET", "/api/pipelines", bearer(issuer, List.of("viewer"), soon))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send("PUT", PLAY, bearer(issuer, List.of("viewer"), soon)).statusCode())
                .isEqualTo(403);
        assertThat(send("PUT", PLAY, bearer(issuer, List.of("other", "operator"), soon))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send("PUT", PLAY, bearer(issuer, "openid operator", soon)).statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "/api/pipelines", bearer(issuer, List.of(), soon))
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("GET", "/api/pipelines", bearer(issuer, List.of("superviewer"), soon))
                        .statusCode())
                .isEqualTo(403);
        assertThat(send("GET", "/api/pipelines", bearer(issuer, List.of("admin"), soon.minusSeconds(1200)))
                        .statusCode())
                .isEqualTo(401);
        assertThat(send("GET", "/api/pipelines", bearer(keys(), List.of("admin"), soon))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void shouldRefuseTokensForOthersAndWithoutEnd() throws Exception {
        Date soon = Date.from(Instant.now().plusSeconds(600));
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder().claim("roles", "admin");
        JWTClaimsSet good = claims.audience("millrace").expirationTime(soon).build();

        assertThat(send("GET", "/api/user", bearer(issuer, good)).statusCode())
                .as("without a subject")
                .isEqualTo(200);
        for (JWTClaimsSet bad : List.of(
                claims.audience("other").expirationTime(soon).build(),
                claims.audience((String) null).expirationTime(soon).build(),
                claims.audience("millrace").expirationTime(null).build())) {
            assertThat(send("GET", "/api/user", bearer(issuer, bad)).statusCode())
                    .as(bad.toString())
                    .isEqualTo(401);
        }
    }

    /** A token of another type, such as a notice that a user has signed out, may have the same audience. */
    @ParameterizedTest
    @CsvSource({"JWT, 200", "at+jwt, 200", "application/at+jwt, 200", "logout+jwt, 401", "secevent+jwt, 401"})
    void shouldTakeAccessTokensOnly(String type, int status) throws Exception {
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .claim("roles", "viewer")
                .audience("millrace")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build();
        assertThat(send("GET", "/api/user", typedBearer(issuer, claims, type)).statusCode())
                .isEqualTo(status);
    }

    /** Each would take memory until the service ends, and a place of 10,000. */
    @Test
    void shouldKeepNoSessionOfWhoHasNotSignedIn() throws Exception {
        InMemoryWebSessionStore sessions = (InMemoryWebSessionStore)
                context.getBean(DefaultWebSessionManager.class).getSessionStore();
        int before = sessions.getSessions().size();
        for (int i = 0; i < 20; i++) {
            send("POST", "/sign-out", null);
            send("POST", "/logout", null);
            send("GET", "/", null);
            signIn("vera", "another password, as long");
        }

        assertThat(sessions.getSessions().size()).isEqualTo(before);
    }

    /** The service keeps 10,000 sessions, and nobody could sign in beyond these. */
    @Test
    void shouldKeepTheNewestSessionsOfAUser() throws Exception {
        InMemoryWebSessionStore sessions = (InMemoryWebSessionStore)
                context.getBean(DefaultWebSessionManager.class).getSessionStore();
        int before = sessions.getSessions().size();
        List<String> cookies = new ArrayList<>();
        for (int i = 0; i < 55; i++) {
            cookies.add(sessionOf(signIn("olaf", PASSWORD)));
        }

        assertThat(sessions.getSessions().size()).isEqualTo(before + 50);
        for (int i = 0; i < 55; i++) {
            assertThat(send(request("GET", "/api/pipelines", null).header("Cookie", cookies.get(i)))
                            .statusCode())
                    .as("session %s", i)
                    .isEqualTo(i < 5 ? 401 : 200);
        }
    }

    private static String sessionOf(HttpResponse<String> signedIn) {
        String cookie = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void shouldLetTheCheckCommandIn() throws Exception {
        Path config = Files.writeString(
                folder.resolve("config.yml"), "millrace.regions.all: { layout: blocks, schema: trade }\n");
        String url = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine check = new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));

        check.execute("--against", url, config.toString());
        assertThat(err.toString()).contains(url + " requires authentication. Use --user, or set MILLRACE_TOKEN.");
        check.execute(
                "--against",
                url,
                "--user",
                "vera",
                "--password-file",
                folder.resolve("secret").toString(),
                config.toString());
        assertThat(out.toString()).contains("Compared with " + url);
    }

    @Test
    void shouldRefuseAMalformedAcceptHeaderToo() throws Exception {
        assertThat(send(request("GET", "/api/pipelines", null).header("Accept", "x"))
                        .statusCode())
                .isIn(401, 406);
    }

    @ParameterizedTest
    @ValueSource(strings = {"username=%zz", "username=%", "%", "username=a&password=%u1234"})
    void shouldRefuseMalformedForms(String form) throws Exception {
        HttpResponse<String> refused = send(request("POST", "/sign-in.html", null)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .method("POST", BodyPublishers.ofString(form)));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("\"code\":\"bad-request\"");
    }

    @Test
    void shouldSignInAndOutByTheForm() throws Exception {
        HttpRequest.Builder page = request("GET", "/", null).setHeader("Accept", "text/html");
        assertThat(send(page).statusCode()).isEqualTo(303);
        assertThat(send(page).headers().firstValue("Location")).contains("/sign-in.html");

        assertThat(signIn("vera", "another password, as long").headers().firstValue("Location"))
                .contains("/sign-in.html?refused");
        HttpResponse<String> signedIn = signIn("vera", PASSWORD);
        assertThat(signedIn.headers().firstValue("Location")).contains("/");
        String cookie = signedIn.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).containsIgnoringCase("HttpOnly").contains("SameSite=Strict");

        String session = sessionOf(signedIn);
        assertThat(send(request("GET", "/", null).header("Cookie", session)).statusCode())
                .isEqualTo(200);
        assertThat(send(request("PUT", PLAY, null).header("Cookie", session)).statusCode())
                .isEqualTo(403);
        assertThat(send(request("POST", "/sign-out", null).header("Cookie", session))
                        .headers()
                        .firstValue("Location"))
                .contains("/sign-in.html");
        assertThat(send(request("GET", "/api/pipelines", null).header("Cookie", session))
                        .statusCode())
                .isEqualTo(401);
    }

    private static HttpResponse<String> signIn(String user, String password) throws Exception {
        return send(request("POST", "/sign-in.html", null)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .method(
                        "POST",
                        BodyPublishers.ofString("username=" + user + "&password=" + password.replace(' ', '+'))));
    }

    @Test
    void shouldLogChangesAndRefusalsWithTheirUsers() throws Exception {
        // Other tests may have had more lines than there are in a second.
        SECONDS.sleep(1);
        LOG.list.clear();
        send("GET", "/api/pipelines", null);
        await().until(() -> !LOG.list.isEmpty());
        LOG.list.clear();
        send("PUT", PLAY, basic("olaf", PASSWORD));
        send("PUT", PLAY, basic("vera", PASSWORD));
        send("GET", "/api/regions?%0Afake=line", null);
        send("GET", "/api/pipelines", basic("vera", PASSWORD));
        send(request("PUT", PLAY, basic("olaf", PASSWORD)).header("Origin", "http://elsewhere.example"));
        send("PUT", PLAY, bearer(issuer, "operator", Instant.now().plusSeconds(60)));
        signIn("vera", "another password, as long");
        signIn("vera", PASSWORD);

        // A line is written once the answer has been sent.
        await().until(() -> LOG.list.size() >= 7);
        assertThat(LOG.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactlyInAnyOrder(
                        "changed: user=olaf method=PUT path=" + PLAY + " status=200 from=127.0.0.1",
                        "refused: user=vera method=PUT path=" + PLAY + " status=403 from=127.0.0.1",
                        "refused: user=- method=GET path=/api/regions status=401 from=127.0.0.1",
                        "refused: user=- method=PUT path=" + PLAY + " status=403 from=127.0.0.1",
                        "changed: user=service-7?line method=PUT path=" + PLAY + " status=200 from=127.0.0.1",
                        "refused: user=- method=POST path=/sign-in.html status=302 from=127.0.0.1 reason=password",
                        "changed: user=vera method=POST path=/sign-in.html status=302 from=127.0.0.1");
    }
}
